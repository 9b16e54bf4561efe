// SPDX-License-Identifier: MIT
// Histogram of log-ratios for the plot of their two tails (theory-2, 1a). Header only.
// Tests: tests/analysis/report/test_tails.cpp
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace gammascope::report {

/// Counts of |Delta| in bins of 1/8 nat, each sign apart; the last bin takes all from 64 nats on.
/// Positive credit is -Delta > 0: the teacher likes the token more than the student does. 8 KiB;
/// sums of integers, so merging is exact and in any order.
class Tails {
 public:
  static constexpr std::size_t bins = 513;
  static constexpr double bin_width = 0.125;  ///< nats
  enum class Side : std::uint8_t { positive_credit, negative_credit };

  /// Counts one token; Delta = 0 counts in the total and on neither side beyond 0.
  /// @param delta nats, log student - log teacher; NaN is ignored
  void add(double delta) noexcept {
    if (std::isnan(delta)) return;
    ++total_;
    if (delta == 0.0) return;
    const double bin = std::floor(std::fabs(delta) / bin_width);
    const auto last = static_cast<double>(bins - 1);
    ++side(delta < 0 ? Side::positive_credit
                     : Side::negative_credit)[static_cast<std::size_t>(bin < last ? bin : last)];
  }
  void merge(const Tails& other) noexcept {
    total_ += other.total_;
    for (std::size_t i = 0; i < bins; ++i) {
      positive_[i] += other.positive_[i];
      negative_[i] += other.negative_[i];
    }
  }
  [[nodiscard]] std::int64_t total() const noexcept { return total_; }

  /// Tokens of that side with |Delta| >= i * bin_width (> 0 for i = 0). Cost: linear in the bins.
  [[nodiscard]] std::int64_t at_least(Side which, std::size_t i) const {
    const auto& counts = which == Side::positive_credit ? positive_ : negative_;
    return std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(i < bins ? i : bins),
                           counts.end(),
                           std::int64_t{0});
  }

 private:
  std::array<std::int64_t, bins>& side(Side which) noexcept {
    return which == Side::positive_credit ? positive_ : negative_;
  }
  std::array<std::int64_t, bins> positive_{}, negative_{};
  std::int64_t total_ = 0;
};

}  // namespace gammascope::report
