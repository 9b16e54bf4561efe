// SPDX-License-Identifier: MIT
// V1* is a supremum over p, so its value at any feasible p is a lower bound of it: a variance below
// that value is below V1*.
#include <cmath>

#include "analysis/bounds/sharp.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

struct TwoPoint {
  Ball variance, second;  ///< p (1 - p) (c + e)^2 and p c^2 + (1 - p) e^2
};

/// X in {-c, e(p)}, P(-c) = p, E exp(X) = 1.
TwoPoint two_point(const Ball& p, const Ball& c) {
  const Ball e = log((Ball(1) - p * exp(-c)) / (Ball(1) - p));
  return {p * (Ball(1) - p) * square(c + e), p * square(c) + (Ball(1) - p) * square(e)};
}

double second_at(double p, double c) {
  const double e = std::log1p(-p * std::exp(-c)) - std::log1p(-p);
  return p * c * c + (1 - p) * e * e;
}
double variance_at(double p, double c) {
  const double e = std::log1p(-p * std::exp(-c)) - std::log1p(-p);
  return p * (1 - p) * (c + e) * (c + e);
}

/// Where the variance is largest without a bound on the second moment.
double best_p(double c) {
  double low = 0, high = 1;
  for (int i = 0; i < 200; ++i) {
    const double a = low + (high - low) * 0.382, b = low + (high - low) * 0.618;
    (variance_at(a, c) < variance_at(b, c) ? low : high) =
        variance_at(a, c) < variance_at(b, c) ? a : b;
  }
  return low;
}

/// A feasible p close to the best: the second moment is certainly below sigma2.
double feasible_p(double sigma2, double c) {
  double low = 0, high = best_p(c);
  if (second_at(high, c) < sigma2 * (1 - 1e-12)) return high;
  for (int i = 0; i < 100; ++i) {
    const double middle = low + (high - low) / 2;
    (second_at(middle, c) < sigma2 * (1 - 1e-12) ? low : high) = middle;
  }
  return low;
}

/// A certified lower bound of V1*(sigma2, c), or 0.
Ball v1_star_from_below(const Ball& sigma2, const Ball& c) {
  if (!(c > Ball(0)) || !(sigma2 > Ball(0))) return Ball(0);
  const TwoPoint at = two_point(Ball(feasible_p(sigma2.midpoint(), c.midpoint())), c);
  return at.second <= sigma2 ? at.variance : Ball(0);
}

/// Variances that reach V1* itself (the two-point laws do) are decided up to this factor.
const Q allowance = 1 + q(1, 1000000000);

std::vector<Inequality> statement(const CreditCase& one, std::size_t mutant) {
  const Ball sigma2 = mutant == 2 ? min(one.in.sigma2, square(one.in.c)) : one.in.sigma2;
  Ball v1 = v1_star_from_below(sigma2, one.in.c);
  if (mutant == 1) v1 *= Ball(q(999, 1000));
  std::vector<Inequality> claims{
      {"Var(A)", one.law.variance(), Ball(allowance) * square(one.in.g) * v1}};
  if (mutant == 0 && v1 > Ball(0)) {
    claims.push_back(
        agrees("bounds::v1_star",
               bounds::v1_star(bounds::Sigma2(one.in.sigma2.midpoint()), one.in.c.midpoint()),
               v1,
               1e-9));
  }
  return claims;
}

}  // namespace

Claim sharp_v1() {
  return {"sharp_v1",
          "theory-2 2b",
          "on policy with Delta <= c and E X^2 <= sigma2: Var(A) <= geo(gamma, N)^2 V1*(sigma2, c) "
          "(to a factor 1 + 1e-9), attained at N = 1 by the two-point laws {-c, e(p)}",
          Method::certified,
          {"999/1000 of V1*", "sigma2 clipped to c^2"},
          [](const Run& run) {
            Outcome outcome =
                over_credit(run, [&](const CreditCase& one) { return statement(one, run.mutant); });
            if (run.mutant != 2 || outcome.counterexample) return outcome;
            // Clipping shows where sigma2 > c^2: one token, c = 1/10, nearly all of it X > 0.
            const TinyProcess p{{Q(1)},
                                {{q(7, 10), q(3, 10)}},
                                {{q(7, 10) / q(111, 100), 1 - q(7, 10) / q(111, 100)}},
                                {{0, 0}},
                                1};
            const Verdict verdict =
                decide_credit(p, [&](const CreditCase& one) { return statement(one, run.mutant); });
            if (verdict.counterexample) outcome.counterexample = p.text() + *verdict.counterexample;
            outcome.checked += verdict.cases;
            return outcome;
          }};
}

}  // namespace gammascope::proofs
