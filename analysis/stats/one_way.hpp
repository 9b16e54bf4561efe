// SPDX-License-Identifier: MIT
// Between and within prompts: the one-way analysis of variance (Searle, Casella, McCulloch,
// "Variance Components", 1992, section 3.6), and what clustering costs (case B23). Tests:
// tests/analysis/stats/test_one_way.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "analysis/stats/cluster_sums.hpp"

namespace gammascope::stats {

struct OneWay {
  double between = 0;              ///< variance of the prompt effect, nats^2, not below 0
  double within = 0;               ///< variance of rows of one prompt, nats^2
  double intraclass = 0;           ///< rho = between / (between + within)
  double design_effect = 1;        ///< 1 + (sum m^2 / M - 1) rho: prompts' cost in rows
  double se_mean = 0;              ///< of the mean of rows, prompts as the unit (CR1), nats
  double se_mean_independent = 0;  ///< the same if rows were independent, nats
  std::int64_t clusters = 0, rows = 0;
};

/// Sums about an origin near the mean. Absent with fewer than two clusters or no cluster of two
/// rows. All zero but the counts when every row is the same.
[[nodiscard]] std::optional<OneWay> one_way(std::span<const ClusterSums> clusters);

}  // namespace gammascope::stats
