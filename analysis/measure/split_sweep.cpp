// SPDX-License-Identifier: MIT
#include "analysis/measure/split_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/core/errors.hpp"
#include "analysis/core/hash_prefix.hpp"
#include "analysis/measure/estimate.hpp"
#include "analysis/stats/hjs2.hpp"
#include "analysis/stats/labels.hpp"

namespace gammascope::measure {
namespace {

Plan without_prompts(const Plan& plan) {
  Settings settings = plan.settings();
  settings.by_prompt = false;  // the split between and within prompts is that of all
  const auto cells = plan.cells();
  return Plan(settings, {cells.begin(), cells.end()});
}

PartKey word_key(const std::string& word) { return {!word.empty(), 0, word}; }

PartKey key_of(const RolloutRecord& r, By by) {
  switch (by) {
    case By::teacher:
      return word_key(r.teacher);
    case By::domain:
      return word_key(r.domain);
    case By::step:
      return {r.step.has_value(), r.step.value_or(0), ""};
    case By::finish_reason:
      return word_key(r.finish == FinishReason::unknown ? "" : std::string(name(r.finish)));
    case By::turn:
      break;
  }
  return {};
}

std::int64_t sampled(const Rollout& rollout) {
  std::int64_t tokens = 0;
  for (std::size_t t = 0; t < rollout.length(); ++t) tokens += rollout.counts(t) ? 1 : 0;
  return tokens;
}

/// One cell: [part][cluster], all about the mean of all rows; clusters are hash prefixes that all
/// parts have in common.
std::vector<std::vector<stats::ClusterSums>> clusters_of(const SplitSweep& split,
                                                         std::size_t cell) {
  int bits = 64;
  for (const auto& [key, part] : split.parts()) bits = std::min(bits, part.sweep.groups().bits());
  std::map<std::uint64_t, std::vector<stats::ExactMoments>> by_prefix;
  stats::ExactMoments all;
  std::size_t p = 0;
  for (const auto& [key, part] : split.parts()) {
    for (const auto& [hash, sums] : part.sweep.groups().keyed_column(cell)) {
      auto& row = by_prefix[hash_prefix(hash, bits)];
      row.resize(split.parts().size());
      row[p].merge(sums);
      all.merge(sums);
    }
    ++p;
  }
  std::vector<std::vector<stats::ClusterSums>> parts(p);
  for (const auto& [prefix, row] : by_prefix)
    for (std::size_t i = 0; i < p; ++i) parts[i].push_back(row[i].about(all.centre()));
  return parts;
}

stats::ClusterSums sum_of(const std::vector<stats::ClusterSums>& clusters) {
  stats::ClusterSums total;
  for (const stats::ClusterSums& c : clusters) {
    total.rows += c.rows;
    total.s1 += c.s1;
    total.s2 += c.s2;
  }
  return total;
}

/// sum (a - mu)^2
double squares(const stats::ClusterSums& c, double mu) {
  return std::max(0.0, c.s2 - mu * (2.0 * c.s1 - mu * c.rows));
}

double log_odds(double share) { return std::log(share / (1.0 - share)); }
double from_log_odds(double x) { return 1.0 / (1.0 + std::exp(-x)); }

/// Shares of all parts in sum (a - mu)^2, without cluster i of each (no such i: of all).
std::vector<double> shares(const std::vector<std::vector<stats::ClusterSums>>& parts,
                           const std::vector<stats::ClusterSums>& totals,
                           std::optional<std::size_t> without) {
  std::vector<stats::ClusterSums> left = totals;
  stats::ClusterSums all;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (without) {
      const stats::ClusterSums& c = parts[p][*without];
      left[p] = {left[p].rows - c.rows, left[p].s1 - c.s1, left[p].s2 - c.s2};
    }
    all.rows += left[p].rows;
    all.s1 += left[p].s1;
  }
  std::vector<double> found;
  double sum = 0;
  for (const stats::ClusterSums& part : left)
    sum += found.emplace_back(squares(part, all.rows > 0 ? all.s1 / all.rows : 0));
  for (double& x : found) x = sum > 0 ? x / sum : 0;
  return found;
}

void put_share_limits(Cell& c,
                      std::size_t part,
                      const std::vector<std::vector<double>>& without,
                      double confidence) {
  const double share = *c.value;
  const auto none = [&](const char* why) {
    c.status = CellStatus::not_available;
    c.reason = why;
  };
  if (!(share > 0 && share < 1)) return none("one part has all of the variance: no limits");
  std::vector<double> odds;
  for (const std::vector<double>& shares : without) {
    if (!(shares[part] > 0 && shares[part] < 1))
      return none("one prompt decides whether a part has any variance: no limits");
    odds.push_back(log_odds(shares[part]));
  }
  const stats::SmoothFit fit = stats::hjs2(log_odds(share), odds, 1e-10);
  const auto limits = fit.limits(confidence);
  if (!limits) return none("too few prompts, or no prompt changes this share: no limits");
  c.lower = from_log_odds(limits->lower);
  c.upper = from_log_odds(limits->upper);
  c.confidence = confidence;
  const stats::Label label = stats::label(fit);
  c.status = status_of(label.trust);
  c.reason = label.reason;
}

}  // namespace

