// SPDX-License-Identifier: MIT
// Rule `repeated_rows`: the same (step, prompt_id, sample_id) twice is data counted twice (cases
// B23, N29): a resumed run, a file given twice, copies that fill a last batch. Only responses with
// a sample_id can be told apart from honest siblings. Memory: at most 2^20 keys of 16 bytes;
// beyond, only keys below a bound that halves are kept, whose responses are a sample that no order
// changes, and the finding says how many were left out. Tests:
// tests/analysis/doctor/test_repeated_rows.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "analysis/core/rollout.hpp"
#include "analysis/doctor/finding.hpp"

namespace gammascope::doctor {

class RepeatedRows {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20;

  void add(const RolloutRecord& rollout);
  [[nodiscard]] std::int64_t repeated() const noexcept;
  [[nodiscard]] std::optional<Finding> finding() const;

 private:
  std::unordered_map<std::uint64_t, std::int64_t> seen_;  // key -> responses
  std::uint64_t bound_ = ~std::uint64_t{0};               // keys above it are not kept
  std::int64_t with_key_ = 0;
};

}  // namespace gammascope::doctor
