// SPDX-License-Identifier: MIT
// How many prompts and rollouts per prompt reach a wanted half-width of a variance: the variance of
// theta_hat is (B + W / m) / G, with B and W the between- and within-prompt variance of (a - mu)^2
// (ours). Tests: tests/analysis/stats/test_half_width_plan.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "analysis/stats/cluster_sums.hpp"
#include "analysis/stats/row_powers.hpp"

namespace gammascope::stats {

/// Components of the variance of v = (a - mu)^2, by the one-way analysis of variance.
struct SquareSpread {
  double theta = 0;    ///< nats^2: the mean of v
  double between = 0;  ///< B, nats^4, not below 0
  double within = 0;   ///< W, nats^4, not below 0
};

/// Sums and powers about one origin near the mean. Absent with fewer than two clusters, without a
/// cluster of two rows (B and W cannot be told apart), or when theta is 0. Cost O(G).
[[nodiscard]] std::optional<SquareSpread> square_spread(std::span<const ClusterSums> clusters,
                                                        const RowPowers& powers);

/// Half-width of the two-sided interval relative to theta: t_(G-1) sqrt((B + W/m) / G) / theta.
/// prompts >= 2, rollouts per prompt >= 1.
/// @throws std::domain_error otherwise, or if confidence is not in (0, 1)
[[nodiscard]] double planned_half_width(const SquareSpread& spread,
                                        std::int64_t prompts,
                                        double rollouts,
                                        double confidence);

/// Fewest prompts with planned_half_width <= `half_width` (relative, 0.1 for 10 %) at `rollouts` a
/// prompt; absent above 1e9.
/// @throws std::domain_error unless half_width > 0, rollouts >= 1, confidence in (0, 1)
[[nodiscard]] std::optional<std::int64_t> prompts_for_half_width(const SquareSpread& spread,
                                                                 double half_width,
                                                                 double rollouts,
                                                                 double confidence);

}  // namespace gammascope::stats
