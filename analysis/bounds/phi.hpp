// SPDX-License-Identifier: MIT
// phi(c) = (c - 1 + exp(-c)) / c^2 and K(C) = 1 / phi(C): the constants of everything that uses
// (OP) with Delta <= c (theory 3b, 3e). Tests: tests/analysis/bounds/test_phi.cpp, values:
// tests/data/reference/scalars.json
#pragma once

#include <cmath>

#include "analysis/bounds/sigma2.hpp"

namespace gammascope::bounds {

/// phi(c), c in nats: exp(x) >= 1 + x + phi(c) x^2 for all x >= -c (theory 3b). phi(0) = 1/2,
/// decreasing, ~ 1/c for large c, 0 at infinity. Relative error <= 1e-15.
/// Below c = 1 the closed form cancels: the Taylor series sum_k (-c)^k / (k + 2)! is summed.
/// @throws std::domain_error if c < 0 or NaN
[[nodiscard]] inline double phi(double c) {
  (void)non_negative(c, "c");
  if (std::isinf(c)) return 0.0;
  if (c > 1.0) return ((c - 1.0 + std::exp(-c)) / c) / c;
  double sum = 0.0;
  for (int k = 20; k >= 1; --k) sum = (sum + 1.0) * -c / double(k + 2);
  return 0.5 * (1.0 + sum);
}

/// K(C) = 1 / phi(C) = C^2 / (C - 1 + exp(-C)): K(0) = 2, 1 + C <= K(C) <= 2 + C (theory-2, 3A).
/// @throws std::domain_error if C < 0 or NaN
[[nodiscard]] inline double kl_constant(double big_c) {
  return 1.0 / phi(non_negative(big_c, "C"));
}

}  // namespace gammascope::bounds
