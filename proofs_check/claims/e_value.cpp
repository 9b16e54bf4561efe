// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {

Claim e_value() {
  return {
      "e_value",
      "theory-2 3E",
      "on policy with -A <= C: E[A + phi(C) A^2 | T > t] <= 0, and 1 + lambda (A + phi(C) A^2) "
      ">= 0 for 0 <= lambda <= 4 phi(C): an e-value",
      Method::certified,
      {"1/2 for phi(C)", "6 phi(C) for 4 phi(C)"},
      [](const Run& run) {
        return over_credit(run, [&](const CreditCase& one) -> std::vector<Inequality> {
          const Ball f = run.mutant == 1 ? Ball(q(1, 2)) : phi(one.in.c * one.in.g);
          const auto term = [&](const Ball& a) { return a + f * square(a); };
          std::vector<Inequality> claims{{"E[A + phi A^2]", one.law.mean(term), Ball(0)}};
          const Ball lambda = Ball(run.mutant == 2 ? 6 : 4) * f;
          // A + phi A^2 >= -1 / (4 phi), reached at A = -1 / (2 phi): the point itself too.
          const Ball lowest = term(Ball(-1) / (Ball(2) * f));
          claims.push_back(
              {"the e-value at its lowest, with a margin", -margin(), Ball(1) + lambda * lowest});
          for (const Ball& a : one.law.value)
            claims.push_back({"the e-value", -margin(), Ball(1) + lambda * term(a)});
          return claims;
        });
      }};
}

}  // namespace gammascope::proofs
