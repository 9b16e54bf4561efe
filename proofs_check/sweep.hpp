// SPDX-License-Identifier: MIT
// Deciding one question over a numbered domain on several threads. The answer, the first
// counterexample included, depends neither on their number nor on their order.
// Tests: tests/proofs_check/test_sweep.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "proofs_check/claim.hpp"

namespace gammascope::proofs {

/// Which members of a domain are looked at: all, or `take` of them spread over all of it.
struct Sample {
  std::uint64_t size = 0;  ///< members of the domain
  std::uint64_t take = 0;  ///< <= size

  /// All of them, or in a quick run at most `quick`.
  [[nodiscard]] static Sample of(const Run& run, std::uint64_t size, std::uint64_t quick);
  /// The i-th member looked at, i < take: i times a fixed stride modulo size, each at most once.
  [[nodiscard]] std::uint64_t member(std::uint64_t i) const noexcept;
  /// "all 303750" or "1500 of 303750, evenly spread".
  [[nodiscard]] std::string text() const;
};

/// One member: how many cases it held, or the counterexample in full.
struct Verdict {
  std::uint64_t cases = 0;
  std::optional<std::string> counterexample;
};

/// Adds the verdicts on all members to `outcome`; stops early at a counterexample, and reports the
/// one that comes first in the order of the sample. `decide` is called from several threads.
/// @throws whatever decide or run.progress throws
void sweep(const Run& run,
           const Sample& sample,
           const std::function<Verdict(std::uint64_t member)>& decide,
           Outcome& outcome);

}  // namespace gammascope::proofs
