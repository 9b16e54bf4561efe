// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {

Claim never_attained() {
  return {
      "never_attained",
      "theory 3a; theory-2 2a",
      "no on-policy pair attains Theorem 3.3: Var(A) < sigma2 geo(gamma, N)^2 whenever sigma2 > 0, "
      "and E X_tau < 0 at some tau",
      Method::certified,
      {"a factor 99/100 smaller", "E X_tau < -1/100"},
      [](const Run& run) {
        return over_credit(run, [&](const CreditCase& one) -> std::vector<Inequality> {
          if (one.in.sigma2 == Ball(0)) return {};
          const Ball factor = run.mutant == 1 ? Ball(q(99, 100)) : Ball(1);
          Ball kl;
          for (std::size_t tau = one.t; tau < std::min(one.t + one.n, one.facts.size()); ++tau)
            kl = max(kl, one.facts.kl[tau]);
          return {
              {"Var(A)", one.law.variance(), factor * one.in.sigma2 * square(one.in.g), true},
              {"0 against the largest KL", run.mutant == 2 ? Ball(q(1, 100)) : Ball(0), kl, true}};
        });
      }};
}

}  // namespace gammascope::proofs
