// SPDX-License-Identifier: MIT
// What limits are made of: the first two power sums of each cluster (prompt, or group of prompts).
#pragma once

#include <span>
#include <vector>

namespace gammascope::stats {

/// Sums over the rows a_ij of cluster i, all of them about one common origin a0 (nats).
struct ClusterSums {
  double rows = 0;  ///< m_i
  double s1 = 0;    ///< sum_j (a_ij - a0), nats
  double s2 = 0;    ///< sum_j (a_ij - a0)^2, nats^2
  friend bool operator==(const ClusterSums&, const ClusterSums&) = default;
};

}  // namespace gammascope::stats
