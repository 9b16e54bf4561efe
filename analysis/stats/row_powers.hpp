// SPDX-License-Identifier: MIT
// Third and fourth powers of the rows of a cell, beside its cluster sums.
#pragma once

#include <span>

#include "analysis/stats/cluster_sums.hpp"

namespace gammascope::stats {

/// Over all rows of the cell, about the same origin a0 as its ClusterSums.
struct RowPowers {
  double s3 = 0;  ///< sum (a - a0)^3, nats^3
  double s4 = 0;  ///< sum (a - a0)^4, nats^4
};

/// sum (a - mu)^4 about the mean of all rows, nats^4, not below 0. The origin should be near the
/// mean: the shift is exact algebra in double.
[[nodiscard]] double fourth_power_about_mean(std::span<const ClusterSums> clusters,
                                             const RowPowers& powers);

}  // namespace gammascope::stats
