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

}  // namespace

Claim positive_tail() {
  return {"positive_tail",
          "theory-2 1b, 1c",
          "on policy E A+ <= 1/e and E (A+)^2 <= 4/e^2 for every gamma and horizon, so Var(A) <= "
          "4/e^2 + E (A-)^2 and E|A| <= L + 2/e",
          Method::certified,
          {"1/2 for 4/e^2", "1/3 for 1/e", "1/e for 2/e"},
          [](const Run& run) {
            return over_credit(run,
                               [&](const CreditCase& one) { return statement(one, run.mutant); });
          }};
}

}  // namespace gammascope::proofs
