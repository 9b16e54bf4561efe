// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

Ball positive_part(const Ball& a) { return max(a, Ball(0)); }

std::vector<Inequality> statement(const CreditCase& one, std::size_t mutant) {
  const Ball e = exp(Ball(1));
  const Ball first = Ball(1) / e, second = mutant == 1 ? Ball(q(1, 2)) : Ball(4) / square(e);
  const Ball mean = one.law.mean(positive_part);
  const Ball square_mean = one.law.mean([](const Ball& a) { return square(positive_part(a)); });
  const Ball size = one.law.mean([](const Ball& a) { return max(a, -a); });
  const Ball negative = one.law.mean([](const Ball& a) { return square(positive_part(-a)); });
  return {{"E A+", mean, mutant == 2 ? Ball(q(1, 3)) : first},
          {"E (A+)^2", square_mean, second},
          {"Var(A) against the constant and the negative side",
           one.law.variance(),
           Ball(4) / square(e) + negative},
          {"E|A| against L + 2/e", size, one.in.l + (mutant == 3 ? first : Ball(2) * first)}};
}

/// One token, X = log((1 - rest)/p) with probability p, else very negative.
TinyProcess large_gain(const Q& p) {
  const Q rest = q(1, 10000000);
  return {{Q(1)}, {{p, 1 - p}}, {{1 - rest, rest}}, {{1, 1}}, 1};
}

/// p a little below exp(-q) reaches (q/e)^q up to the factor `share`, q = 1 and 2.
Verdict best_possible(const Q& share) {
  return decide_inequalities([&]() -> std::vector<Inequality> {
    std::vector<Inequality> claims;
    const Ball e = exp(Ball(1));
    const auto add = [&](const char* what, const Q& p, bool squared, const Ball& constant) {
      const TinyProcess process = large_gain(p);
      const Law law = BallPaths(responses(process), log_ratio_balls(process)).credit(0, 1, Ball(1));
      const Ball value = law.mean(
          [&](const Ball& a) { return squared ? square(positive_part(a)) : positive_part(a); });
      claims.push_back({what, Ball(share) * constant, value});
    };
    add("E A+ of the law near 1/e", q(3678, 10000), false, Ball(1) / e);
    add("E (A+)^2 of the law near 4/e^2", q(1353, 10000), true, Ball(4) / square(e));
    return claims;
  });
}

}  // namespace

Claim positive_tail() {
  return {"positive_tail",
          "theory-2 1b, 1c",
          "on policy E A+ <= 1/e and E (A+)^2 <= 4/e^2 for every gamma and horizon, so Var(A) <= "
          "4/e^2 + E (A-)^2 and E|A| <= L + 2/e; both constants are reached to 1 part in 1000",
          Method::certified,
          {"1/2 for 4/e^2", "1/3 for 1/e", "1/e for 2/e", "they are exceeded by 1 part in 1000"},
          [](const Run& run) {
            Outcome outcome =
                over_credit(run, [&](const CreditCase& one) { return statement(one, run.mutant); });
            if (outcome.counterexample) return outcome;
            const Verdict best = best_possible(run.mutant == 4 ? q(1001, 1000) : q(999, 1000));
            outcome.domain += "; best possible: one law for each constant";
            outcome.checked += best.cases;
            outcome.counterexample = best.counterexample;
            return outcome;
          }};
}

}  // namespace gammascope::proofs
