// SPDX-License-Identifier: MIT
// The on-policy bound, theory 3b. Claim: on_policy.
// Assumes: tokens drawn from the student, (OP) E[exp(X) | h] <= 1, Delta <= c almost surely, and
// E[X^2] <= sigma2. May be claimed by position and window only, truncated responses kept: (OP)
// breaks when the future decides which tokens count (theory-2, 1e). Inputs: sigma2, c. Proof:
// docs/theory.md 3b. Tests: tests/analysis/bounds/test_on_policy.cpp, test_no_bound_is_exceeded.cpp
#pragma once

#include <algorithm>

#include "analysis/bounds/phi.hpp"
#include "analysis/bounds/sigma2.hpp"

namespace gammascope::bounds {

/// Var(A) <= G^2 max_{0 <= s <= sigma2} (s - phi(c)^2 s^2), nats^2 (theory 3b); c in nats, infinite
/// c gives Theorem 3.3. Sharp to second order in sigma2 at N = 1 only. O(1).
/// @throws std::domain_error if c is negative or NaN
[[nodiscard]] inline double on_policy(Sigma2 sigma2, double c, const WeightSums& w) {
  const double p = phi(c);
  if (p == 0.0) return times_square(sigma2.value(), w.g);
  const double top = 0.5 / p / p;  // where the parabola turns
  const double s = std::min(sigma2.value(), top);
  return times_square(s * (1.0 - p * (p * s)), w.g);
}
[[nodiscard]] inline double on_policy(Sigma2 sigma2, double c, Gamma gamma, Horizon horizon) {
  return on_policy(sigma2, c, weight_sums(gamma, horizon));
}

}  // namespace gammascope::bounds