SplitSweep::SplitSweep(Plan plan, By by) : plan_(without_prompts(plan)), by_(by) {}

Part& SplitSweep::part(const PartKey& key) {
  const auto at = parts_.find(key);
  if (at != parts_.end()) return at->second;
  if ((parts_.size() + 1) * plan_.cells().size() > most_cells)
    throw UsageError("--by " + std::string(name(by_)) + ": more than " +
                     std::to_string(parts_.size()) + " parts of " +
                     std::to_string(plan_.cells().size()) +
                     " cells take too much memory: ask for fewer cells");
  return parts_.emplace(key, Part{Sweep(plan_)}).first->second;
}

void SplitSweep::add(const RolloutRecord& rollout) {
  if (by_ == By::turn) return add_turns(rollout);
  Part& mine = part(key_of(rollout, by_));
  mine.sweep.add(rollout);
  ++mine.rows;
  mine.tokens += sampled(rollout.view());
}

void SplitSweep::add_turns(const RolloutRecord& record) {
  const Rollout whole = record.view();
  const std::size_t length = whole.length();
  if (length > 0 && whole.turn.empty())
    throw BadData(
        {"response" + (record.prompt_id ? " prompt_id \"" + *record.prompt_id + "\"" : ""),
         0,
         "turn",
         "--by turn needs the column turn"});
  for (std::size_t t = 0; t < length;) {
    std::size_t end = t;
    while (end < length && whole.turn[end] == whole.turn[t]) ++end;
    std::int64_t tokens = 0;
    std::size_t first = end;
    for (std::size_t i = end; i-- > t;)
      if (whole.counts(i)) {
        first = i;
        ++tokens;
      }
    if (tokens > 0) {
      Part& mine = part({true, whole.turn[t], ""});
      Rollout rest = whole;
      rest.student_logprob = whole.student_logprob.subspan(first);
      rest.teacher_logprob = whole.teacher_logprob.subspan(first);
      if (!whole.mask.empty()) rest.mask = whole.mask.subspan(first);
      rest.turn = whole.turn.subspan(first);
      mine.sweep.add(rest, record.prompt_id.has_value());
      ++mine.rows;
      mine.tokens += tokens;
    }
    t = end;
  }
}

void SplitSweep::merge(const SplitSweep& other) {
  for (const auto& [key, theirs] : other.parts_) {
    Part& mine = part(key);
    mine.sweep.merge(theirs.sweep);
    mine.rows += theirs.rows;
    mine.tokens += theirs.tokens;
  }
}

std::string SplitSweep::name_of(const PartKey& key) const {
  const std::string field(name(by_));
  if (!key.recorded) return field + " not recorded";
  return field + "=" + (key.word.empty() ? std::to_string(key.number) : key.word);
}

std::vector<Cell> token_cells(const SplitSweep& split) {
  std::int64_t all = 0;
  for (const auto& [key, part] : split.parts()) all += part.tokens;
  std::vector<Cell> cells;
  for (const auto& [key, part] : split.parts())
    for (const Quantity quantity : {Quantity::tokens, Quantity::token_share}) {
      Cell c;
      c.quantity = quantity;
      c.group = split.name_of(key);
      c.status = CellStatus::exact;  // a count of this log
      c.method = "count";
      c.rollouts = part.rows;
      if (quantity == Quantity::tokens)
        c.value = static_cast<double>(part.tokens);
      else if (all > 0)
        c.value = static_cast<double>(part.tokens) / static_cast<double>(all);
      cells.push_back(std::move(c));
    }
  return cells;
}

std::vector<Cell> part_cells(const SplitSweep& split, std::size_t cell) {
  const CellSpec& spec = split.plan().cells()[cell];
  const Settings& settings = split.plan().settings();
  const auto clusters = clusters_of(split, cell);
  std::vector<stats::ClusterSums> totals;
  for (const auto& part : clusters) totals.push_back(sum_of(part));
  const std::vector<double> whole = shares(clusters, totals, std::nullopt);
  std::vector<std::vector<double>> without;
  const std::size_t count = clusters.empty() ? 0 : clusters[0].size();
  for (std::size_t i = 0; i < count; ++i) without.push_back(shares(clusters, totals, i));
  std::vector<Cell> cells;
  std::size_t p = 0;
  for (const auto& [key, part] : split.parts()) {
    const Estimate e = estimate(part.sweep, cell, settings.noise_floor.value_or(0));
    for (const Cell* of : {&e.mean, &e.variance, &e.second_moment}) {
      cells.push_back(*of);
      cells.back().group = split.name_of(key);
    }
    Cell c;
    c.quantity = Quantity::variance_share;
    c.alignment = spec.alignment;
    c.gamma = spec.gamma;
    c.n = spec.n;
    c.group = split.name_of(key);
    c.method = "HJS2";
    c.prompts = static_cast<std::int64_t>(count);
    c.rollouts = static_cast<std::int64_t>(totals[p].rows);
    if (count > 0) {
      c.value = whole[p];
      put_share_limits(c, p, without, settings.confidence);
    } else {
      c.status = CellStatus::not_available;
      c.reason = "there is no row";
    }
    cells.push_back(std::move(c));
    ++p;
  }
  return cells;
}

}  // namespace gammascope::measure
