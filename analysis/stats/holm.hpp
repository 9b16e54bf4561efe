// SPDX-License-Identifier: MIT
// Holm's step-down adjustment: valid under any dependence (calibration 5; Holm 1979, Scand. J.
// Statist. 6, 65-70). Tests: tests/analysis/stats/test_holm.cpp
#pragma once

#include <span>
#include <vector>

namespace gammascope::stats {

/// Adjusted p-values in the order given: reject those at most alpha, and the chance of any false
/// rejection is at most alpha. For claims judged in both directions give all 2K one-sided p-values.
/// Cost O(n log n).
/// @throws std::domain_error if one is not in [0, 1]
[[nodiscard]] std::vector<double> holm_adjusted(std::span<const double> p);

}  // namespace gammascope::stats
