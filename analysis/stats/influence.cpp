// SPDX-License-Identifier: MIT
#include "analysis/stats/influence.hpp"

namespace gammascope::stats {
namespace {

struct Totals {
  double rows = 0, t1 = 0, t2 = 0;
};

Totals totals(std::span<const ClusterSums> clusters) {
  Totals t;
  for (const ClusterSums& c : clusters) {
    t.rows += c.rows;
    t.t1 += c.s1;
    t.t2 += c.s2;
  }
  return t;
}

}  // namespace

std::vector<double> variance_influence(std::span<const ClusterSums> clusters) {
  std::vector<double> u(clusters.size(), 0.0);
  const Totals t = totals(clusters);
  if (!(t.rows > 0)) return u;
  const double mu = t.t1 / t.rows;
  const double each = 2.0 * mu * mu - t.t2 / t.rows;  // mu^2 - thetaV
  for (std::size_t i = 0; i < u.size(); ++i)
    if (clusters[i].rows > 0)
      u[i] = clusters[i].s2 - 2.0 * mu * clusters[i].s1 + clusters[i].rows * each;
  return u;
}

std::vector<double> second_moment_influence(std::span<const ClusterSums> clusters) {
  std::vector<double> u(clusters.size(), 0.0);
  const Totals t = totals(clusters);
  if (!(t.rows > 0)) return u;
  const double theta = t.t2 / t.rows;
  for (std::size_t i = 0; i < u.size(); ++i)
    if (clusters[i].rows > 0) u[i] = clusters[i].s2 - clusters[i].rows * theta;
  return u;
}

}  // namespace gammascope::stats
