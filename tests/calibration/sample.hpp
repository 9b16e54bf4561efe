// SPDX-License-Identifier: MIT
// Logs drawn from a law, as the sums that limits are made of.
#pragma once

#include <vector>

#include "analysis/stats/cluster_sums.hpp"
#include "analysis/stats/hjs.hpp"
#include "analysis/stats/row_powers.hpp"
#include "tests/calibration/laws.hpp"

namespace gammascope::calibration {

/// Adds rows times `scale` plus `shift`, as prompts of their own if the fault says so.
class Sample {
 public:
  explicit Sample(Fault fault = Fault::none) : apart_(fault == Fault::rows_as_prompts) {}

  /// `prompts` prompts, replacing what was there. Sums about scale * law.mean + shift - `off`, the
  /// distance `off` of the origin from the true mean being what a second moment is about.
  void draw(const Law& law, std::size_t prompts, Draw& random, double scale = 1, double off = 0) {
    sums_.clear();
    powers_ = {};
    for (std::size_t i = 0; i < prompts; ++i) {
      law.draw(random, rows_);
      stats::ClusterSums c;
      for (const double row : rows_) {
        const double a = scale * (row - law.mean) + off;
        c.rows += 1;
        c.s1 += a;
        c.s2 += a * a;
        powers_.s3 += a * a * a;
        powers_.s4 += a * a * a * a;
        if (apart_) {
          sums_.push_back(c);
          c = {};
        }
      }
      if (!apart_) sums_.push_back(c);
    }
  }
  [[nodiscard]] const std::vector<stats::ClusterSums>& sums() const { return sums_; }
  [[nodiscard]] const stats::RowPowers& powers() const { return powers_; }

 private:
  bool apart_;
  std::vector<double> rows_;
  std::vector<stats::ClusterSums> sums_;
  stats::RowPowers powers_;
};

/// 95 % limits, or those of a planted fault.
[[nodiscard]] inline std::optional<stats::Limits> limits_of(stats::HjsFit fit, Fault fault) {
  if (fit.has_limits() && fault == Fault::no_floor) {
    fit.skewness_lower = fit.skewness;
    fit.skewness_upper = fit.skewness * (1 + 1 / fit.effective_clusters);
  }
  if (fit.has_limits() && fault == Fault::normal_quantile)
    return stats::Limits{*fit.value - 1.96 * fit.se, *fit.value + 1.96 * fit.se};
  return fit.limits(0.95);
}

}  // namespace gammascope::calibration
