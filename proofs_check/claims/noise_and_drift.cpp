// SPDX-License-Identifier: MIT
#include <algorithm>

#include "analysis/bounds/drift.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

/// The variance of D among those still alive: not enough when responses end.
Ball drift_among_alive(const CreditCase& one) {
  Ball d2;
  for (std::size_t tau = one.t; tau < std::min(one.t + one.n, one.facts.size()); ++tau)
    d2 = max(d2, one.facts.kl_square[tau] - square(one.facts.kl[tau]));
  return d2;
}

}  // namespace

Claim noise_and_drift() {
  return {"noise_and_drift",
          "theory 3c",
          "v >= Var(M_tau 1[T > tau] | T > t) and d2 >= Var(D_tau 1[T > tau] | T > t) for all tau: "
          "Var(A) <= (sqrt(v geo(gamma^2, N)) + sqrt(d2) geo(gamma, N))^2",
          Method::certified,
          {"d2 of those still alive", "no noise term", "geo(gamma^2, N) for geo(gamma, N)"},
          [](const Run& run) {
            return over_credit(run, [&](const CreditCase& one) -> std::vector<Inequality> {
              const Ball d2 = run.mutant == 1 ? drift_among_alive(one) : one.in.d2;
              const Ball noise = run.mutant == 2 ? Ball(0) : sqrt(one.in.v * one.in.g2);
              const Ball drift = sqrt(d2) * (run.mutant == 3 ? sqrt(one.in.g2) : one.in.g);
              const Ball bound = square(noise + drift);
              std::vector<Inequality> claims{{"Var(A)", one.law.variance(), bound + margin()}};
              if (run.mutant == 0)
                claims.push_back(agrees("bounds::drift",
                                        bounds::drift(std::max(0.0, one.in.v.midpoint()),
                                                      std::max(0.0, d2.midpoint()),
                                                      {one.in.g.midpoint(), one.in.g2.midpoint()}),
                                        bound,
                                        1e-8));
              return claims;
            });
          }};
}

}  // namespace gammascope::proofs
