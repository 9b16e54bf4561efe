// SPDX-License-Identifier: MIT
#include "analysis/stats/one_way.hpp"

#include <algorithm>
#include <cmath>

namespace gammascope::stats {

std::optional<OneWay> one_way(std::span<const ClusterSums> clusters) {
  OneWay w;
  double m = 0, m2 = 0, t1 = 0;
  for (const ClusterSums& c : clusters) {
    if (!(c.rows > 0)) continue;
    ++w.clusters;
    m += c.rows;
    m2 += c.rows * c.rows;
    t1 += c.s1;
  }
  const auto g = static_cast<double>(w.clusters);
  if (w.clusters < 2 || !(m > g)) return std::nullopt;
  w.rows = static_cast<std::int64_t>(m);
  const double mean = t1 / m;
  double ss_within = 0, ss_between = 0, u2 = 0;
  for (const ClusterSums& c : clusters) {
    if (!(c.rows > 0)) continue;
    const double u = c.s1 - c.rows * mean;
    ss_within += std::max(0.0, c.s2 - c.s1 * c.s1 / c.rows);
    ss_between += u * u / c.rows;
    u2 += u * u;
  }
  const double ms_within = ss_within / (m - g), ms_between = ss_between / (g - 1.0);
  const double m0 = (m - m2 / m) / (g - 1.0);  // rows a cluster, were they equal
  w.within = ms_within;
  w.between = std::max(0.0, (ms_between - ms_within) / m0);
  const double all = w.within + w.between;
  w.intraclass = all > 0 ? w.between / all : 0.0;
  w.design_effect = 1.0 + (m2 / m - 1.0) * w.intraclass;
  w.se_mean = std::sqrt(g / (g - 1.0) * u2) / m;
  w.se_mean_independent = std::sqrt(all / m);
  return w;
}

}  // namespace gammascope::stats
