// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/measure/estimate.hpp"
#include "analysis/stats/detectable_effect.hpp"
#include "analysis/stats/influence.hpp"
#include "analysis/stats/number_text.hpp"
#include "analysis/stats/prompts_needed.hpp"
#include "analysis/verdict/check.hpp"
#include "analysis/verdict/split_halves.hpp"

namespace gammascope::check {
namespace {

using bounds::Input;
using stats::number_text;

bool takes(const bounds::Bound& bound, Input input) {
  return std::find(bound.inputs.begin(), bound.inputs.end(), input) != bound.inputs.end();
}

constexpr const char* no_prompt_id = "without prompt_id the halves may share prompts; claim sigma2";

/// Log-ratios are differences of float32 numbers, so a clamp at c is met up to their rounding.
bool exceeds(double seen, double c) { return seen > c + 1e-6 * (1.0 + c); }

class Judge {
 public:
  Judge(const Plan& plan, const measure::Sweep& sweep, double noise_floor, const Extras& extras)
      : plan_(plan),
        sweep_(sweep),
        extras_(extras),
        noise_floor_(noise_floor),
        prompts_per_group_(
            std::max(1.0,
                     static_cast<double>(extras.prompts) /
                         static_cast<double>(std::max<std::size_t>(1, sweep.groups().groups())))) {}

  Case open(std::size_t index) {
    const Claim& claim = plan_.claims[index];
    Case c;
    c.verdict.claim = claim.bound->claim;
    c.verdict.alignment = claim.cell.alignment;
    c.verdict.gamma = claim.cell.gamma;
    c.verdict.n = claim.cell.n;
    const std::size_t cell = place(claim.cell);
    const measure::Estimate estimate = measure::estimate(sweep_, cell, noise_floor_);
    c.verdict.value = estimate.variance.value;
    c.verdict.lower = estimate.variance.lower;
    c.verdict.upper = estimate.variance.upper;
    c.verdict.cell_status = c.evidence.cell_status = estimate.variance.status;
    c.evidence.cell_reason = estimate.variance.reason;

    bounds::Inputs inputs;
    inputs.weights = {sweep_.weight_sum(cell), sweep_.squared_weight_sum(cell)};
    if (claim.bound->horizon_free)
      inputs.weights = bounds::weight_sums_infinite(Gamma(claim.cell.gamma));
    if (takes(*claim.bound, Input::c)) take_c(c, inputs);
    if (takes(*claim.bound, Input::v)) {
      take(c, inputs.v, "v", plan_.settings.v, Origin::claimed);
      take(c, inputs.d2, "d2", plan_.settings.d2, Origin::claimed);
    }
    if (takes(*claim.bound, Input::big_c))
      judge_kl(c, inputs, claim, extras_.kl.at(index), estimate);
    else if (takes(*claim.bound, Input::sigma2) && plan_.settings.sigma2_from == Sigma2From::split)
      judge_split(c, inputs, claim, cell);
    else
      judge_number(c, inputs, claim, estimate.variance_fit);
    c.claim = static_cast<std::size_t>(claim.bound - bounds::all().data());
    if (c.verdict.value && c.verdict.bound && c.refuted.empty())
      say(c, "the variance is shown to be ");
    if (claim.bound->prefix_rows_only && !extras_.no_prefix_law.empty())
      c.evidence.only_if = extras_.no_prefix_law;
    // No word can come of these, so they take no part in Holm's order.
    if (c.evidence.only_if) c.verdict.p_pass = c.verdict.p_fail = 1;
    if (c.verdict.bound && !std::isfinite(*c.verdict.bound)) {
      c.verdict.bound.reset();
      c.context += (c.context.empty() ? "" : "; ") +
                   std::string("the bound lies beyond the range of a double");
    }
    return c;
  }

 private:
  static void say(Case& c, const std::string& begin) {
    const Verdict& v = c.verdict;
    std::string numbers = ": " + number_text(*v.value, 4);
    if (v.lower && v.upper)
      numbers += " (limits " + number_text(*v.lower, 4) + " to " + number_text(*v.upper, 4) + ")";
    numbers += " against " + number_text(*v.bound, 4) + " nats^2";
    c.confirmed = begin + "below the bound" + numbers;
    c.refuted = begin + "above the bound" + numbers;
  }

  [[nodiscard]] std::size_t place(const measure::CellSpec& cell) const {
    const auto index = sweep_.plan().index_of(cell);
    if (!index) throw std::out_of_range("check: the sweep lacks a cell of the plan");
    return *index;
  }

