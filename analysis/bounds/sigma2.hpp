// SPDX-License-Identifier: MIT
// What every bound takes: the second moment sigma2, and the sums of weights G and G2; with the one
// product rule that all of them share (nothing times anything is nothing, never NaN).
// Tests: tests/analysis/bounds/test_theorem_3_3.cpp
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

#include "analysis/core/gamma.hpp"
#include "analysis/core/geo.hpp"

namespace gammascope::bounds {

/// `number` itself if it is >= 0 (infinity too).
/// @throws std::domain_error "WHAT must be a number >= 0" otherwise (NaN included)
[[nodiscard]] inline double non_negative(double number, const char* what) {
  if (!(number >= 0.0)) throw std::domain_error(std::string(what) + " must be a number >= 0");
  return number;
}

/// A bound on max_t E[(A_t^(0))^2] over the positions of the sum, nats^2: a *second moment*, not a
/// variance. Of the population that is judged: by position and window among responses alive at the
/// start of the sum, by horizon over the tokens with k <= N left (theory 5.4). May be infinite.
/// @throws std::domain_error if negative or NaN
class Sigma2 {
 public:
  explicit Sigma2(double nats2) : nats2_(non_negative(nats2, "sigma2")) {}
  [[nodiscard]] double value() const noexcept { return nats2_; }

 private:
  double nats2_;
};

/// The weights of one sum: G = sum_k w_k and G2 = sum_k w_k^2, each the largest over the population
/// (theory 1). Clocks `skip` and `count`: weight_sums(gamma, N); `reset`: of the longest segment;
/// `turn`: sum_k max_rows w_k, w_k = gamma^(borders before the k-th token of the sum), since turns
/// of different responses end at different tokens; the sum of one row is no bound there.
/// Bounds that use (OP) or G2 assume weights in [0, 1] that the prefix decides.
struct WeightSums {
  double g = 0;   ///< G
  double g2 = 0;  ///< G2 <= G
};

/// G = geo(gamma, N), G2 = geo(gamma^2, N) (geo_of_square). O(1).
/// @throws std::domain_error if N < 0
[[nodiscard]] inline WeightSums weight_sums(Gamma gamma, Horizon horizon) {
  return {geo(gamma, horizon), geo_of_square(gamma, horizon)};
}

/// No cut: G = 1/(1 - gamma), G2 = 1/(1 - gamma^2). @throws std::domain_error at gamma = 1
[[nodiscard]] inline WeightSums weight_sums_infinite(Gamma gamma) {
  const double g = geo_infinite(gamma);
  return {g, g / (1.0 + gamma.value())};
}

/// a * g^2, 0 when either is 0 (so that 0 * infinity is not NaN); overflow gives infinity.
[[nodiscard]] inline double times_square(double a, double g) noexcept {
  return a == 0.0 || g == 0.0 ? 0.0 : a * g * g;
}

/// (sqrt(a G2) + sqrt(b) G)^2: noise adds in squares, drift in sizes (theory 3c). 0 * infinity = 0.
[[nodiscard]] inline double noise_plus_drift(double a, double b, const WeightSums& w) noexcept {
  const double noise = a == 0.0 || w.g2 == 0.0 ? 0.0 : std::sqrt(a) * std::sqrt(w.g2);
  const double drift = b == 0.0 || w.g == 0.0 ? 0.0 : std::sqrt(b) * w.g;
  return (noise + drift) * (noise + drift);
}

}  // namespace gammascope::bounds
