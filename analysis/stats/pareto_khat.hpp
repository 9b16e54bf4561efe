// SPDX-License-Identifier: MIT
// The tail index that PSIS calls k-hat, here of the prompts' second moments: above 1/2 the fourth
// moment of A is infinite and no root-n limit exists (calibration 4.1). Fit: Zhang & Stephens 2009
// (Technometrics 51, 316-325) with the prior and tail size of Vehtari et al., "Pareto smoothed
// importance sampling" (JMLR 25, 2024). Tests: tests/analysis/stats/test_pareto_khat.cpp
#pragma once

#include <optional>
#include <span>

#include "analysis/stats/cluster_sums.hpp"

namespace gammascope::stats {

/// Shape k of the generalised Pareto law of `excess` (all > 0, any order), without the prior;
/// absent below 5 values. Cost O(n^1.5).
[[nodiscard]] std::optional<double> pareto_shape(std::span<const double> excess);

/// k-hat of the upper tail of `values`: the largest min(n/5, 3 sqrt(n)) of them above the next one,
/// shrunk towards 1/2 with the weight of 10 values. Absent when the tail has fewer than 5 values or
/// the top values tie (two-point laws give a k-hat without meaning).
[[nodiscard]] std::optional<double> pareto_khat(std::span<const double> values);

/// k-hat of s2 / m over the clusters with rows.
[[nodiscard]] std::optional<double> second_moment_khat(std::span<const ClusterSums> clusters);

}  // namespace gammascope::stats
