// SPDX-License-Identifier: MIT
// The mean of a per-token number with both of its standard errors: tokens as the sample (right only
// for testing a martingale difference under its null, theory 5.8), and prompts as clusters (right
// for limits). Memory: at most 4096 clusters; above, prompts that share a hash prefix are one
// cluster (coarser clusters stay valid). Tests: tests/analysis/doctor/test_identities.cpp
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace gammascope::doctor {

class ClusterMean {
 public:
  void add(std::uint64_t prompt_hash, double x);
  [[nodiscard]] std::int64_t count() const noexcept { return n_; }
  [[nodiscard]] std::int64_t clusters() const noexcept {
    return static_cast<std::int64_t>(sums_.size());
  }
  [[nodiscard]] double mean() const noexcept { return mean_; }
  [[nodiscard]] bool constant() const noexcept { return !(m2_ > 0.0); }
  /// Of the mean, tokens as the sample; absent below two tokens.
  [[nodiscard]] std::optional<double> token_error() const;
  /// Of the mean, prompts as clusters (ratio estimator, factor G/(G-1)); absent below two clusters.
  [[nodiscard]] std::optional<double> cluster_error() const;

 private:
  struct Sum {
    double x = 0;
    std::int64_t n = 0;
  };
  std::int64_t n_ = 0;
  double mean_ = 0, m2_ = 0;
  int bits_ = 64;
  std::map<std::uint64_t, Sum> sums_;
};

}  // namespace gammascope::doctor
