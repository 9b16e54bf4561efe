// SPDX-License-Identifier: MIT
// Drawing from a finite distribution in constant time, from 64 random bits: Walker's alias method
// with Vose's construction ("A linear algorithm for generating random numbers with a given
// distribution", IEEE TSE 17(9), 1991), thresholds in 64-bit integers.
// Tests: tests/simulators/markov/test_alias_table.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gammascope::markov {

/// One column: an outcome, and another that takes the rest.
struct AliasColumn {
  std::uint64_t threshold;  ///< the column's own outcome is taken below it, of 2^64
  std::uint32_t alias;      ///< the other outcome; the own index in a full column
};

/// The alias columns of a distribution. Each outcome's probability is met within (size + 2) / 2^64
/// plus the rounding of the division by the sum: a few 1e-19.
/// @param probabilities positive, any positive total; fewer than 2^32
/// Cost: O(size)
[[nodiscard]] std::vector<AliasColumn> alias_columns(std::span<const double> probabilities);

/// The outcome, 0-based, of 64 random bits. Precondition: columns not empty.
[[nodiscard]] inline std::uint32_t draw(std::span<const AliasColumn> columns, std::uint64_t bits) {
  __extension__ using Wide = unsigned __int128;
  const Wide scaled = static_cast<Wide>(bits) * columns.size();
  const auto column = static_cast<std::uint32_t>(scaled >> 64);
  const auto rest = static_cast<std::uint64_t>(scaled);
  return rest < columns[column].threshold ? column : columns[column].alias;
}

}  // namespace gammascope::markov
