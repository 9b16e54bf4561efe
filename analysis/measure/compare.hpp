// SPDX-License-Identifier: MIT
// Two measurements, cell by cell: ratio of the variances and difference of the means, jointly over
// shared prompts (HJS2 on log theta_two - log theta_one, calibration 7; the jackknife with the same
// rule for means) or as strangers (MOVER, calibration 6.2; Welch).
// Tests: tests/analysis/measure/test_compare.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/measure/change.hpp"
#include "analysis/measure/sweep.hpp"

namespace gammascope::measure {

/// What is one cluster of both measurements.
enum class Pairs : std::uint8_t {
  none,    ///< the two share no prompt that counts
  groups,  ///< groups of prompts with the same hash prefix: any number of prompts
  prompts  ///< the prompts that both kept; others are left out (needs complete PromptSamples)
};

/// Variance and mean of one cell that both plans have. Means are weighted as the plans say (row or
/// response). Cost: some 50 us.
/// @throws std::out_of_range if a plan has no such cell; std::invalid_argument for Pairs::prompts
///   with incomplete samples
[[nodiscard]] std::vector<Change> changes_of(const Sweep& one,
                                             const Sweep& two,
                                             const CellSpec& cell,
                                             Pairs pairs);

}  // namespace gammascope::measure
