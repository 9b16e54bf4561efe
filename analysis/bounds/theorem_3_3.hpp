// SPDX-License-Identifier: MIT
// Theorem 3.3 of the paper. Claims: theorem_3_3.finite, theorem_3_3.infinite.
// Assumes: E[X_tau^2] <= sigma2 at every position of the sum, in the population judged. No
// independence, not (OP). May be claimed by position, horizon and window, and (the infinite form)
// without a cut. Inputs: sigma2. Proof: docs/theory.md 3.3. Tests:
// tests/analysis/bounds/test_theorem_3_3.cpp, test_no_bound_is_exceeded.cpp
#pragma once

#include "analysis/bounds/sigma2.hpp"

namespace gammascope::bounds {

/// Var(A) <= sigma2 G^2, nats^2; G = geo(gamma, N), so N^2 sigma2 at gamma = 1 (Theorem 3.3).
/// Approached by on-policy pairs, never attained by one (theory-2, 2a). Infinity beyond double's
/// range. O(1).
[[nodiscard]] inline double theorem_3_3(Sigma2 sigma2, const WeightSums& w) {
  return times_square(sigma2.value(), w.g);
}
[[nodiscard]] inline double theorem_3_3(Sigma2 sigma2, Gamma gamma, Horizon horizon) {
  return theorem_3_3(sigma2, weight_sums(gamma, horizon));
}

/// Var(A) <= sigma2 / (1 - gamma)^2 whatever the horizon, nats^2 (Theorem 3.3).
/// @throws std::domain_error at gamma = 1
[[nodiscard]] inline double theorem_3_3_infinite(Sigma2 sigma2, Gamma gamma) {
  return times_square(sigma2.value(), geo_infinite(gamma));
}

}  // namespace gammascope::bounds
