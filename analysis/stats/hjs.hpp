// SPDX-License-Identifier: MIT
// HJS: limits for a variance or a second moment from clustered rows. Hall's cubic transformation,
// jackknife scale, Satterthwaite degrees of freedom (ours; calibration 2). Closed form, no
// resampling, no seed. And limits for a mean: cluster-robust standard error, Student's t.
// Tests: tests/analysis/stats/test_hjs.cpp (golden vector), coverage:
// tests/analysis/measure/test_coverage.cpp
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "analysis/core/enum_name.hpp"
#include "analysis/stats/cluster_sums.hpp"

namespace gammascope::stats {

/// Two-sided limits, each side at (1 - confidence) / 2.
struct Limits {
  double lower = 0, upper = 0;
};

/// Whether limits can be had, and if not, why.
enum class Availability : std::uint8_t {
  available,
  degenerate,        ///< the value is 0: every row is the same
  too_few_clusters,  ///< fewer than 5
  proportional,      ///< the standard error is 0 while the value is not: exactly proportional data
  one_cluster,       ///< one cluster carries more than 75 % of the value
  off_centre,        ///< rows further from their origin than 1e6 standard deviations: shift first
};

/// A sentence for a person; empty for `available`. "prompts" is the word for clusters.
[[nodiscard]] std::string sentence(Availability why, std::int64_t clusters);

/// A variance or second moment with all that limits at any confidence and p-values against any
/// bound need. Units of `value`: nats^2; scale, skewness and the like are pure numbers.
struct HjsFit {
  std::optional<double> value;  ///< theta; absent when fewer than two clusters (variance), or none
  Availability availability = Availability::too_few_clusters;
  std::int64_t clusters = 0;      ///< G, with at least one row
  double rows = 0;                ///< M
  double se = 0;                  ///< cluster-robust (CR1) standard error, nats^2
  double relative_se = 0;         ///< c = se / theta
  double jackknife_scale = 0;     ///< sJ, of log theta
  double scale = 0;               ///< s = max(c, min(sJ, 3))
  double skewness = 0;            ///< g
  double effective_clusters = 0;  ///< neff: clusters that carry the standard error
  double share = 0;               ///< the largest part of theta that one cluster carries
  double df_lower = 0, df_upper = 0;
  double skewness_lower = 0, skewness_upper = 0;  ///< g_lo, g_up

  [[nodiscard]] bool has_limits() const noexcept { return availability == Availability::available; }

  /// One-sided lower (upper) limit at this error level, in (0, 1); nats^2. Absent unless
  /// has_limits(). @throws std::domain_error if error is not in (0, 1)
  [[nodiscard]] std::optional<double> lower_limit(double error) const;
  [[nodiscard]] std::optional<double> upper_limit(double error) const;

  /// Two-sided; absent unless has_limits(). @throws std::domain_error if confidence is not in (0,
  /// 1)
  [[nodiscard]] std::optional<Limits> limits(double confidence) const;

  /// One-sided p-value for H0: theta >= bound (small: shown below it), consistent with
  /// upper_limit(). 1 unless has_limits(), degenerate included: nothing was shown. bound >= 0,
  /// nats^2.
  [[nodiscard]] double p_pass(double bound) const;
  /// One-sided p-value for H0: theta <= bound (small: shown above it), consistent with
  /// lower_limit().
  [[nodiscard]] double p_fail(double bound) const;

  /// The fit to expect from k times as many clusters of the same law: the scale shrinks like
  /// 1/sqrt(k).
  [[nodiscard]] HjsFit with_clusters_times(double k) const;
};

/// Variance: theta = mean of (a - b)^2 / 2 over all pairs of rows from different clusters
/// (unbiased under clustering). Sums about one origin near the mean; clusters without rows are
/// skipped. Cost O(G), some 5 us at 512 clusters. Source: calibration 2.
[[nodiscard]] HjsFit hjs_variance(std::span<const ClusterSums> clusters);

/// Second moment about the origin: theta = sum s2 / M, same rule. The origin of the sums must be 0
/// nats.
[[nodiscard]] HjsFit hjs_second_moment(std::span<const ClusterSums> clusters);

/// A mean with its cluster-robust standard error. Source: calibration 2, last paragraph but one.
struct MeanFit {
  std::optional<double> value;  ///< nats, origin of the sums added back; absent without rows
  Availability availability = Availability::too_few_clusters;
  std::int64_t clusters = 0;
  double rows = 0;
  double se = 0;                  ///< CR1, nats
  double effective_clusters = 0;  ///< neff
  double df = 0;                  ///< G - 1

  /// Two-sided Student limits, nats; absent unless available.
  /// @throws std::domain_error if confidence is not in (0, 1)
  [[nodiscard]] std::optional<Limits> limits(double confidence) const;
};

/// @param origin a0 of the sums, nats
[[nodiscard]] MeanFit cluster_mean(std::span<const ClusterSums> clusters, double origin);

}  // namespace gammascope::stats

namespace gammascope {
template <>
struct EnumName<stats::Availability> {
  static constexpr std::array<std::string_view, 6> names{
      "available", "degenerate", "too_few_clusters", "proportional", "one_cluster", "off_centre"};
};
}  // namespace gammascope
