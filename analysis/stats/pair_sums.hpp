// SPDX-License-Identifier: MIT
// Sums over clusters from which the pair estimate of the variance follows, with all clusters or
// without one of them (calibration 2). Tests: tests/analysis/stats/test_hjs.cpp, test_hjs2.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "analysis/stats/cluster_sums.hpp"

namespace gammascope::stats {

/// Of the clusters that have rows; s1, s2 nats, nats^2 about the clusters' common origin.
struct PairSums {
  std::int64_t clusters = 0;
  double rows = 0;        ///< sum m_i
  double rows2 = 0;       ///< sum m_i^2
  double t1 = 0, t2 = 0;  ///< sum s1_i, sum s2_i
  double rows_s2 = 0;     ///< sum m_i s2_i
  double s1_squared = 0;  ///< sum s1_i^2

  PairSums() = default;
  /// Cost: O(clusters)
  explicit PairSums(std::span<const ClusterSums> all) {
    for (const ClusterSums& c : all) {
      if (!(c.rows > 0)) continue;
      ++clusters;
      rows += c.rows;
      rows2 += c.rows * c.rows;
      t1 += c.s1;
      t2 += c.s2;
      rows_s2 += c.rows * c.s2;
      s1_squared += c.s1 * c.s1;
    }
  }

  /// Without one of the clusters.
  [[nodiscard]] PairSums without(const ClusterSums& c) const {
    PairSums left = *this;
    --left.clusters;
    left.rows -= c.rows;
    left.rows2 -= c.rows * c.rows;
    left.t1 -= c.s1;
    left.t2 -= c.s2;
    left.rows_s2 -= c.rows * c.s2;
    left.s1_squared -= c.s1 * c.s1;
    return left;
  }

  /// Mean of (a - b)^2 / 2 over all pairs of rows from two clusters, nats^2; not below 0, which
  /// rounding could bring. Needs two clusters.
  [[nodiscard]] double variance() const {
    return std::max(0.0, (rows * t2 - rows_s2 - t1 * t1 + s1_squared) / (rows * rows - rows2));
  }
};

}  // namespace gammascope::stats
