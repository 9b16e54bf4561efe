// SPDX-License-Identifier: MIT
// How the variance of the credit grows with the number of tokens: the slope of log Var against log
// N (1: log-ratios that forget, 2: frozen ones; theory 4), with HJS2 limits, and where it changes.
// Tests: tests/analysis/stats/test_growth_exponent.cpp
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/stats/hjs2.hpp"

namespace gammascope::stats {

/// The slope between two neighbouring horizons of the grid.
struct LocalSlope {
  double n_from = 0, n_to = 0;  ///< tokens
  SmoothFit slope;
};

/// Two slopes that meet at one horizon of the grid: the one whose least-squares fit of log Var is
/// best.
struct SlopeChange {
  double n = 0;             ///< tokens; belongs to both sides
  SmoothFit before, after;  ///< slopes up to n and from n on
  SmoothFit difference;     ///< after - before
  double p_adjusted = 1;    ///< two-sided, Holm over all interior horizons
};

struct GrowthExponent {
  SmoothFit slope;                    ///< ordinary least squares over the whole grid
  std::vector<LocalSlope> local;      ///< one fewer than horizons
  std::optional<SlopeChange> change;  ///< absent below 3 horizons, and when no slope has limits
  /// 0-based: the first horizon whose own neff is at least 5; a fit from there on leaves out those
  /// whose label is tentative (calibration 7). Absent when there is none.
  std::optional<std::size_t> first_trusted;
};

/// @param n horizons in tokens, positive and ascending
/// @param variances log Var at each of them, over the same clusters in the same order
/// Cost O(G K^2), K horizons.
/// @throws std::invalid_argument if sizes differ, there are fewer than two, or n does not ascend
[[nodiscard]] GrowthExponent growth_exponent(std::span<const double> n,
                                             std::span<const JackknifeLog> variances);

}  // namespace gammascope::stats
