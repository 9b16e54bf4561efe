// SPDX-License-Identifier: MIT
// Var(sum gamma^k M) is E of the conditional variances; that identity is decided over Q in
// autocovariance_form.cpp, the inequality here.
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

/// sum_k gamma^2k E[(X^2 - KL^2) 1[T > t+k] | T > t].
Ball noise(const CreditCase& one) {
  Ball sum, weight(1);
  const Ball gamma(one.gamma);
  for (std::size_t tau = one.t; tau < std::min(one.t + one.n, one.facts.size()); ++tau) {
    const Ball a = one.facts.alive[tau] / one.facts.alive[one.t];
    sum += weight * a * (one.facts.second[tau] - one.facts.kl_square[tau]);
    weight *= square(gamma);
  }
  return sum;
}

}  // namespace

Claim kl_noise() {
  return {"kl_noise",
          "theory-2 3B, 3D",
          "Var(noise) <= K(c) sum gamma^2k E KL - sum gamma^2k E KL^2; and Var(A) <= (sqrt(K(c) "
          "sum gamma^2k E KL) + sqrt(d2) geo(gamma, N))^2",
          Method::certified,
          {"2 for K(c)", "no noise term in 3D"},
          [](const Run& run) {
            return over_credit(run, [&](const CreditCase& one) -> std::vector<Inequality> {
              if (one.in.sigma2 == Ball(0)) return {};
              const Ball k = run.mutant == 1 ? Ball(2) : Ball(1) / phi(one.in.c);
              const Ball top = k * one.in.noise_kl;
              const Ball root =
                  (run.mutant == 2 ? Ball(0) : sqrt(top)) + sqrt(one.in.d2) * one.in.g;
              return {{"Var(noise)", noise(one), top - one.in.noise_kl_square},
                      {"Var(A), noise and drift through the KL", one.law.variance(), square(root)}};
            });
          }};
}

}  // namespace gammascope::proofs
