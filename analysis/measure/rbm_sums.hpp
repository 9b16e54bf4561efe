// SPDX-License-Identifier: MIT
// How large the teacher's term is beside the reward in reward-bounded mixing, Eq. (8): |b_t| of
// every token against |R| = 1 (theory-2, 7). Exact and mergeable in any order. Tests:
// tests/analysis/measure/test_rbm_sums.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/credit/credit_path.hpp"
#include "analysis/measure/grouped_state.hpp"
#include "analysis/measure/plan.hpp"

namespace gammascope::measure {

/// Sums by group of prompts, for every gamma: the mean of |b_t| of each response (one row a
/// response), and whether |b_t| is above each size (one row a sampled token). A response without a
/// sampled token has no row; one whose A is 0 everywhere has b = 0.
class RbmSums {
 public:
  /// @param gammas in [0, 1]  @param sizes of |b|, in [0, 1]
  RbmSums(std::vector<double> gammas, std::vector<double> sizes, const Settings& settings);

  /// Cost: one multiply-add, one division and one comparison a size, per token and gamma.
  void add(const RolloutRecord& rollout);
  /// @throws std::invalid_argument if the two were made differently
  void merge(const RbmSums& other);

  /// Rows are responses: the mean of |b_t|, at most 1/2 each (7a).
  [[nodiscard]] std::pair<std::vector<stats::ClusterSums>, double> share(std::size_t gamma) const;
  /// Rows are tokens: 1 where |b_t| > size.
  [[nodiscard]] std::pair<std::vector<stats::ClusterSums>, double> above(std::size_t gamma,
                                                                         std::size_t size) const;
  [[nodiscard]] std::int64_t responses() const;
  [[nodiscard]] std::int64_t tokens() const;
  [[nodiscard]] std::int64_t without_prompt_id() const noexcept { return without_prompt_id_; }

 private:
  [[nodiscard]] std::size_t cell(std::size_t gamma, std::size_t which) const {
    return gamma * (sizes_.size() + 1) + which;
  }

  std::vector<double> gammas_, sizes_;
  Clock clock_;
  bool drop_cut_;
  GroupedState groups_;
  std::int64_t without_prompt_id_ = 0, tokens_ = 0;
  CreditPath path_;
  std::vector<std::vector<double>> credit_;  ///< scratch, per gamma
  std::vector<double> state_;
};

}  // namespace gammascope::measure
