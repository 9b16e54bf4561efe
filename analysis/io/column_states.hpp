// SPDX-License-Identifier: MIT
// Which columns a log has: recorded, not recorded or constant (case N38: a column that is absent is
// not a column of zeros). Tests: tests/analysis/io/test_column_states.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analysis/core/enum_name.hpp"
#include "analysis/core/rollout.hpp"

namespace gammascope::io {

enum class ColumnState : std::uint8_t { not_recorded, constant, recorded };

/// The columns that are watched, under the singular names of the API; `finish_reason` counts
/// responses that say why they ended.
enum class Column : std::uint8_t {
  student_logprob,
  teacher_logprob,
  rollout_logprob,
  ref_logprob,
  entropy,
  prefix_kl,
  advantage,
  score_sketch,
  token_id,
  mask,
  turn,
  topk,
  prompt_id,
  sample_id,
  step,
  reward,
  finish_reason,
  weight_version,
};

/// What one column was seen to hold.
struct ColumnStats {
  std::int64_t rollouts = 0;  ///< responses that carry the column
  std::int64_t values =
      0;  ///< of sampled tokens (of responses, for a scalar) with a value: not null, not NaN
  double first = 0;      ///< the first such value (text columns: 0)
  bool differs = false;  ///< a later value was another
  ColumnState state =
      ColumnState::not_recorded;  ///< constant: two or more values, all the same number
};

/// Fed with every response of a log; asked at its end. Memory: a few hundred bytes. Cost: one pass
/// over the columns.
class ColumnStates {
 public:
  void add(const RolloutRecord& rollout);
  [[nodiscard]] std::int64_t rollouts() const noexcept { return rollouts_; }
  [[nodiscard]] ColumnStats operator[](Column column) const;

  /// A log-probability column from which numbers may be derived. A constant one counts as not
  /// recorded (N38): a service that has no log-probabilities writes zeros.
  [[nodiscard]] bool usable(Column column) const {
    return (*this)[column].state == ColumnState::recorded;
  }

 private:
  std::array<ColumnStats, 18> stats_{};
  std::int64_t rollouts_ = 0;
};

}  // namespace gammascope::io

namespace gammascope {
template <>
struct EnumName<io::ColumnState> {
  static constexpr std::array<std::string_view, 3> names{"not recorded", "constant", "recorded"};
};
template <>
struct EnumName<io::Column> {
  static constexpr std::array<std::string_view, 18> names{"student_logprob",
                                                          "teacher_logprob",
                                                          "rollout_logprob",
                                                          "ref_logprob",
                                                          "entropy",
                                                          "prefix_kl",
                                                          "advantage",
                                                          "score_sketch",
                                                          "token_id",
                                                          "mask",
                                                          "turn",
                                                          "topk",
                                                          "prompt_id",
                                                          "sample_id",
                                                          "step",
                                                          "reward",
                                                          "finish_reason",
                                                          "weight_version"};
};
}  // namespace gammascope
