// SPDX-License-Identifier: MIT
// The sum of any doubles without rounding, so that order, threads and shards drop out: for sums
// whose values span too many magnitudes for the grid of exact_moments.hpp, such as exp of a
// log-ratio. A small superaccumulator (R. M. Neal, "Fast exact summation using small and large
// superaccumulators", arXiv:1505.05571, section 3). Tests: tests/analysis/stats/test_exact_sum.cpp
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gammascope::stats {

/// 70 chunks of 32 bits cover every finite double and 2^90 of the largest. Size 568 bytes, add()
/// some ns.
class ExactSum {
 public:
  /// An infinity or NaN spoils the sum: value() is then NaN, whatever else comes.
  void add(double x) noexcept {
    if (!std::isfinite(x)) {
      spoiled_ = true;
      return;
    }
    if (x == 0.0) return;
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);  // |fraction| in [1/2, 1)
    // x = mantissa 2^(exponent - 53); bit 0 of chunk 0 is worth 2^lowest.
    const auto mantissa = static_cast<std::int64_t>(fraction * 0x1p53);
    const int shift = exponent - 53 - lowest;
    const auto chunk = static_cast<std::size_t>(shift / 32);
    const int within = shift % 32;
    const std::uint64_t size = static_cast<std::uint64_t>(mantissa < 0 ? -mantissa : mantissa);
    const std::uint64_t low = size << within;  // at most three chunks are touched
    const std::uint64_t high = within == 0 ? 0 : size >> (64 - within);
    const auto put = [&](std::size_t at, std::uint64_t bits) {
      chunks_[at] +=
          mantissa < 0 ? -static_cast<std::int64_t>(bits) : static_cast<std::int64_t>(bits);
    };
    put(chunk, low & 0xffffffffu);
    put(chunk + 1, low >> 32);
    put(chunk + 2, high);
    if (++since_carry_ == most_between_carries) carry();
  }

  /// Exact, in any order.
  void merge(const ExactSum& other) noexcept {
    ExactSum b = other;
    carry();
    b.carry();
    for (std::size_t i = 0; i < chunks; ++i) chunks_[i] += b.chunks_[i];
    since_carry_ = 1;
    spoiled_ = spoiled_ || b.spoiled_;
  }

  /// The sum, within one unit in the last place and a function of the exact sum alone; NaN after a
  /// value that is not finite, an infinity where the sum is beyond the largest double.
  [[nodiscard]] double value() const noexcept {
    if (spoiled_) return std::numeric_limits<double>::quiet_NaN();
    ExactSum canonical = *this;
    canonical.carry();
    // The sign is that of the top chunk; small numbers are not made of large ones that cancel.
    const bool negative = canonical.chunks_[chunks - 1] < 0;
    if (negative) {
      for (std::int64_t& c : canonical.chunks_) c = -c;
      canonical.carry();
    }
    double sum = 0;
    for (std::size_t i = chunks; i-- > 0;)
      sum +=
          std::ldexp(static_cast<double>(canonical.chunks_[i]), lowest + 32 * static_cast<int>(i));
    return negative ? -sum : sum;
  }

 private:
  static constexpr int lowest = -1074 - 52;  // the last bit of the mantissa of the least double
  static constexpr std::size_t chunks = 70;
  static constexpr std::int32_t most_between_carries = 1 << 29;  // chunks stay below 2^62

  /// Every chunk but the last into [0, 2^32): one form for each sum.
  void carry() noexcept {
    for (std::size_t i = 0; i + 1 < chunks; ++i) {
      const std::int64_t over = chunks_[i] >> 32;  // rounds down
      chunks_[i] -= over * (std::int64_t{1} << 32);
      chunks_[i + 1] += over;
    }
    since_carry_ = 0;
  }

  std::array<std::int64_t, chunks> chunks_{};
  std::int32_t since_carry_ = 0;
  bool spoiled_ = false;
};

}  // namespace gammascope::stats
