// SPDX-License-Identifier: MIT
#include "analysis/stats/kurtosis_floor.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/stats/influence.hpp"

namespace gammascope::stats {

KurtosisFloor::KurtosisFloor(const HjsFit& fit,
                             std::span<const ClusterSums> clusters,
                             const RowPowers& powers,
                             double kappa0)
    : fit_(fit) {
  if (!(kappa0 >= 1.0)) throw std::domain_error("a kurtosis is at least 1");
  if (!fit.has_limits()) return;
  double u2 = 0;
  for (const double u : variance_influence(clusters)) u2 += u * u;
  double m = 0, t1 = 0, t2 = 0;
  for (const ClusterSums& c : clusters) {
    m += c.rows;
    t1 += c.s1;
    t2 += c.s2;
  }
  const double theta = *fit.value, about_mean = t2 - t1 * t1 / m;
  // sum (v - theta)^2 with v = (a - mu)^2
  const double rows =
      fourth_power_about_mean(clusters, powers) - theta * (2.0 * about_mean - m * theta);
  if (rows > 0) design_effect_ = u2 / rows;
  fit_.scale =
      std::max(fit.scale, std::sqrt(std::max(design_effect_, 1.0) * (kappa0 - 1.0) / fit.rows));
  fit_.skewness_upper = std::max(fit.skewness_upper, 2.0 * fit_.scale);
}

}  // namespace gammascope::stats
