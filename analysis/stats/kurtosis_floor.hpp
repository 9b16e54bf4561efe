// SPDX-License-Identifier: MIT
// An upper limit under an assumption that the user states: the kurtosis of a row is at least
// kappa0. A sample that missed its large values looks clean, and no diagnostic of that sample can
// tell; an assumption can (calibration 4.4). `check` adds `robust` to a pass that holds here too.
// Tests: tests/analysis/stats/test_kurtosis_floor.cpp
#pragma once

#include <optional>
#include <span>

#include "analysis/stats/cluster_sums.hpp"
#include "analysis/stats/hjs.hpp"
#include "analysis/stats/row_powers.hpp"

namespace gammascope::stats {

/// The kurtosis of Student's t with 5 degrees of freedom.
inline constexpr double default_kurtosis_floor = 9.0;

/// The upper side of a variance's fit with its scale not below what the floor implies.
class KurtosisFloor {
 public:
  /// @param fit hjs_variance(clusters)
  /// @param clusters sums about an origin near the mean; `powers` about the same origin
  /// @param kappa0 assumed kurtosis E(a-mu)^4 / Var^2, at least 1
  /// @throws std::domain_error if kappa0 < 1
  KurtosisFloor(const HjsFit& fit,
                std::span<const ClusterSums> clusters,
                const RowPowers& powers,
                double kappa0 = default_kurtosis_floor);

  /// deff = sum u_i^2 / sum_rows ((a - mu)^2 - theta)^2: what clustering does to the variance of
  /// theta; 1 when the rows carry no spread.
  [[nodiscard]] double design_effect() const noexcept { return design_effect_; }
  /// s_up = max(s, sqrt(max(deff, 1) (kappa0 - 1) / M))
  [[nodiscard]] double scale() const noexcept { return fit_.scale; }

  /// As HjsFit::upper_limit and p_pass, never more favourable than those.
  [[nodiscard]] std::optional<double> upper_limit(double error) const {
    return fit_.upper_limit(error);
  }
  [[nodiscard]] double p_pass(double bound) const { return fit_.p_pass(bound); }

 private:
  HjsFit fit_;
  double design_effect_ = 1;
};

}  // namespace gammascope::stats
