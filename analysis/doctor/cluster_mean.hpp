// SPDX-License-Identifier: MIT
// The mean of a per-token number with both of its standard errors: tokens as the sample (right only
// for testing a martingale difference under its null, theory 5.8), and prompts as clusters (right
// for limits). Sums are exact, so the order of the tokens does not show. Memory: at most 4096
// clusters of 600 bytes; above, prompts that share a hash prefix are one cluster (coarser clusters
// stay valid). Tests: tests/analysis/doctor/test_cluster_mean.cpp
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include "analysis/stats/exact_sum.hpp"

namespace gammascope::doctor {

class ClusterMean {
 public:
  /// @param origin a number near the mean, where rounding matters: the value under the identity
  explicit ClusterMean(double origin) : origin_(origin) {}

  /// @param deviation the number less the origin, formed by whoever can do so without cancellation
  void add(std::uint64_t prompt_hash, double deviation);
  [[nodiscard]] std::int64_t count() const noexcept { return n_; }
  [[nodiscard]] std::int64_t clusters() const noexcept {
    return static_cast<std::int64_t>(sums_.size());
  }
  /// NaN without numbers, or when one was not finite.
  [[nodiscard]] double mean() const noexcept;
  [[nodiscard]] bool constant() const noexcept { return least_ == most_; }
  /// Of the mean, tokens as the sample; absent below two tokens; not finite when squares overflow.
  [[nodiscard]] std::optional<double> token_error() const;
  /// Of the mean, prompts as clusters (ratio estimator, factor G/(G-1)); absent below two clusters.
  [[nodiscard]] std::optional<double> cluster_error() const;

 private:
  struct Sum {
    stats::ExactSum x;
    std::int64_t n = 0;
  };
  [[nodiscard]] double mean_deviation() const noexcept {
    return all_.value() / static_cast<double>(n_);
  }

  double origin_;
  std::int64_t n_ = 0;
  stats::ExactSum all_, squares_;  // of deviations
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
  int bits_ = 64;
  std::map<std::uint64_t, Sum> sums_;
};

}  // namespace gammascope::doctor
