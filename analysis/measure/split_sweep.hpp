// SPDX-License-Identifier: MIT
// A sweep for each part of the responses: by teacher, domain, step, end, or by turn; and whose
// tokens and whose variance it is (case N12). Mergeable like a sweep.
// Tests: tests/analysis/cli/test_by.cpp
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/core/enum_name.hpp"
#include "analysis/core/rollout.hpp"
#include "analysis/measure/cell.hpp"
#include "analysis/measure/sweep.hpp"

namespace gammascope::measure {

/// --by. `turn`: part k is what follows from the first sampled token of the k-th turn of each
/// response (as numbered in the log), to its end; its tokens are those of that turn alone.
enum class By : std::uint8_t { teacher, domain, turn, step, finish_reason };

/// A value of the field; numbers ascend before words.
struct PartKey {
  bool recorded = false;
  std::int64_t number = 0;
  std::string word;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of the default for a pointer
  friend auto operator<=>(const PartKey&, const PartKey&) = default;
};

struct Part {
  Sweep sweep;
  std::int64_t rows = 0;    ///< responses, or (response, turn) pairs
  std::int64_t tokens = 0;  ///< sampled ones
  friend bool operator==(const Part&, const Part&) = default;
};

class SplitSweep {
 public:
  /// Parts times cells, of which each takes 24 KiB at most.
  static constexpr std::size_t most_cells = std::size_t{1} << 14;

  SplitSweep(Plan plan, By by);

  /// @throws UsageError for more parts than memory is there for; BadData as Sweep::add, and with
  ///   By::turn for a response without turns
  void add(const RolloutRecord& rollout);
  void merge(const SplitSweep& other);

  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
  [[nodiscard]] const std::map<PartKey, Part>& parts() const noexcept { return parts_; }
  /// "domain=math", "step=12", "teacher not recorded".
  [[nodiscard]] std::string name_of(const PartKey& key) const;

 private:
  Part& part(const PartKey& key);
  void add_turns(const RolloutRecord& rollout);

  Plan plan_;
  By by_;
  std::map<PartKey, Part> parts_;
};

/// tokens and token_share of each part, as they were counted.
[[nodiscard]] std::vector<Cell> token_cells(const SplitSweep& split);

/// Mean, variance and second moment of each part in one cell, and variance_share: the part of
/// sum (a - mean of all rows)^2 that its rows make up, so that the shares add up to 1. Limits: HJS2
/// on the log-odds, prompts as the unit (calibration 7).
/// @throws std::out_of_range if the plan has no such cell
[[nodiscard]] std::vector<Cell> part_cells(const SplitSweep& split, std::size_t cell);

}  // namespace gammascope::measure

namespace gammascope {
template <>
struct EnumName<measure::By> {
  static constexpr std::array<std::string_view, 5> names{
      "teacher", "domain", "turn", "step", "finish_reason"};
};
}  // namespace gammascope
