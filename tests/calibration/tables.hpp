// SPDX-License-Identifier: MIT
// The tables of docs/calibration.md, each with its gates.
#pragma once

#include <vector>

#include "tests/calibration/laws.hpp"
#include "tests/calibration/run.hpp"

namespace gammascope::calibration {

/// HJS limits of a variance: every law, 16 to 512 prompts, and 5 to 12 of them.
[[nodiscard]] Table variance_table(const std::vector<Law>& laws, const Run& run);
/// Second moment (rows moved by one standard deviation) and mean.
[[nodiscard]] Table moments_table(const std::vector<Law>& laws, const Run& run);
/// The upper limit under an assumed kurtosis of 9.
[[nodiscard]] Table kurtosis_table(const std::vector<Law>& laws, const Run& run);
/// HJS2: two discounts on one log, growth exponent.
[[nodiscard]] Table hjs2_table(const Pools& pools, const Run& run);
/// Autocovariance and the variance it implies, against an AR(1) process.
[[nodiscard]] Table autocovariance_table(const Run& run);
/// MOVER: two logs.
[[nodiscard]] Table mover_table(const std::vector<Law>& laws, const Run& run);
/// 25 cells at once: Holm and min-p.
[[nodiscard]] Table multiplicity_table(const Pools& pools, const Run& run);
/// Planted effects of the detectable size, and comparisons of a law with itself.
[[nodiscard]] Table power_table(const std::vector<Law>& laws, const Run& run);
/// Claims from responses to words: regressions of the size said beforehand, unchanged logs.
[[nodiscard]] Table claims_table(const Run& run);
/// The e-process over 300 training steps.
[[nodiscard]] Table watch_table(const std::vector<Law>& laws, const Run& run);

}  // namespace gammascope::calibration
