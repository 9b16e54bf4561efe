// SPDX-License-Identifier: MIT
#include "analysis/measure/survey.hpp"

namespace gammascope::measure {

void Survey::add(const RolloutRecord& record) {
  const Rollout rollout = record.view();
  std::int64_t length = 0, gaps = 0;
  bool gap = false;
  for (std::size_t t = 0; t < rollout.length(); ++t) {
    if (!rollout.counts(t)) {
      gap = true;
      continue;
    }
    if (gap && length > 0) ++gaps;
    gap = false;
    ++length;
    const double delta = rollout.delta(t);
    if (stats::ExactMoments::in_range(delta))
      delta_.add(delta);
    else
      ++out_of_range_;
  }
  ++rollouts_;
  tokens_ += length;
  ++lengths_[length];
  if (length == 0) ++empty_;
  if (gaps > 0) ++interior_masks_;
  if (rollout.cut()) ++cut_;
  if (rollout.ended()) ++ended_;
  if (rollout.damaged) ++damaged_;
  if (!record.prompt_id) ++without_prompt_id_;
  if (length > 0 && record.turn.empty()) ++without_turn_;
  prompts_.add(rollout.prompt);
}

void Survey::merge(const Survey& other) {
  rollouts_ += other.rollouts_;
  tokens_ += other.tokens_;
  empty_ += other.empty_;
  cut_ += other.cut_;
  ended_ += other.ended_;
  damaged_ += other.damaged_;
  interior_masks_ += other.interior_masks_;
  without_prompt_id_ += other.without_prompt_id_;
  without_turn_ += other.without_turn_;
  out_of_range_ += other.out_of_range_;
  delta_.merge(other.delta_);
  for (const auto& [length, count] : other.lengths_) lengths_[length] += count;
  prompts_.merge(other.prompts_);
}

std::int64_t Survey::prompts() const {
  return static_cast<std::int64_t>(prompts_.exact() ? prompts_.size() : max_prompts);
}

std::int64_t Survey::longest() const noexcept {
  return lengths_.empty() ? 0 : lengths_.rbegin()->first;
}

std::optional<std::int64_t> Survey::median_length() const {
  const std::int64_t rows = rollouts_ - empty_;
  std::int64_t below = 0;
  for (const auto& [length, count] : lengths_) {
    if (length == 0) continue;
    below += count;
    if (2 * below >= rows) return length;
  }
  return std::nullopt;
}

std::optional<double> Survey::mean_delta() const {
  return out_of_range_ > 0 ? std::nullopt : delta_.mean();
}

}  // namespace gammascope::measure
