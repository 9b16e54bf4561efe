// SPDX-License-Identifier: MIT
// First and second moment without rounding: sums of integers on a fixed grid, so that order,
// threads, shards and merging drop out and `==` on states means something. Never E[x^2] - E[x]^2 in
// floating point: the centring is done in integers. Tests:
// tests/analysis/stats/test_exact_moments.cpp
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "analysis/stats/cluster_sums.hpp"

namespace gammascope::stats {

/// 128-bit integer (GCC and Clang).
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// n, sum k and sum k^2 of values put on the grid of 2^-32 nats (2.3e-10, below the resolution of a
/// float32 log-probability above 2^-9 nats): k = x * 2^32 rounded to nearest even, the one rounding
/// there is.
///
/// Range: |x| <= 2^20 nats and sum k^2 < 2^127, which is 2^22 values of the largest size. Beyond it
/// add() throws, nothing wraps. Size 48 bytes, add() about 1 ns.
class ExactMoments {
 public:
  static constexpr double quantum = 0x1p-32;  ///< nats
  static constexpr double limit = 0x1p20;     ///< nats

  /// False for NaN, infinities and |x| > 2^20.
  [[nodiscard]] static bool in_range(double x) noexcept { return std::fabs(x) <= limit; }

  /// x on the grid. Precondition: in_range(x).
  [[nodiscard]] static std::int64_t to_grid(double x) noexcept {
#if defined(__SSE2__)
    // llrint() of the default rounding mode, inlined: the library call costs more than the sums.
    return _mm_cvtsd_si64(_mm_set_sd(x * 0x1p32));
#else
    return std::llrint(x * 0x1p32);
#endif
  }

  /// @throws std::range_error if x is not in range or the sum of squares would overflow; the state
  /// is then unchanged
  void add(double x) {
    if (!in_range(x))
      throw std::range_error("ExactMoments: value is not finite or above 2^20 nats");
    add_grid(to_grid(x));
  }

  /// The same for a value already on the grid, |k| <= 2^52.
  void add_grid(std::int64_t k) {
    add_squares(static_cast<Int128>(k) * k);
    s1_ += k;
    ++n_;
  }

  /// @throws std::range_error if the sum of squares would overflow; the state is then unchanged
  void merge(const ExactMoments& other) {
    add_squares(other.s2_);
    s1_ += other.s1_;
    n_ += other.n_;
  }

  [[nodiscard]] std::int64_t count() const noexcept { return n_; }
  /// Sum of k and of k^2.
  [[nodiscard]] Int128 first() const noexcept { return s1_; }
  [[nodiscard]] Int128 second() const noexcept { return s2_; }
  /// The inverse of the accessors, for states on disk.
  [[nodiscard]] static ExactMoments from_sums(std::int64_t n, Int128 s1, Int128 s2) noexcept {
    ExactMoments m;
    m.n_ = n;
    m.s1_ = s1;
    m.s2_ = s2;
    return m;
  }

  /// The grid point nearest to the mean; 0 without values.
  [[nodiscard]] std::int64_t centre() const noexcept {
    if (n_ == 0) return 0;
    const Int128 q = s1_ / n_, r = s1_ - q * n_;
    const Int128 up = 2 * r >= n_ ? 1 : 0, down = -2 * r > n_ ? 1 : 0;
    return static_cast<std::int64_t>(q + up - down);
  }

  /// Nats; absent without values.
  [[nodiscard]] std::optional<double> mean() const noexcept {
    if (n_ == 0) return std::nullopt;
    const std::int64_t q = centre();
    const auto rest = static_cast<double>(s1_ - static_cast<Int128>(q) * n_);
    return (static_cast<double>(q) + rest / static_cast<double>(n_)) * quantum;
  }

  /// E x^2, nats^2, about 0 and with divisor n; absent without values.
  [[nodiscard]] std::optional<double> second_moment() const noexcept {
    if (n_ == 0) return std::nullopt;
    return static_cast<double>(s2_) / static_cast<double>(n_) * (quantum * quantum);
  }

  /// Divisor n - 1, rows taken as independent (not the estimate that limits are for: hjs.hpp).
  /// Absent below two values. Relative error some 1e-15 whatever the mean.
  [[nodiscard]] std::optional<double> variance() const noexcept {
    if (n_ < 2) return std::nullopt;
    const ClusterSums c = about(centre());  // |s1| <= n/2 grid steps, so at most one bit cancels
    return (c.s2 - c.s1 * c.s1 / c.rows) / static_cast<double>(n_ - 1);
  }

  /// The power sums about the grid point k0, shifted in integers and then rounded once each; k0 =
  /// 0: raw. Precondition for k0 != 0: this is a part of a sample whose centre() is k0 (then
  /// nothing overflows).
  [[nodiscard]] ClusterSums about(std::int64_t k0) const noexcept {
    const Int128 s1 = s1_ - static_cast<Int128>(k0) * n_;
    // sum (k - k0)^2 = s2 - 2 k0 s1 + n k0^2, modulo 2^128: partial results may pass 2^127, the
    // result does not.
    const auto u0 = static_cast<UInt128>(static_cast<Int128>(k0));
    const UInt128 s2 = static_cast<UInt128>(s2_) - 2 * u0 * static_cast<UInt128>(s1_) +
                       static_cast<UInt128>(static_cast<Int128>(n_)) * u0 * u0;
    return {static_cast<double>(n_),
            static_cast<double>(s1) * quantum,
            static_cast<double>(static_cast<Int128>(s2)) * (quantum * quantum)};
  }

  friend bool operator==(const ExactMoments&, const ExactMoments&) = default;

 private:
  void add_squares(Int128 squares) {
    Int128 sum = 0;
    if (__builtin_add_overflow(s2_, squares, &sum))
      throw std::range_error("ExactMoments: the sum of squares overflows");
    s2_ = sum;
  }

  Int128 s1_ = 0, s2_ = 0;
  std::int64_t n_ = 0;
};

}  // namespace gammascope::stats
