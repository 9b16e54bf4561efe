// SPDX-License-Identifier: MIT
// Autocovariance of the log-ratio, lag by lag, over responses of any length, in exact sums; and the
// variance of the credit that it implies (theory 3d). Tests:
// tests/analysis/stats/test_autocovariance.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/stats/exact_moments.hpp"
#include "analysis/stats/hjs2.hpp"

namespace gammascope::stats {

/// Over the pairs (x_t, x_(t+k)) that lie in one response: their number and sums on the grid of
/// ExactMoments, for lags 0 <= k < lags. A pair exists only where both tokens do, so short
/// responses simply add to fewer lags. One of these per prompt (or group of prompts) gives limits.
/// Adding and merging in any order gives the same bits. 56 bytes a lag.
class ExactAutocovariance {
 public:
  /// @throws std::invalid_argument if lags is 0
  explicit ExactAutocovariance(std::size_t lags);

  /// One response, sampled tokens only, nats. Cost O(length * lags), about 1 ns each.
  /// @throws std::range_error if a value is not finite or above 2^20 nats, or a sum would overflow
  ///   (2^22 pairs of the largest size); the state is then unchanged
  void add(std::span<const double> x);
  /// @throws std::invalid_argument if lags differ; std::range_error if a sum would overflow
  void merge(const ExactAutocovariance& other);

  [[nodiscard]] std::size_t lags() const noexcept { return lag_.size(); }
  /// Pairs at this lag; lag < lags().
  [[nodiscard]] std::int64_t count(std::size_t lag) const { return lag_.at(lag).n; }

  /// Sums at a lag about the grid point k0 (x and y alike), shifted in integers.
  struct Sums {
    double pairs = 0, sx = 0, sy = 0;  ///< sx, sy in nats
    double sxy = 0;                    ///< nats^2
  };
  [[nodiscard]] Sums about(std::size_t lag, std::int64_t k0) const;

  /// n and sum of the tokens themselves (lag 0), on the grid: for a common origin.
  [[nodiscard]] std::int64_t centre() const noexcept;

  friend bool operator==(const ExactAutocovariance&, const ExactAutocovariance&) = default;

 private:
  struct Lag {
    Int128 xy = 0, x = 0, y = 0;
    std::int64_t n = 0;
    friend bool operator==(const Lag&, const Lag&) = default;
  };
  std::vector<Lag> lag_;
};

/// Cov(X_t, X_(t+k)) in nats^2 for every lag, by the mean of (x - x')(y - y') / 2 over pairs of
/// pairs from different clusters (unbiased under clustering, as hjs_variance), and each value
/// without one cluster. At lag 0 it is the variance of a token.
struct AutocovarianceFit {
  std::vector<double> value;                 ///< by lag; as far as three clusters have pairs
  std::vector<std::vector<double>> without;  ///< [cluster][lag]; value without pairs
  std::vector<std::int64_t> pairs;           ///< by lag

  std::vector<std::vector<bool>> present;  ///< [cluster][lag]: whether it has pairs there

  /// With limits; @throws std::out_of_range if lag >= value.size()
  [[nodiscard]] SmoothFit at(std::size_t lag) const;
};

/// @param clusters one accumulator per prompt or group of prompts, all with the same lags
/// @throws std::invalid_argument if lags differ
[[nodiscard]] AutocovarianceFit autocovariance(std::span<const ExactAutocovariance> clusters);

/// Var(A) of a sum of N tokens of a stationary log-ratio, sum_(j,k < N) gamma^(j+k) c(|j - k|), and
/// what it is made of.
struct CreditVariance {
  SmoothFit variance;       ///< nats^2, limits by the jackknife over clusters
  double uncorrelated = 0;  ///< c(0) geo(gamma^2, N): what it would be without correlation, nats^2
  double correlation_share = 0;  ///< 1 - uncorrelated / variance; negative: correlation lowers it
  /// The effective credit horizon: the fewest tokens n such that every sum of n to N tokens already
  /// has 95 % of the variance.
  std::int64_t effective_horizon = 0;
};

/// Var for every n = 1..N given c(0..N-1), by the recursion that adds the terms with max(j, k) = n.
/// Cost O(N). Source: theory 3d. @param gamma in [0, 1]
[[nodiscard]] std::vector<double> credit_variances(std::span<const double> autocovariance,
                                                   double gamma);

/// Absent when N exceeds the lags that have a value, or the variance is not positive.
[[nodiscard]] std::optional<CreditVariance> credit_variance(const AutocovarianceFit& fit,
                                                            double gamma,
                                                            std::size_t n);

}  // namespace gammascope::stats
