// SPDX-License-Identifier: MIT
// Rule `repeated_rows`: the same (step, prompt_id, sample_id) twice is data counted twice (cases
// B23, N29): a resumed run, a file given twice, copies that fill a last batch. Only responses with
// a sample_id can be told apart from honest siblings. Memory: at most 2^20 keys of 8 bytes; beyond,
// later responses are not looked at, and the finding says so. Tests:
// tests/analysis/doctor/test_repeated_rows.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>

#include "analysis/core/rollout.hpp"
#include "analysis/doctor/finding.hpp"

namespace gammascope::doctor {

class RepeatedRows {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20;

  void add(const RolloutRecord& rollout);
  [[nodiscard]] std::int64_t repeated() const noexcept { return repeated_; }
  [[nodiscard]] std::optional<Finding> finding() const;

 private:
  std::unordered_set<std::uint64_t> seen_;
  std::int64_t repeated_ = 0, looked_at_ = 0, passed_over_ = 0;
};

}  // namespace gammascope::doctor
