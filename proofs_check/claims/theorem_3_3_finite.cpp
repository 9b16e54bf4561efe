// SPDX-License-Identifier: MIT
#include "analysis/bounds/theorem_3_3.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

Ball sum_of_weights(std::size_t n, const Ball& gamma) {
  Ball g, weight(1);
  for (std::size_t k = 0; k < n; ++k, weight *= gamma) g += weight;
  return g;
}

Ball right_side(const Ball& sigma2, std::size_t n, const Q& gamma, std::size_t mutant) {
  const Ball g =
      sum_of_weights(mutant == 3 ? n - 1 : n, Ball(mutant == 2 ? Q(gamma * gamma) : gamma));
  return mutant == 1 ? sigma2 * g : sigma2 * square(g);
}

/// sigma2 with X taken as 0 after the end, among all responses: too small by P(T > t).
Ball padded(const CreditCase& one) {
  Ball sigma2;
  for (std::size_t tau = one.t; tau < std::min(one.t + one.n, one.facts.size()); ++tau)
    sigma2 = max(sigma2, one.facts.alive[tau] * one.facts.second[tau]);
  return sigma2;
}

/// The library's bound.
Inequality shipped(const Ball& sigma2, std::size_t n, const Q& gamma) {
  return agrees("bounds::theorem_3_3",
                bounds::theorem_3_3(bounds::Sigma2(sigma2.midpoint()),
                                    Gamma(gamma.convert_to<double>()),
                                    Horizon(static_cast<std::int64_t>(n))),
                right_side(sigma2, n, gamma, 0),
                1e-14);
}

std::vector<Inequality> statement(const CreditCase& one, std::size_t mutant) {
  const Ball sigma2 = mutant == 4 ? padded(one) : one.in.sigma2;
  std::vector<Inequality> claims{{"Var(A) by position and window",
                                  one.law.variance(),
                                  right_side(sigma2, one.n, one.gamma, mutant)}};
  if (one.t == 0) {
    const Law law = one.paths.credit_by_horizon(one.n, Ball(one.gamma));
    if (!law.empty()) {
      Ball own;
      for (std::size_t k = 1; k <= one.n; ++k)
        own = max(own, one.paths.log_ratio_by_horizon(k, one.n).second_moment());
      claims.push_back(
          {"Var(A) by horizon", law.variance(), right_side(own, one.n, one.gamma, mutant)});
    }
  }
  if (mutant == 0) claims.push_back(shipped(one.in.sigma2, one.n, one.gamma));
  return claims;
}

}  // namespace

Claim theorem_3_3_finite() {
  return {"theorem_3_3_finite",
          "Theorem 3.3",
          "E X_tau^2 <= sigma2 for every tau of the sum implies Var(A) <= sigma2 geo(gamma, N)^2; "
          "by position, window and horizon, sigma2 of the same population",
          Method::certified,
          {"geo for geo^2",
           "gamma^2 for gamma",
           "N - 1 for N",
           "sigma2 padded with zeros after the end"},
          [](const Run& run) {
            Outcome outcome =
                over_credit(run, [&](const CreditCase& one) { return statement(one, run.mutant); });
            outcome.domain += " and horizon";
            return outcome;
          }};
}

}  // namespace gammascope::proofs
