// SPDX-License-Identifier: MIT
// A name for what is in a log: a hash of the *set* of its responses, so that order, shards, packing
// and format change nothing. It tells a log from the baseline it is held against, and a shard from
// one that was counted already. Tests: tests/analysis/io/test_log_hash.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/core/rollout.hpp"

namespace gammascope::io {

/// The sum modulo 2^128 of XXH3-128 over each response: the hash of its prompt_id, T, student and
/// teacher log-probs of sampled tokens (float32), mask, turn, finish and step. Other columns
/// (reward, text, advantages, …) do not enter: a log with its advantages added is the same log. The
/// same response twice counts twice.
class LogHash {
 public:
  /// Cost: some 0.3 ns a byte.
  void add(const RolloutRecord& rollout);
  void merge(const LogHash& other) noexcept;

  [[nodiscard]] std::uint64_t low() const noexcept { return low_; }
  [[nodiscard]] std::uint64_t high() const noexcept { return high_; }
  [[nodiscard]] std::uint64_t responses() const noexcept { return responses_; }
  /// 32 hexadecimal digits, high half first; empty without a response.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const LogHash& a, const LogHash& b) noexcept {
    return a.low_ == b.low_ && a.high_ == b.high_ && a.responses_ == b.responses_;
  }

 private:
  std::uint64_t low_ = 0, high_ = 0, responses_ = 0;
  std::vector<std::byte> bytes_;  ///< scratch
  std::vector<float> numbers_;
};

}  // namespace gammascope::io
