// SPDX-License-Identifier: MIT
// How many prompts would probably settle a claim, from the spread that was measured. Tests:
// tests/analysis/stats/test_prompts_needed.cpp
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/stats/hjs.hpp"
#include "analysis/stats/hjs2.hpp"

namespace gammascope::stats {

/// The smallest number of prompts of the same law at which theta would be shown to be on its side
/// of `bound` at one-sided error `level`, with probability about 80 %, if theta is what was
/// measured: the p-value is that of the fit with_clusters_times(k), its estimate moved by .84
/// standard errors towards the bound. Absent without limits, at theta = bound, and above 1e9
/// prompts. Never below the number there is.
/// @param prompts_per_cluster where clusters are groups of prompts: how many prompts one stands for
/// @throws std::domain_error unless bound > 0, level in (0, 1) and prompts_per_cluster >= 1
[[nodiscard]] std::optional<std::int64_t> prompts_needed(const HjsFit& fit,
                                                         double bound,
                                                         double level,
                                                         double prompts_per_cluster = 1);

/// The same for theta_1 against factor * theta_2 by MOVER; the answer counts the prompts of both.
[[nodiscard]] std::optional<std::int64_t> prompts_needed(const HjsFit& one,
                                                         const HjsFit& two,
                                                         double factor,
                                                         double level,
                                                         double prompts_per_cluster = 1);

/// The same for a mean, a growth exponent or a log of a ratio, against any bound; and for L_one
/// against L_two + shift.
[[nodiscard]] std::optional<std::int64_t> prompts_needed(const SmoothFit& fit,
                                                         double bound,
                                                         double level,
                                                         double prompts_per_cluster = 1);
[[nodiscard]] std::optional<std::int64_t> prompts_needed(const SmoothFit& one,
                                                         const SmoothFit& two,
                                                         double shift,
                                                         double level,
                                                         double prompts_per_cluster = 1);

}  // namespace gammascope::stats