  static void take(Case& c,
                   std::optional<double>& input,
                   const char* name,
                   std::optional<double> value,
                   Origin origin) {
    input = value;
    c.verdict.inputs.push_back({name, value, origin});
  }

  /// Takes the ground from what rests on the claimed c where the log goes beyond it.
  void refute_c(Case& c) const {
    const auto& seen = extras_.largest_delta;
    if (plan_.settings.c && seen && exceeds(*seen, *plan_.settings.c))
      c.evidence.only_if = "the claimed Delta <= " + number_text(*plan_.settings.c) +
                           " does not hold in this log, where Delta reaches " + number_text(*seen) +
                           " nats: the bound has no ground";
  }

  void take_c(Case& c, bounds::Inputs& inputs) const {
    const auto& seen = extras_.largest_delta;
    if (plan_.settings.c) {
      take(c, inputs.c, "c", plan_.settings.c, Origin::claimed);
      refute_c(c);
      return;
    }
    const auto c_seen = seen ? std::optional(std::max(0.0, *seen)) : std::nullopt;
    take(c, inputs.c, "c", c_seen, Origin::same_rollouts);
    c.evidence.only_if =
        c_seen ? "only if Delta <= " + number_text(*c_seen) +
                     " holds almost surely: that is the largest seen, which bounds nothing unseen; "
                     "claim one with --max-delta"
               : "no c: claim one with --max-delta";
  }

  /// Var(A) of all prompts against a bound from numbers that the data did not give; or, for
  /// identity, from the same data.
  void judge_number(Case& c,
                    bounds::Inputs& inputs,
                    const Claim& claim,
                    const stats::HjsFit& fit) const {
    if (takes(*claim.bound, Input::sigma2)) {
      if (plan_.settings.sigma2_from == Sigma2From::same) {
        c.origin = Origin::same_rollouts;
        take(c, inputs.sigma2, "sigma2", largest_second_moment(claim), Origin::same_rollouts);
        if (inputs.sigma2) c.verdict.bound = value_of(*claim.bound, inputs);
        return;
      }
      take(c, inputs.sigma2, "sigma2", plan_.settings.sigma2, Origin::claimed);
    }
    c.verdict.bound = value_of(*claim.bound, inputs);
    if (!c.verdict.bound) return;
    c.verdict.p_pass = fit.p_pass(*c.verdict.bound);
    c.verdict.p_fail = fit.p_fail(*c.verdict.bound);
    if (sweep_.counts().without_prompt_id > 0 && fit.value && *fit.value > *c.verdict.bound) {
      c.verdict.p_fail = 1;
      c.evidence.cannot_fail =
          "above the bound, but without prompt_id every response counts as its own prompt, so the "
          "limits are too narrow for a fail";
    }
    if (!(*c.verdict.bound > 0.0 && std::isfinite(*c.verdict.bound))) return;
    const double value = *c.verdict.bound, per_group = prompts_per_group_;
    c.prompts_needed = [=](double level) {
      return stats::prompts_needed(fit, value, level, per_group);
    };
    if (fit.has_limits() && c.verdict.cell_status != CellStatus::degenerate)
      c.detectable = [=](double level) {
        const stats::DetectableEffect e = stats::minimum_detectable_effect(fit, level);
        return Detectable{e.below > 0.0 ? std::optional(value * e.below) : std::nullopt,
                          std::isfinite(e.above) ? std::optional(value * e.above) : std::nullopt};
      };
    c.influence = influence(claim);
  }

  [[nodiscard]] std::vector<double> influence(const Claim& claim) const {
    return stats::variance_influence(
        sweep_.groups().aligned_clusters(place(claim.cell), measure::About::mean).first);
  }

  [[nodiscard]] std::optional<double> largest_second_moment(const Claim& claim) const {
    std::optional<double> largest;
    for (const auto& cell : claim.sigma2_cells)
      if (const auto m = sweep_.groups().total(place(cell)).second_moment())
        largest = std::max(largest.value_or(0.0), *m);
    return largest;
  }

  /// Absent where a number is missing (its reason is in only_if).
  static std::optional<double> value_of(const bounds::Bound& bound, const bounds::Inputs& inputs) {
    for (const Input input : bound.inputs)
      if ((input == Input::c && !inputs.c) || (input == Input::sigma2 && !inputs.sigma2))
        return std::nullopt;
    return bounds::evaluate(bound, inputs);
  }

