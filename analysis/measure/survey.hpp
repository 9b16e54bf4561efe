// SPDX-License-Identifier: MIT
// The first pass over a log: what is in it, before anything is measured. Exact and mergeable in any
// order. Tests: tests/analysis/measure/test_survey.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "analysis/core/rollout.hpp"
#include "analysis/measure/distinct_hashes.hpp"
#include "analysis/stats/exact_moments.hpp"

namespace gammascope::measure {

/// T counts sampled tokens (mask 1).
class Survey {
 public:
  /// Distinct prompts are counted exactly up to here.
  static constexpr std::size_t max_prompts = DistinctHashes::most;

  void add(const RolloutRecord& rollout);
  void merge(const Survey& other);

  [[nodiscard]] std::int64_t rollouts() const noexcept { return rollouts_; }
  [[nodiscard]] std::int64_t tokens() const noexcept { return tokens_; }
  /// Distinct prompt hashes; responses without prompt_id count as one each. When prompts_exact() is
  /// false there are more than max_prompts and this is max_prompts.
  [[nodiscard]] std::int64_t prompts() const;
  [[nodiscard]] bool prompts_exact() const { return prompts_.exact(); }
  /// The hashes themselves, of responses without prompt_id too.
  [[nodiscard]] const DistinctHashes& prompt_hashes() const noexcept { return prompts_; }
  [[nodiscard]] bool has_prompt_ids() const noexcept { return without_prompt_id_ == 0; }
  [[nodiscard]] std::int64_t without_prompt_id() const noexcept { return without_prompt_id_; }
  [[nodiscard]] std::int64_t empty() const noexcept { return empty_; }
  [[nodiscard]] std::int64_t cut() const noexcept { return cut_; }      ///< length or abort
  [[nodiscard]] std::int64_t ended() const noexcept { return ended_; }  ///< stop
  [[nodiscard]] std::int64_t damaged() const noexcept { return damaged_; }
  /// Responses with a masked token between two sampled ones: where clocks differ.
  [[nodiscard]] std::int64_t interior_masks() const noexcept { return interior_masks_; }
  /// Responses without the column `turn`, empty ones left out.
  [[nodiscard]] std::int64_t without_turn() const noexcept { return without_turn_; }
  [[nodiscard]] std::int64_t longest() const noexcept;
  /// Lower median of T over non-empty responses; absent if there are none.
  [[nodiscard]] std::optional<std::int64_t> median_length() const;
  /// T -> responses, empty ones included under 0.
  [[nodiscard]] const std::map<std::int64_t, std::int64_t>& lengths() const noexcept {
    return lengths_;
  }
  /// Mean of Delta over sampled tokens, nats; absent without tokens or when a log-ratio is not
  /// finite or above 2^20 nats.
  [[nodiscard]] std::optional<double> mean_delta() const;
  friend bool operator==(const Survey&, const Survey&) = default;

 private:
  friend struct StateFields;

  std::int64_t rollouts_ = 0, tokens_ = 0, empty_ = 0, cut_ = 0, ended_ = 0, damaged_ = 0;
  std::int64_t interior_masks_ = 0, without_prompt_id_ = 0, without_turn_ = 0, out_of_range_ = 0;
  std::map<std::int64_t, std::int64_t> lengths_;
  DistinctHashes prompts_;
  stats::ExactMoments delta_;
};

}  // namespace gammascope::measure
