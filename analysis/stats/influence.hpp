// SPDX-License-Identifier: MIT
// What each prompt adds to the error of an estimate: the columns that the multiplier of min_p.hpp
// works on. Tests: tests/analysis/stats/test_influence.cpp
#pragma once

#include <span>
#include <vector>

#include "analysis/stats/cluster_sums.hpp"

namespace gammascope::stats {

/// u_i = s2_i - 2 mu s1_i + m_i (mu^2 - thetaV), nats^2, sum 0; 0 for a cluster without rows; all 0
/// without any row. theta_hat - theta is about sum u_i / M. Source: calibration 2.
[[nodiscard]] std::vector<double> variance_influence(std::span<const ClusterSums> clusters);

/// u_i = s2_i - m_i T2 / M: the same for a second moment; sums about 0 nats.
[[nodiscard]] std::vector<double> second_moment_influence(std::span<const ClusterSums> clusters);

}  // namespace gammascope::stats
