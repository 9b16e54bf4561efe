// SPDX-License-Identifier: MIT
// HJS2: limits for a smooth function L of several log variances of one log, from its values without
// one prompt each: two discounts, two logs over shared prompts, a growth exponent, a covariance.
// Hall's cubic transformation on the jackknife scale, Satterthwaite degrees of freedom (ours;
// calibration 7). No resampling, no seed. Tests: tests/analysis/stats/test_hjs2.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/stats/cluster_sums.hpp"
#include "analysis/stats/hjs.hpp"

namespace gammascope::stats {

/// L with all that limits at any confidence need; L and limits in the unit of L.
struct SmoothFit {
  std::optional<double> value;  ///< L; absent when it could not be formed
  /// `proportional`: no prompt changes L, so it is exact as far as this log can say (a frozen
  /// process); report that, not an interval of width 0.
  Availability availability = Availability::too_few_clusters;
  std::int64_t clusters = 0;      ///< G
  double jackknife_scale = 0;     ///< sJ, standard error of L
  double skewness = 0;            ///< g, of -(L without i)
  double effective_clusters = 0;  ///< neff
  double df = 0;
  double skewness_lower = 0, skewness_upper = 0;  ///< g_lo, g_up

  [[nodiscard]] bool has_limits() const noexcept { return availability == Availability::available; }

  /// One-sided limits at this error level; absent unless has_limits().
  /// @throws std::domain_error if error is not in (0, 1)
  [[nodiscard]] std::optional<double> lower_limit(double error) const;
  [[nodiscard]] std::optional<double> upper_limit(double error) const;

  /// Two-sided, each side at (1 - confidence) / 2; absent unless has_limits().
  /// @throws std::domain_error if confidence is not in (0, 1)
  [[nodiscard]] std::optional<Limits> limits(double confidence) const;

  /// One-sided p-values, consistent with the limits; 1 unless has_limits().
  [[nodiscard]] double p_below(double bound) const;  ///< H0: L >= bound
  [[nodiscard]] double p_above(double bound) const;  ///< H0: L <= bound

  /// The fit to expect from k times as many clusters of the same law.
  [[nodiscard]] SmoothFit with_clusters_times(double k) const;
};

/// A mean as such a fit: no skewness, Student's t.
[[nodiscard]] SmoothFit smooth(const MeanFit& mean);

/// The rule itself. `without[i]` is L without prompt i, one entry for each of the G prompts that
/// have a row in any part of L. Cost O(G). Source: calibration 7.
/// @param resolution a jackknife scale at or below this is rounding, and L `proportional`; in the
///   unit of L
[[nodiscard]] SmoothFit hjs2(double value, std::span<const double> without, double resolution = 0);

/// log of a variance and its values without each prompt: the parts that L is made of.
struct JackknifeLog {
  HjsFit fit;                  ///< of the variance itself: limits, share, neff
  double log_value = 0;        ///< log theta; theta in nats^2
  std::vector<double> without; /**< log max(theta_-i, theta/1000), one per cluster given; log theta
                                  for a cluster without rows here */
  std::vector<bool> present;   ///< whether the cluster has rows here
};

/// Absent when there is no positive theta without some cluster to take the log of (fewer than 3
/// clusters with rows, or all rows equal). Sums about an origin near the mean. Cost O(G).
[[nodiscard]] std::optional<JackknifeLog> jackknife_log_variance(
    std::span<const ClusterSums> clusters);

/// L = sum_k weight_k log theta_k. All parts over the same clusters in the same order. Not
/// available where a part (of weight other than 0) is carried by one cluster; a part that is
/// `proportional` is no reason, only L counts.
/// @throws std::invalid_argument if sizes differ or there is no part
[[nodiscard]] SmoothFit hjs2_linear(std::span<const JackknifeLog> parts,
                                    std::span<const double> weight);

/// L = log(theta_two / theta_one): two discounts on one log, or two logs over shared prompts
/// (cluster i is the same prompt in both; leave out the prompts that only one log has).
/// Exponentiate the limits for a ratio. @throws std::invalid_argument if the sizes differ
[[nodiscard]] SmoothFit hjs2_log_ratio(const JackknifeLog& one, const JackknifeLog& two);

}  // namespace gammascope::stats
