// SPDX-License-Identifier: MIT
#include "analysis/bounds/kl.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {

Claim kl_form() {
  return {
      "kl_form",
      "theory 3e; theory-2 3C",
      "on policy with Delta <= c, C = c geo(gamma, N), L = -E A = sum_k gamma^k E KL: E A^2 <= "
      "K(C) L, Var(A) <= K(C) L - L^2, and K(C) <= 2 + C",
      Method::certified,
      {"K(c) for K(C)", "L^2 subtracted twice", "1 + C for 2 + C"},
      [](const Run& run) {
        return over_credit(run, [&](const CreditCase& one) -> std::vector<Inequality> {
          if (one.in.sigma2 == Ball(0)) return {};
          const Ball big_c = run.mutant == 1 ? one.in.c : one.in.c * one.in.g;
          const Ball k = Ball(1) / phi(big_c), l = one.in.l;
          const Ball taken = run.mutant == 2 ? Ball(2) * square(l) : square(l);
          const Ball mean = -one.law.mean(), gap = max(mean - l, l - mean);
          std::vector<Inequality> claims{
              {"|E A + L|", gap, margin()},
              {"E A^2 against K L", one.law.second_moment(), k * l},
              {"Var(A) against K L - L^2", one.law.variance(), k * l - taken},
              {"K(C)", k, Ball(run.mutant == 3 ? 1 : 2) + big_c},
              {"1 + C against K(C)", Ball(1) + big_c, k}};
          if (run.mutant == 0)
            claims.push_back(agrees(
                "bounds::kl", bounds::kl(big_c.midpoint(), l.midpoint()), k * l - taken, 1e-11));
          return claims;
        });
      }};
}

}  // namespace gammascope::proofs
