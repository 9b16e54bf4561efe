// SPDX-License-Identifier: MIT
#include "analysis/stats/row_powers.hpp"

#include <algorithm>

namespace gammascope::stats {

double fourth_power_about_mean(std::span<const ClusterSums> clusters, const RowPowers& powers) {
  double m = 0, t1 = 0, t2 = 0;
  for (const ClusterSums& c : clusters) {
    m += c.rows;
    t1 += c.s1;
    t2 += c.s2;
  }
  if (!(m > 0)) return 0.0;
  const double mu = t1 / m;
  return std::max(0.0,
                  powers.s4 - mu * (4.0 * powers.s3 - mu * (6.0 * t2 - mu * (4.0 * t1 - m * mu))));
}

}  // namespace gammascope::stats
