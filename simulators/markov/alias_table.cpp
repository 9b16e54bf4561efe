// SPDX-License-Identifier: MIT
#include "simulators/markov/alias_table.hpp"

#include <limits>

namespace gammascope::markov {

std::vector<AliasColumn> alias_columns(std::span<const double> probabilities) {
  const std::size_t n = probabilities.size();
  long double sum = 0;
  for (const double p : probabilities) sum += static_cast<long double>(p);
  std::vector<long double> share(n);  // of a column: 1 is a full one
  std::vector<std::uint32_t> poor, rich;
  for (std::size_t i = 0; i < n; ++i) {
    share[i] = static_cast<long double>(probabilities[i]) / sum * static_cast<long double>(n);
    (share[i] < 1 ? poor : rich).push_back(static_cast<std::uint32_t>(i));
  }
  constexpr std::uint64_t full = std::numeric_limits<std::uint64_t>::max();
  std::vector<AliasColumn> columns(n);
  for (std::size_t i = 0; i < n; ++i) columns[i] = {full, static_cast<std::uint32_t>(i)};
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t small = poor.back(), large = rich.back();
    poor.pop_back();
    columns[small] = {static_cast<std::uint64_t>(share[small] * 0x1p64L), large};
    share[large] -= 1 - share[small];
    if (share[large] < 1) {
      rich.pop_back();
      poor.push_back(large);
    }
  }
  // What is left is full up to rounding: own threshold and own alias.
  return columns;
}

}  // namespace gammascope::markov