  void judge_split(Case& c, bounds::Inputs& inputs, const Claim& claim, std::size_t cell) {
    c.origin = Origin::other_prompts;
    const BoundOfSigma2 bound = [&](double sigma2) {
      bounds::Inputs with = inputs;
      with.sigma2 = sigma2;
      return value_of(*claim.bound, with).value_or(0.0);
    };
    const Halves variance{measure::variance_fit(sweep_, cell, measure::Half::first),
                          measure::variance_fit(sweep_, cell, measure::Half::second)};
    std::vector<Halves> positions;
    for (const auto& one : claim.sigma2_cells) positions.push_back(second_moments(place(one)));
    const SplitEvidence split = split_halves(variance, positions, claim.every_position, bound);
    take(c, inputs.sigma2, "sigma2", split.sigma2, Origin::other_prompts);
    c.verdict.bound = value_of(*claim.bound, inputs);
    if (sweep_.counts().without_prompt_id > 0) {
      c.evidence.only_if = no_prompt_id;
      return;
    }
    if (!split.sigma2) {
      c.context = "no position has " + std::to_string(least_prompts) +
                  " prompts in each half, so there is no sigma2 of other prompts; claim one with "
                  "--sigma2";
      return;
    }
    if (!c.verdict.bound) return;
    c.verdict.p_pass = split.p_pass;
    c.verdict.p_fail = split.p_fail;
    c.context = "sigma2 " + number_text(*split.sigma2) + " is of the other half of the prompts, " +
                place_text(claim.sigma2_cells[split.chosen]);
    if (!variance.first.has_limits() || !variance.second.has_limits()) {
      const auto& without = variance.first.has_limits() ? variance.second : variance.first;
      c.context +=
          "; a half has no limits: " + stats::sentence(without.availability, without.clusters);
      return;
    }
    // The row shows the number that was judged; that of all prompts is a cell of the result.
    const stats::Limits limits = *split.variance->limits(sweep_.plan().settings().confidence);
    c.verdict.value = split.variance->value;
    c.verdict.lower = limits.lower;
    c.verdict.upper = limits.upper;
    distrust(c,
             measure::variance_label(sweep_, cell, split.half),
             "the variance of the half that is judged");
    distrust(c,
             measure::second_moment_label(
                 sweep_,
                 place(claim.sigma2_cells[split.chosen]),
                 split.half == measure::Half::first ? measure::Half::second : measure::Half::first),
             "sigma2 of the other half");
    if (*split.variance->value <= *c.verdict.bound) {
      c.prompts_needed = needed(*split.variance, *split.second_moment, bound);
      const double value = *c.verdict.bound;
      c.detectable = [value, one = *split.variance, two = *split.second_moment](double level) {
        const double below = stats::minimum_detectable_effect(one, two, level).below;
        return Detectable{below > 0.0 ? std::optional(value * below) : std::nullopt, std::nullopt};
      };
      return;
    }
    // Above this sigma2's bound; a fail must beat every position.
    if (!split.cannot_fail.empty())
      c.context += "; " + split.cannot_fail;
    else if (*split.variance_to_fail->value > bound(*split.hardest->value))
      c.prompts_needed = needed(*split.variance_to_fail, *split.hardest, bound);
    else
      c.context += "; a fail must hold for every sigma2 that may be the largest, and " +
                   number_text(*split.hardest->value) + " nats^2, " +
                   place_text(claim.sigma2_cells[split.hardest_place]) +
                   " of one half, gives the bound " + number_text(bound(*split.hardest->value)) +
                   ", above the variance of the other half, " +
                   number_text(*split.variance_to_fail->value);
  }

  /// A pass rests on two fits besides that of the whole: the worst label of the three counts.
  static void distrust(Case& c, const stats::Label& label, const char* of) {
    const bool better =
        c.evidence.cell_status == CellStatus::ok || c.evidence.cell_status == CellStatus::tentative;
    if (label.trust != stats::Trust::unreliable || !better) return;
    c.verdict.cell_status = c.evidence.cell_status = CellStatus::unreliable;
    c.evidence.cell_reason = std::string("of ") + of + ": " + label.reason;
  }

  static std::string place_text(const measure::CellSpec& cell) {
    return cell.alignment == Alignment::horizon
               ? "with " + std::to_string(cell.n.value_or(0)) + " tokens left"
               : "at position " + std::to_string(cell.n.value_or(0));
  }

  [[nodiscard]] std::function<std::optional<std::int64_t>(double)> needed(
      const stats::HjsFit& variance,
      const stats::HjsFit& second_moment,
      const BoundOfSigma2& bound) const {
    if (!variance.has_limits() || !second_moment.has_limits()) return {};
    const double factor = bound(*second_moment.value) / *second_moment.value;
    if (!(factor > 0.0 && std::isfinite(factor))) return {};
    return [=, per_group = prompts_per_group_](double level) {
      return stats::prompts_needed(variance, second_moment, factor, level, per_group);
    };
  }

