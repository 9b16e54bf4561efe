// SPDX-License-Identifier: MIT
// geo(gamma, N), the sum of the first N weights (theory section 1). Closed to simulators/: an exact
// answer shares no code with what it judges. Tests: tests/analysis/core/test_geo.cpp, values:
// tests/data/reference/scalars.json
#pragma once

#include <cmath>
#include <stdexcept>

#include "analysis/core/gamma.hpp"

namespace gammascope {

/// geo(gamma, N) = sum_{k < N} gamma^k = (1 - gamma^N) / (1 - gamma); N at gamma = 1, 0 at N = 0, 1
/// at gamma = 0.
///
/// Relative error <= 4 ulp for every gamma: the naive quotient has lost nine digits at gamma = 1 -
/// 1e-9. With e = gamma - 1 (exact for gamma >= 1/2, Sterbenz): expm1(N * log1p(e)) / e.
/// @throws std::domain_error if N < 0
[[nodiscard]] inline double geo(Gamma gamma, Horizon horizon) {
  const auto n = static_cast<double>(value(horizon));
  if (n < 0) throw std::domain_error("geo: horizon must not be negative");
  if (n == 0) return 0.0;
  const double e = gamma.value() - 1.0;
  if (e == 0.0) return n;
  if (gamma.value() == 0.0) return 1.0;
  return std::expm1(n * std::log1p(e)) / e;
}

/// geo(gamma^2, N), gamma^2 never rounded: gamma^2 - 1 = e (2 + e), so that all digits are kept for
/// gamma near 1. @throws std::domain_error if N < 0
[[nodiscard]] inline double geo_of_square(Gamma gamma, Horizon horizon) {
  const double e = gamma.value() - 1.0;
  const auto n = static_cast<double>(value(horizon));
  if (n <= 0.0 || e == 0.0 || gamma.value() == 0.0) return geo(gamma, horizon);
  return std::expm1(2.0 * n * std::log1p(e)) / (e * (2.0 + e));
}

/// geo(gamma, infinity) = 1 / (1 - gamma). @throws std::domain_error at gamma = 1, where no such
/// bound exists
[[nodiscard]] inline double geo_infinite(Gamma gamma) {
  if (gamma.value() == 1.0) throw std::domain_error("geo_infinite: diverges at gamma = 1");
  return 1.0 / (1.0 - gamma.value());
}

}  // namespace gammascope
