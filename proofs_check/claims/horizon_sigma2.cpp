// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

/// Var(A) by horizon n at gamma = 1 against sigma2 over positions: two numbers and their quotient.
struct Example {
  Ball variance, sigma2, ratio;
};

Example example(const TinyProcess& p, std::size_t n) {
  const Table<Ball> x = log_ratio_balls(p);
  const BallPaths paths(responses(p), x);
  const PrefixFacts facts = prefix_facts(p, x);
  Example e;
  e.variance = paths.credit_by_horizon(n, Ball(1)).variance();
  for (const Ball& second : facts.second) e.sigma2 = max(e.sigma2, second);
  e.ratio = e.variance / (e.sigma2 * Ball(n) * Ball(n));
  return e;
}

/// Token 1 ends; the student seldom does, the teacher's view of the end depends on the state.
TinyProcess late_surprise() {
  return {{q(1, 2), q(1, 2)},
          {{q(9, 10), q(1, 10)}, {q(9, 10), q(1, 10)}},
          {{q(999, 1000), q(1, 1000)}, {q(9, 10), q(1, 10)}},
          {{0, 2}, {1, 2}},
          3};
}

}  // namespace

Claim horizon_sigma2() {
  return {
      "horizon_sigma2",
      "theory 5.4",
      "by horizon, sigma2 taken over positions is not enough: Var(A) among ended responses exceeds "
      "sigma2_position N^2 in an example (with sigma2 of the ended responses Theorem 3.3 holds "
      "there: theorem_3_3_finite)",
      Method::certified,
      {"sigma2 over positions is enough", "it exceeds the sigma2 of the ended responses too"},
      [](const Run& run) {
        const TinyProcess p = late_surprise();
        Outcome outcome;
        outcome.domain = "an explicit process of 2 states, horizon N = 1, gamma = 1";
        const Verdict verdict = decide_inequalities([&]() -> std::vector<Inequality> {
          const Example e = example(p, 1);
          if (run.mutant == 1)
            return {{"Var(A) by horizon against sigma2 over positions", e.variance, e.sigma2}};
          if (run.mutant == 2) {
            const BallPaths paths(responses(p), log_ratio_balls(p));
            const Ball own = paths.log_ratio_by_horizon(1, 1).second_moment();
            return {{"sigma2 of the ended responses against Var(A)", own, e.variance, true}};
          }
          return {{"sigma2 over positions against Var(A) by horizon", e.sigma2, e.variance, true}};
        });
        outcome.checked = verdict.cases;
        if (verdict.counterexample) outcome.counterexample = p.text() + *verdict.counterexample;
        outcome.notes.push_back("Var(A) / (sigma2_position N^2) at N = 1: " +
                                example(p, 1).ratio.text());
        return outcome;
      }};
}

}  // namespace gammascope::proofs