  const Halves& second_moments(std::size_t cell) {
    auto [at, is_new] = second_moments_.try_emplace(cell);
    if (is_new)
      at->second = {measure::second_moment_fit(sweep_, cell, measure::Half::first),
                    measure::second_moment_fit(sweep_, cell, measure::Half::second)};
    return at->second;
  }

  void judge_kl(Case& c,
                bounds::Inputs& inputs,
                const Claim& claim,
                const KlEValue& evalue,
                const measure::Estimate& estimate) const {
    take(c, inputs.big_c, "C", evalue.big_c(), Origin::claimed);
    const auto mean = estimate.mean.value;
    take(c,
         inputs.l,
         "L",
         mean ? std::optional(std::max(0.0, -*mean)) : std::nullopt,
         Origin::same_rollouts);
    const double rounding = 1e-9 * evalue.big_c() + 1e-6 * estimate.weight_sum;
    if (!plan_.settings.big_c || evalue.big_c() < *plan_.settings.big_c) refute_c(c);  // C = c G
    if (sweep_.counts().without_prompt_id > 0)
      c.evidence.only_if =
          "the KL form takes prompts as independent, and without prompt_id they are not known";
    if (!evalue.complete())
      c.evidence.only_if = "the KL form is judged with at most " +
                           std::to_string(KlEValue::max_prompts) +
                           " prompts; give a part of the log";
    if (evalue.responses() > 0 && evalue.largest_loss() > evalue.big_c() + rounding) {
      c.evidence.only_if = "the claimed -A <= " + number_text(evalue.big_c()) +
                           " does not hold in this log, where -A reaches " +
                           number_text(evalue.largest_loss()) + " nats: the bound has no ground";
      return;
    }
    if (c.evidence.only_if) return;
    if (inputs.l) c.verdict.bound = bounds::evaluate(*claim.bound, inputs);
    c.verdict.p_fail = evalue.p_fail();
    const std::string over = "the e-value over " + std::to_string(evalue.prompts()) + " prompts, " +
                             number_text(std::exp(evalue.log_e())) + ", ";
    c.refuted = over + "refutes E[A^2] <= K(C) L, what the KL form rests on";
    c.undecided = over + "does not refute the KL form; it can never confirm it";
  }

  const Plan& plan_;
  const measure::Sweep& sweep_;
  const Extras& extras_;
  double noise_floor_, prompts_per_group_;
  std::map<std::size_t, Halves> second_moments_;
};

}  // namespace

std::map<std::size_t, KlEValue> kl_evalues(const Plan& plan, const measure::Sweep& sweep) {
  std::map<std::size_t, KlEValue> evalues;
  for (std::size_t i = 0; i < plan.claims.size(); ++i) {
    const Claim& claim = plan.claims[i];
    if (!takes(*claim.bound, Input::big_c)) continue;
    const auto cell = sweep.plan().index_of(claim.cell);
    if (!cell) throw std::out_of_range("check: the sweep lacks a cell of the plan");
    std::optional<double> big_c = plan.settings.big_c;
    if (plan.settings.c) {
      const double by_clamp = *plan.settings.c * sweep.weight_sum(*cell);
      big_c = std::min(big_c.value_or(by_clamp), by_clamp);
    }
    evalues.emplace(i, KlEValue(big_c.value()));
  }
  return evalues;
}

std::vector<Case> open_run(const Plan& plan,
                           const measure::Sweep& sweep,
                           double noise_floor,
                           const Extras& extras) {
  Judge judge_of(plan, sweep, noise_floor, extras);
  std::vector<Case> cases;
  for (std::size_t i = 0; i < plan.claims.size(); ++i) cases.push_back(judge_of.open(i));
  return cases;
}

std::vector<Verdict> judge_run(const Plan& plan,
                               const measure::Sweep& sweep,
                               double noise_floor,
                               const Extras& extras) {
  std::vector<Case> cases = open_run(plan, sweep, noise_floor, extras);
  const double alpha = 1.0 - sweep.plan().settings().confidence;
  adjust(cases, alpha, Multiplicity::holm);
  std::vector<Verdict> verdicts;
  for (Case& one : cases) {
    close(one, alpha);
    verdicts.push_back(std::move(one.verdict));
  }
  return verdicts;
}

}  // namespace gammascope::check
