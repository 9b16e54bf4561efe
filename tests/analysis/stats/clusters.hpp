// SPDX-License-Identifier: MIT
// Rows by cluster, and their power sums, for tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "analysis/stats/cluster_sums.hpp"

namespace gammascope::test {

using Rows = std::vector<std::vector<double>>;  ///< rows[i]: the values of cluster i

[[nodiscard]] inline std::vector<stats::ClusterSums> sums_about(const Rows& rows, double origin) {
  std::vector<stats::ClusterSums> sums;
  for (const auto& cluster : rows) {
    stats::ClusterSums c;
    for (const double a : cluster) {
      c.rows += 1;
      c.s1 += a - origin;
      c.s2 += (a - origin) * (a - origin);
    }
    sums.push_back(c);
  }
  return sums;
}

[[nodiscard]] inline double mean_of(const Rows& rows) {
  double sum = 0, count = 0;
  for (const auto& cluster : rows)
    for (const double a : cluster) {
      sum += a;
      count += 1;
    }
  return sum / count;
}

/// Clusters of 0 to 5 rows: prompt effect + row, normal, around `centre`.
[[nodiscard]] inline Rows random_rows(std::mt19937_64& random,
                                      std::size_t clusters,
                                      double centre = 0) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<std::size_t> size(0, 5);
  Rows rows(clusters);
  for (auto& cluster : rows) {
    const double effect = normal(random);
    cluster.resize(size(random));
    for (double& a : cluster) a = centre + effect + normal(random);
  }
  rows[0] = {centre, centre + 1};  // never all empty
  rows[1] = {centre - 1};
  return rows;
}

}  // namespace gammascope::test
