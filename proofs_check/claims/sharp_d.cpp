// SPDX-License-Identifier: MIT
#include "analysis/bounds/sharp.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

/// max over s <= sigma2 of s - s^2 / c^2; 0 for c = 0, where X >= 0 and (OP) leave only X = 0.
Ball d_star(const Ball& sigma2, const Ball& c) {
  if (!(c > Ball(0))) return Ball(0);
  const Ball c2 = square(c), s = min(sigma2, c2 / Ball(2));
  return s - square(s) / c2;
}

}  // namespace

Claim sharp_d() {
  return {
      "sharp_d",
      "theory-2 2c",
      "on policy with Delta <= c: Var(A) <= (sqrt(sigma2 geo(gamma^2, N)) + sqrt(d*) "
      "geo(gamma, N))^2 with d* = max_{s <= sigma2} (s - s^2/c^2)",
      Method::certified,
      {"geo^2 d* alone (it is only the limit)", "the noise term alone"},
      [](const Run& run) {
        return over_credit(run, [&](const CreditCase& one) -> std::vector<Inequality> {
          const Ball drift = sqrt(d_star(one.in.sigma2, one.in.c)) * one.in.g;
          const Ball noise = sqrt(one.in.sigma2 * one.in.g2);
          const Ball root = run.mutant == 1 ? drift : run.mutant == 2 ? noise : noise + drift;
          std::vector<Inequality> claims{{"Var(A)", one.law.variance(), square(root)}};
          if (run.mutant == 0)
            claims.push_back(agrees("bounds::sharp_d",
                                    bounds::sharp_d(bounds::Sigma2(one.in.sigma2.midpoint()),
                                                    one.in.c.midpoint(),
                                                    {one.in.g.midpoint(), one.in.g2.midpoint()}),
                                    square(root),
                                    1e-12));
          return claims;
        });
      }};
}

}  // namespace gammascope::proofs
