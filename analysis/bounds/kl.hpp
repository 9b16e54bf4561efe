// SPDX-License-Identifier: MIT
// Theorem 3.3 in KL form, theory 3e (theory-2, 3C). Claim: kl.
// Assumes: tokens drawn from the student, (OP), -A <= C almost surely (C = c G when Delta <= c).
// May be claimed by position and window only, truncated responses kept. Inputs: C; L = -E A as a
// number makes a bound of it, on a log the claim is judged by an e-value instead (theory-2, 3E).
// Proof: docs/theory.md. Tests: tests/analysis/bounds/test_kl.cpp, test_no_bound_is_exceeded.cpp
#pragma once

#include <algorithm>
#include <stdexcept>

#include "analysis/bounds/phi.hpp"

namespace gammascope::bounds {

/// Var(A) <= K(C) L - L^2, nats^2; L = -E A = sum_k w_k E KL(h_{t+k}), C >= -A, both in nats. L = 0
/// means A = 0 almost surely, so 0, also for infinite C. O(1).
/// @throws std::domain_error if C or L is negative or NaN, or L > C (then -A <= C cannot hold)
[[nodiscard]] inline double kl(double big_c, double discounted_kl) {
  const double k = kl_constant(big_c);
  const double l = non_negative(discounted_kl, "L (discounted KL)");
  if (l > big_c * (1.0 + 1e-9)) throw std::domain_error("L (discounted KL) must not exceed C");
  return l == 0.0 ? 0.0 : std::max(0.0, (k - l) * l);
}

/// E[A^2] <= K(C) L, nats^2 (theory-2, 3C): with L <= kappa_max G a bound from the largest KL.
/// @throws std::domain_error as kl
[[nodiscard]] inline double kl_second_moment(double big_c, double discounted_kl) {
  const double k = kl_constant(big_c);
  const double l = non_negative(discounted_kl, "L (discounted KL)");
  return l == 0.0 ? 0.0 : k * l;
}

}  // namespace gammascope::bounds
