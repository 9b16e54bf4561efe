// SPDX-License-Identifier: MIT
// From sums to numbers with limits, labels and reasons: a sweep's cell becomes rows of result.json
// (results.md; calibration 2, 4). Tests: tests/analysis/measure/test_estimate.cpp, coverage of the
// limits: test_coverage.cpp
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/measure/cell.hpp"
#include "analysis/measure/sweep.hpp"
#include "analysis/stats/hjs.hpp"
#include "analysis/stats/labels.hpp"
#include "analysis/stats/one_way.hpp"

namespace gammascope::measure {

/// The word of a label.
[[nodiscard]] CellStatus status_of(stats::Trust trust);

/// One cell of the plan, estimated. The fits give p-values against bounds; the cells are what is
/// printed.
struct Estimate {
  Cell mean, variance, second_moment;
  stats::HjsFit variance_fit, second_moment_fit;  ///< without limits where the cells have none
  double weight_sum = 0;                          ///< G, for bounds (Sweep::weight_sum)
};

/// Never 0 where there is no number: `not_available` with the reason. A `degenerate` variance (0,
/// or below sd^2 geo(gamma^2, N), sd the noise floor) keeps its value and has no limits. Without
/// prompt ids every response is its own cluster and every label is `unreliable`. Cost some 20 us.
/// @param noise_floor sd of a log-ratio's engine error, nats, used when the plan has none
/// @throws std::out_of_range if the plan has no such cell
[[nodiscard]] Estimate estimate(const Sweep& sweep, std::size_t cell, double noise_floor);

/// Variance (second moment) of the prompts of one half alone, for split-half evidence (theory 5.2):
/// the top bit of the prompt hash says which half. Without limits where the whole cell could have
/// none for a reason of its population (nothing ended, something cut).
[[nodiscard]] stats::HjsFit variance_fit(const Sweep& sweep, std::size_t cell, Half half);
[[nodiscard]] stats::HjsFit second_moment_fit(const Sweep& sweep, std::size_t cell, Half half);

/// How far these fits of one half can be trusted, as the whole is in estimate().
[[nodiscard]] stats::Label variance_label(const Sweep& sweep, std::size_t cell, Half half);
[[nodiscard]] stats::Label second_moment_label(const Sweep& sweep, std::size_t cell, Half half);

/// Between and within prompts, from the 1024 prompts with the smallest hash (all, when there are no
/// more). Absent with fewer than two prompts, without a second row of a prompt, without prompt ids,
/// or when the plan does not keep sums by prompt.
[[nodiscard]] std::optional<stats::OneWay> prompt_split(const Sweep& sweep, std::size_t cell);

/// The split as cells between_prompts and within_prompts; not_available with the reason.
[[nodiscard]] std::vector<Cell> prompt_split_cells(const Sweep& sweep, std::size_t cell);

}  // namespace gammascope::measure
