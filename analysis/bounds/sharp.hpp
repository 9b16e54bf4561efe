// SPDX-License-Identifier: MIT
// The sharp constants of the on-policy class, theory-2 sections 2b and 2c. Claims: sharp_v1,
// sharp_d. Assumes: tokens drawn from the student, (OP), Delta <= c almost surely, E[X^2] <=
// sigma2. May be claimed by position and window only, truncated responses kept. Inputs: sigma2, c.
// Proof: docs/theory.md. Tests: tests/analysis/bounds/test_sharp.cpp, test_no_bound_is_exceeded.cpp
#pragma once

#include "analysis/bounds/sigma2.hpp"

namespace gammascope::bounds {

/// V1*(sigma2, c) = sup { Var X : X >= -c, E e^X <= 1, E X^2 <= sigma2 }, nats^2 (theory-2, 2b):
/// attained by the two-point laws {-c, e}, P(-c) = (e^e - 1)/(e^e - e^-c), of which the one with
/// E X^2 = sigma2 is taken, or, from saturation() on, the one of largest variance. sigma2 > c^2 is
/// legal and not clipped. c = 0 gives 0, infinite c gives sigma2. Relative error <= 1e-12. Cost:
/// two bracketed roots, about 2 us.
/// @throws std::domain_error if c is negative or NaN
[[nodiscard]] double v1_star(Sigma2 sigma2, double c);

/// s_max(c), nats^2: V1*(., c) grows up to it and is constant beyond. Infinite for infinite c.
/// @throws std::domain_error if c is negative or NaN
[[nodiscard]] double saturation(double c);

/// d*(sigma2, c) = max_{s <= sigma2} (s - s^2/c^2), nats^2: sigma2 (1 - sigma2/c^2) up to sigma2 =
/// c^2/2, then c^2/4 (theory-2, 2c). The largest variance of a drift D in [-c, 0] with E D^2 <=
/// sigma2. G^2 d* is only the *limit* of the sharp bound as G2/G^2 -> 0, not a bound at finite N.
/// @throws std::domain_error if c is negative or NaN
[[nodiscard]] double d_star(Sigma2 sigma2, double c);

/// sharp_v1: Var(A) <= G^2 V1*(sigma2, c), nats^2; best possible at N = 1 (theory-2, 2b).
[[nodiscard]] double sharp_v1(Sigma2 sigma2, double c, const WeightSums& w);

/// sharp_d: Var(A) <= (sqrt(sigma2 G2) + sqrt(d*) G)^2, nats^2 (theory-2, 2c); tends to the best
/// possible constant as the horizon grows.
[[nodiscard]] double sharp_d(Sigma2 sigma2, double c, const WeightSums& w);

/// The smaller of sharp_v1 and sharp_d: the valid bound to report (theory-2, 2c).
[[nodiscard]] double sharp(Sigma2 sigma2, double c, const WeightSums& w);

}  // namespace gammascope::bounds
