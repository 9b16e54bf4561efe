// SPDX-License-Identifier: MIT
#include "analysis/bounds/on_policy.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

/// max over 0 <= s <= sigma2 of s - f s^2.
Ball parabola_maximum(const Ball& sigma2, const Ball& f) {
  const Ball top = Ball(1) / (Ball(2) * f);
  const Ball s = min(sigma2, top);
  return s - f * square(s);
}

}  // namespace

Claim on_policy_bound() {
  return {
      "on_policy_bound",
      "theory 3b",
      "on policy with Delta <= c: -E X >= phi(c) E X^2 at every token, and Var(A) <= "
      "geo(gamma, N)^2 max_{s <= sigma2} (s - phi(c)^2 s^2)",
      Method::certified,
      {"phi for phi^2", "phi(c/2) for phi(c)", "the square dropped"},
      [](const Run& run) {
        return over_credit(run, [&](const CreditCase& one) -> std::vector<Inequality> {
          const Ball f = phi(run.mutant == 2 ? one.in.c / Ball(2) : one.in.c);
          const Ball factor = run.mutant == 1 ? f : square(f);
          const Ball bound = (run.mutant == 3 ? one.in.g : square(one.in.g)) *
                             parabola_maximum(one.in.sigma2, factor);
          std::vector<Inequality> claims{{"Var(A)", one.law.variance(), bound}};
          if (run.mutant == 0)
            claims.push_back(agrees("bounds::on_policy",
                                    bounds::on_policy(bounds::Sigma2(one.in.sigma2.midpoint()),
                                                      one.in.c.midpoint(),
                                                      {one.in.g.midpoint(), one.in.g2.midpoint()}),
                                    bound,
                                    1e-12));
          if (one.n == 1)
            claims.push_back(
                {"phi E X^2 against the KL", f * one.facts.second[one.t], one.facts.kl[one.t]});
          return claims;
        });
      }};
}

}  // namespace gammascope::proofs
