// SPDX-License-Identifier: MIT
// The discount gamma in [0, 1], the horizon, and the grid of discounts of one sweep.
// Tests: tests/analysis/core/test_gamma.cpp
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace gammascope {

/// Tokens that remain, the present one included: N_t = T - t for 0-based t. Zero is legal: an empty
/// sum.
enum class Horizon : std::int64_t {};
[[nodiscard]] constexpr std::int64_t value(Horizon n) noexcept {
  return static_cast<std::int64_t>(n);
}

/// A discount. Its own type because a swapped (gamma, horizon, sigma2) would compile and look
/// plausible.
/// @throws std::domain_error unless 0 <= gamma <= 1 (NaN included)
class Gamma {
 public:
  explicit constexpr Gamma(double gamma) : gamma_(gamma) {
    if (!(gamma >= 0.0 && gamma <= 1.0)) throw std::domain_error("gamma must lie in [0, 1]");
  }
  [[nodiscard]] constexpr double value() const noexcept { return gamma_; }
  friend constexpr auto operator<=>(Gamma, Gamma) = default;

 private:
  double gamma_;
};

/// The discounts of one sweep, strictly ascending. Kernels see them padded with zeros to `lanes`,
/// so that a grid of 5 and the same 5 inside a grid of 16 give the same bits.
class GammaGrid {
 public:
  static constexpr std::size_t lanes =
      4;  ///< doubles in one vector register of the widest path we dispatch to

  /// @throws std::invalid_argument if empty or with duplicates; std::domain_error from Gamma
  explicit GammaGrid(std::vector<double> gammas) : values_(std::move(gammas)) {
    if (values_.empty()) throw std::invalid_argument("GammaGrid: no gamma given");
    for (const double g : values_) (void)Gamma(g);
    std::ranges::sort(values_);
    if (std::ranges::adjacent_find(values_) != values_.end())
      throw std::invalid_argument("GammaGrid: the same gamma twice");
    size_ = values_.size();
    values_.resize((size_ + lanes - 1) / lanes * lanes, 0.0);
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Gamma operator[](std::size_t i) const { return Gamma(values_.at(i)); }
  [[nodiscard]] std::span<const double> padded() const noexcept { return values_; }

 private:
  std::vector<double> values_;
  std::size_t size_ = 0;
};

}  // namespace gammascope
