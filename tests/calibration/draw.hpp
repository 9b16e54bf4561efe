// SPDX-License-Identifier: MIT
// Random numbers as functions of (seed, stream, replicate): neither threads nor order change them.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "analysis/core/random.hpp"

namespace gammascope::calibration {

/// FNV-1a of a name: the stream of a law, a table, a size.
[[nodiscard]] constexpr std::uint64_t stream_of(std::string_view name, std::uint64_t more = 0) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ (more * 0x9e3779b97f4a7c15u);
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

class Draw {
 public:
  static constexpr std::uint64_t seed = 20260917;

  Draw(std::uint64_t stream, std::uint32_t replicate) : stream_(stream), replicate_(replicate) {}

  double uniform() {  // [0, 1)
    if (at_ == 2) {
      pair_ = uniform_pair(seed, stream_, replicate_, next_++);
      at_ = 0;
    }
    return pair_[at_++];
  }
  double normal() {
    if (have_) {
      have_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    have_ = true;
    return radius * std::cos(angle);
  }
  double exponential() { return -std::log1p(-uniform()); }  // mean 1
  /// Student's t, 3 to 5 degrees of freedom: normal over the root of a chi-square.
  double student(int df) {
    double chi2 = 2.0 * exponential();
    if (df >= 4) chi2 += 2.0 * exponential();
    if (df != 4) {
      const double z = normal();
      chi2 += z * z;
    }
    return normal() / std::sqrt(chi2 / df);
  }
  std::size_t index(std::size_t size) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(size));
  }

 private:
  std::uint64_t stream_;
  std::uint32_t replicate_, next_ = 0;
  std::array<double, 2> pair_{};
  std::size_t at_ = 2;
  double spare_ = 0;
  bool have_ = false;
};

}  // namespace gammascope::calibration
