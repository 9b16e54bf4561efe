// SPDX-License-Identifier: MIT
// How much memory `exact` will take, before it takes any. Tests: tests/analysis/cli/test_exact.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/cli/options.hpp"
#include "analysis/measure/cell.hpp"

namespace gammascope::cli {

struct ExactSize {
  std::size_t states = 1, vocabulary = 1, gammas = 1;
  std::int64_t max_length = 1;
  bool gradient = false;
};

/// Bytes, from above and within a factor of about two: token facts and, for each place of --at, a
/// distribution over states and its cells; the largest horizon holds one vector of states a token.
[[nodiscard]] double exact_bytes(const ExactSize& size, const CellOptions& cells);

/// Memory that this process may have: the machine's, or less where a limit is set (ulimit -v).
[[nodiscard]] double memory_bytes();

/// "1.5 GiB"
[[nodiscard]] std::string bytes_text(double bytes);

}  // namespace gammascope::cli
