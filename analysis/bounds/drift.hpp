// SPDX-License-Identifier: MIT
// Noise and drift apart, theory 3c. Claim: drift.
// Assumes: X = M + D with D = E[X | h] = -KL(student || teacher)(h) in the population judged (so
// position and window only, truncated responses kept; not (OP)); v and d2 bound the *stopped*
// parts, see below. Inputs: v, d2. Proof: docs/theory.md 3c. Tests:
// tests/analysis/bounds/test_drift.cpp, test_no_bound_is_exceeded.cpp
#pragma once

#include "analysis/bounds/sigma2.hpp"

namespace gammascope::bounds {

/// Var(A) <= (sqrt(v G2) + sqrt(d2) G)^2, nats^2 (theory 3c). Given a response alive at t, for
/// every tau >= t: v >= Var(M_tau 1[T > tau]), d2 >= Var(D_tau 1[T > tau]). The variance of D among
/// those *still alive* is not enough when responses end: with constant KL kappa it is 0 while the
/// sum contains kappa^2 Var(T). E[D^2 | T > tau] is always enough. O(1).
/// @throws std::domain_error if v or d2 is negative or NaN
[[nodiscard]] inline double drift(double v, double d2, const WeightSums& w) {
  return noise_plus_drift(
      non_negative(v, "v (noise variance)"), non_negative(d2, "d2 (drift variance)"), w);
}
[[nodiscard]] inline double drift(double v, double d2, Gamma gamma, Horizon horizon) {
  return drift(v, d2, weight_sums(gamma, horizon));
}

}  // namespace gammascope::bounds
