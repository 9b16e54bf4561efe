// SPDX-License-Identifier: MIT
// First to fourth power sums without rounding, beside exact_moments.hpp: what the kurtosis floor
// (calibration 4.4) and every later statistic of fourth order need. Integers, so order and merging
// drop out. Tests: tests/analysis/stats/test_exact_powers.cpp
#pragma once

#include <array>
#include <cstdint>

#include "analysis/stats/exact_moments.hpp"
#include "analysis/stats/row_powers.hpp"

namespace gammascope::stats {

/// A sum of up to 2^63 terms below 2^191 in size: two's complement, lowest limb first.
class Int256 {
 public:
  void add(Int128 x) noexcept { add(static_cast<UInt128>(x), x < 0 ? ~UInt128{0} : UInt128{0}); }
  void add(UInt128 low, UInt128 high) noexcept {
    const UInt128 sum = half(0) + low;
    const UInt128 carry = sum < low ? 1 : 0;
    set(0, sum);
    set(1, half(1) + high + carry);
  }
  void add(const Int256& x) noexcept { add(x.half(0), x.half(1)); }

  [[nodiscard]] const std::array<std::uint64_t, 4>& limbs() const noexcept { return limbs_; }
  [[nodiscard]] static Int256 from_limbs(const std::array<std::uint64_t, 4>& limbs) noexcept {
    Int256 x;
    x.limbs_ = limbs;
    return x;
  }
  friend bool operator==(const Int256&, const Int256&) = default;

 private:
  [[nodiscard]] UInt128 half(std::size_t i) const noexcept {
    return static_cast<UInt128>(limbs_[2 * i + 1]) << 64 | limbs_[2 * i];
  }
  void set(std::size_t i, UInt128 x) noexcept {
    limbs_[2 * i] = static_cast<std::uint64_t>(x);
    limbs_[2 * i + 1] = static_cast<std::uint64_t>(x >> 64);
  }
  std::array<std::uint64_t, 4> limbs_{};
};

/// n and the sums of x, x^2, x^3, x^4, x on the grid of 2^-16 nats (1.5e-5): the point of
/// ExactMoments' grid, rounded once more, halves up. Size 112 bytes, add some 2 ns. Range as
/// ExactMoments: |x| <= 2^20 nats; nothing overflows below 2^55 values.
class ExactPowers {
 public:
  /// @param k a value on the grid of ExactMoments, |k| <= 2^52
  void add_grid(std::int64_t k) noexcept {
    const std::int64_t x = (k + 0x8000) >> 16;
    const auto square = static_cast<UInt128>(static_cast<Int128>(x) * x);  // < 2^73
    ++n_;
    s1_ += x;
    s2_ += static_cast<Int128>(square);
    s3_.add(static_cast<Int128>(square) * x);
    const auto low = static_cast<std::uint64_t>(square);
    const auto high = static_cast<std::uint64_t>(square >> 64);  // a few bits, seldom any
    const UInt128 fourth = static_cast<UInt128>(low) * low;
    if (high == 0) {
      s4_.add(fourth, 0);
    } else {
      const UInt128 middle = 2 * static_cast<UInt128>(high) * low;
      s4_.add(fourth, 0);
      s4_.add(middle << 64, (middle >> 64) + static_cast<UInt128>(high) * high);
    }
  }

  void merge(const ExactPowers& other) noexcept {
    n_ += other.n_;
    s1_ += other.s1_;
    s2_ += other.s2_;
    s3_.add(other.s3_);
    s4_.add(other.s4_);
  }

  [[nodiscard]] std::int64_t count() const noexcept { return n_; }
  [[nodiscard]] Int128 first() const noexcept { return s1_; }
  [[nodiscard]] Int128 second() const noexcept { return s2_; }
  [[nodiscard]] const Int256& third() const noexcept { return s3_; }
  [[nodiscard]] const Int256& fourth() const noexcept { return s4_; }
  /// The inverse of the accessors, for states on disk.
  [[nodiscard]] static ExactPowers from_sums(
      std::int64_t n, Int128 s1, Int128 s2, const Int256& s3, const Int256& s4) noexcept;

  /// Third and fourth power sums about the point k0 of ExactMoments' grid (2^-32 nats), nats^3 and
  /// nats^4: shifted in integers, rounded once.
  [[nodiscard]] RowPowers about(std::int64_t k0) const;

  friend bool operator==(const ExactPowers&, const ExactPowers&) = default;

 private:
  std::int64_t n_ = 0;
  Int128 s1_ = 0, s2_ = 0;
  Int256 s3_, s4_;
};

}  // namespace gammascope::stats
