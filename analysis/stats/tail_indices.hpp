// SPDX-License-Identifier: MIT
// Tail index of both ends of a sample (credit has a light upper and a heavy lower tail, theory 3e).
// Tests: tests/analysis/stats/test_tail_indices.cpp
#pragma once

#include <optional>
#include <span>

#include "analysis/stats/pareto_khat.hpp"

namespace gammascope::stats {

/// PSIS k-hat of each tail: k > 1/m means an infinite m-th moment on that side. Absent as
/// pareto_khat says (short tail, ties).
struct TailIndices {
  std::optional<double> lower, upper;
};

/// Cost O(n log n). Use one value a prompt, or independent values: dependence makes k-hat noisier.
[[nodiscard]] TailIndices tail_indices(std::span<const double> values);

}  // namespace gammascope::stats
