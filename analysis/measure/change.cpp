// SPDX-License-Identifier: MIT
#include "analysis/measure/change.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/stats/detectable_effect.hpp"
#include "analysis/stats/holm.hpp"
#include "analysis/stats/mover.hpp"
#include "analysis/stats/student.hpp"

namespace gammascope::measure {

int badness(CellStatus status) noexcept {
  switch (status) {
    case CellStatus::ok:
    case CellStatus::exact:
      return 0;
    case CellStatus::tentative:
      return 1;
    case CellStatus::unreliable:
      return 2;
    case CellStatus::degenerate:
      return 3;
    case CellStatus::not_available:
      return 4;
  }
  return 4;
}

void take_sides(Change& change, const Cell& one, const Cell& two) {
  change.one = one.value;
  change.two = two.value;
  const bool first = badness(one.status) >= badness(two.status);
  const Cell& worse = first ? one : two;
  change.status = worse.status;
  if (!worse.reason.empty())
    change.reason = std::string(first ? "the first" : "the second") + ": " + worse.reason;
  if (badness(worse.status) >= badness(CellStatus::degenerate)) change.missing = change.reason;
}

Change change_of(const Cell& one, const Cell& two) {
  Change change;
  change.quantity = one.quantity;
  change.cell = {one.alignment.value_or(Alignment::window), one.gamma.value_or(0), one.n, 0};
  take_sides(change, one, two);
  change.clusters = std::min(one.prompts, two.prompts);
  const bool ratio = one.quantity == Quantity::variance;
  change.method = ratio ? "MOVER" : "Welch";
  if (one.value && two.value && (!ratio || *one.value > 0))
    change.value = ratio ? *two.value / *one.value : *two.value - *one.value;
  if (!change.missing.empty()) return change;
  const auto none = [&](const char* why) {
    change.status = CellStatus::not_available;
    change.missing = change.reason = why;
  };
  const bool limits = change.value && one.lower && one.upper && two.lower && two.upper;
  if (!limits) {
    none("a side has no limits");
  } else if (one.confidence != two.confidence) {
    none("the limits of the two are at different confidence");
  } else if (!ratio) {
    // Zou and Donner 2008, Statist. Med. 27, 1693-1702, equation (6): limits of a difference.
    change.fit =
        LimitsFit{{*change.value - std::hypot(*two.value - *two.lower, *one.upper - *one.value),
                   *change.value + std::hypot(*two.upper - *two.value, *one.value - *one.lower)},
                  *one.confidence};
  } else {
    const auto log_ratio = [](double x, double y) { return std::log(x / y); };
    const double down =
        std::hypot(log_ratio(*two.value, *two.lower), log_ratio(*one.upper, *one.value));
    const double up =
        std::hypot(log_ratio(*two.upper, *two.value), log_ratio(*one.value, *one.lower));
    change.fit =
        LimitsFit{{*change.value * std::exp(-down), *change.value * std::exp(up)}, *one.confidence};
  }
  return change;
}

bool Change::has_p() const noexcept { return !std::holds_alternative<LimitsFit>(fit); }

std::optional<stats::Limits> Change::limits(double confidence) const {
  const bool ratio = quantity == Quantity::variance;
  if (const auto* smooth = std::get_if<stats::SmoothFit>(&fit)) {
    auto found = smooth->limits(confidence);
    if (found && ratio) found = stats::Limits{std::exp(found->lower), std::exp(found->upper)};
    return found;
  }
  if (const auto* pair = std::get_if<std::pair<stats::HjsFit, stats::HjsFit>>(&fit))
    return stats::mover_limits(pair->second, pair->first, confidence);
  if (const auto* welch = std::get_if<WelchFit>(&fit)) {
    const double room = welch->se * stats::student_quantile(welch->df, 0.5 * (1.0 + confidence));
    return stats::Limits{welch->difference - room, welch->difference + room};
  }
  if (const auto* left = std::get_if<LimitsFit>(&fit))
    if (left->confidence == confidence) return left->limits;
  return std::nullopt;
}

double Change::p_above(double bound) const {
  const bool ratio = quantity == Quantity::variance;
  if (const auto* smooth = std::get_if<stats::SmoothFit>(&fit))
    return smooth->p_above(ratio ? std::log(bound) : bound);
  if (const auto* pair = std::get_if<std::pair<stats::HjsFit, stats::HjsFit>>(&fit))
    return stats::mover_p(pair->second, pair->first, bound).above;
  if (const auto* welch = std::get_if<WelchFit>(&fit))
    return stats::student_tail(welch->df, (welch->difference - bound) / welch->se);
  return 1.0;
}

double Change::p_below(double bound) const {
  const bool ratio = quantity == Quantity::variance;
  if (const auto* smooth = std::get_if<stats::SmoothFit>(&fit))
    return smooth->p_below(ratio ? std::log(bound) : bound);
  if (const auto* pair = std::get_if<std::pair<stats::HjsFit, stats::HjsFit>>(&fit))
    return stats::mover_p(pair->second, pair->first, bound).below;
  if (const auto* welch = std::get_if<WelchFit>(&fit))
    return stats::student_cdf(welch->df, (welch->difference - bound) / welch->se);
  return 1.0;
}

std::vector<Decision> decide(std::span<const Change> changes, double alpha, double band) {
  if (!(alpha > 0.0 && alpha < 1.0)) throw std::domain_error("alpha must lie between 0 and 1");
  if (!(band >= 0.0)) throw std::domain_error("a band must not be negative");
  std::vector<Decision> decisions(changes.size());
  std::vector<double> p;
  const auto edges = [&](const Change& c) {
    return c.quantity == Quantity::variance ? std::pair(1.0 / (1.0 + band), 1.0 + band)
                                            : std::pair(-band * std::fabs(c.one.value_or(0)),
                                                        band * std::fabs(c.one.value_or(0)));
  };
  for (const Change& c : changes) {
    if (!c.has_p()) continue;
    const auto [low, high] = edges(c);
    p.push_back(std::min(1.0, 2.0 * std::min(c.p_above(high), c.p_below(low))));
    if (band > 0) p.push_back(std::max(c.p_above(low), c.p_below(high)));
  }
  const std::vector<double> adjusted = stats::holm_adjusted(p);
  std::size_t next = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Decision& d = decisions[i];
    bool changed = false, same = false;
    if (changes[i].has_p()) {
      d.p_changed = adjusted[next++];
      if (band > 0) d.p_same = adjusted[next++];
      changed = *d.p_changed <= alpha;
      same = d.p_same && *d.p_same <= alpha;
    } else if (const auto limits = changes[i].limits(1.0 - alpha)) {
      const auto [low, high] = edges(changes[i]);
      changed = limits->lower > high || limits->upper < low;
      same = band > 0 && limits->lower > low && limits->upper < high;
    }
    // A sample without its large values looks steady: no "not changed" on an unreliable cell.
    same = same && badness(changes[i].status) < badness(CellStatus::unreliable);
    d.word = changed ? ChangeWord::changed
             : same  ? ChangeWord::not_changed
                     : ChangeWord::cannot_tell;
  }
  return decisions;
}

std::optional<std::pair<double, double>> detectable(const Change& change,
                                                    double alpha,
                                                    std::size_t tests) {
  if (change.quantity != Quantity::variance || !change.has_p() || !change.missing.empty())
    return std::nullopt;
  const double level = 0.5 * alpha / static_cast<double>(std::max<std::size_t>(tests, 1));
  stats::DetectableEffect effect;
  if (const auto* smooth = std::get_if<stats::SmoothFit>(&change.fit))
    effect = stats::minimum_detectable_effect(*smooth, level);
  else if (const auto* pair = std::get_if<std::pair<stats::HjsFit, stats::HjsFit>>(&change.fit))
    effect = stats::minimum_detectable_effect(pair->second, pair->first, level);
  else
    return std::nullopt;
  return std::pair(effect.above, effect.below);
}

}  // namespace gammascope::measure
