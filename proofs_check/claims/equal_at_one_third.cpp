// SPDX-License-Identifier: MIT
// The log-ratios X(s, a) are four free symbols here (the logs of four primes, which are linearly
// independent), so an equality holds for every teacher.
#include <array>

#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"
#include "proofs_check/score_sums.hpp"
#include "simulators/markov/gradient_variance.hpp"

namespace gammascope::proofs {
namespace {

TinyProcess example() {
  return {{Q(1), Q(0)},
          {{q(6, 7), q(1, 7)}, {q(5, 6), q(1, 6)}},
          {{q(1, 3), q(2, 3)}, {q(1, 3), q(2, 3)}},
          {{1, 0}, {0, 0}},
          3};
}

std::vector<LogPrime> surrogate(const TinyProcess& p, const Q& gamma) {
  const auto symbol = [](int prime) { return LogPrime::log(q(prime)); };
  const Table<LogPrime> x{{symbol(2), symbol(3)}, {symbol(5), symbol(7)}};
  return score_sum(p, responses(p), x, [&](const std::vector<LogPrime>& path, std::size_t t) {
    LogPrime sum;
    for (std::size_t k = t; k < path.size(); ++k) sum.add(path[k], power(gamma, k - t));
    return sum;
  });
}

/// |g_gamma - g_1|^2 + tr Cov / B of the teacher (1/3, 2/3) on the grid gamma = k/30: least at
/// 19/30 for B = 1 and at 10/30 for B = 10^8.
Verdict best_falls(std::size_t mutant) {
  const TinyProcess p = example();
  return decide_inequalities([&] {
    const auto process = as_markov<Ball>(p, log_ratio_balls(p));
    std::vector<Ball> bias2, trace;
    const auto moments = [&](long k) {
      return markov::gradient_moments(process, Ball(q(k, 30)), 3, markov::GradientBaseline::none);
    };
    const auto one = moments(30);
    for (long k = 0; k <= 30; ++k) {
      const auto here = moments(k);
      Ball gap2;
      for (std::size_t i = 0; i < one.mean.size(); ++i) gap2 += square(here.mean[i] - one.mean[i]);
      bias2.push_back(gap2);
      trace.push_back(here.trace_cov);
    }
    std::vector<Inequality> claims;
    const auto least = [&](const Q& batch, std::size_t best) {
      const auto error = [&](std::size_t k) { return bias2[k] + trace[k] / Ball(batch); };
      for (std::size_t k = 0; k <= 30; ++k)
        if (k != best)
          claims.push_back({"B = " + text(batch) + ": error at gamma " + std::to_string(best) +
                                "/30 against " + std::to_string(k) + "/30",
                            error(best),
                            error(k),
                            true});
    };
    least(Q(1), 19);
    least(Q(100000000), mutant == 3 ? 19 : 10);
    return claims;
  });
}

Outcome check(const Run& run) {
  const TinyProcess p = example();
  const Q gamma = run.mutant == 1 ? q(1, 2) : q(1, 3);
  Outcome outcome;
  outcome.domain =
      "the example of theory-2 6c, X(s, a) free; gamma = 0, 1/4, 1/2, 2/3 beside it; the error "
      "with "
      "teacher (1/3, 2/3) on the grid k/30, certified";
  const auto at_one = surrogate(p, Q(1)), at_third = surrogate(p, gamma);
  outcome.checked = at_one.size();
  if (at_third != at_one)
    outcome.counterexample = "gamma = " + text(gamma) +
                             " against gamma = 1 (log 2, log 3, log 5, log 7 stand for X(0,0), "
                             "X(0,1), X(1,0), X(1,1)):\n" +
                             difference(p, at_third, at_one);
  for (const Q& other : {q(0), q(1, 4), q(1, 2), q(2, 3)}) {
    ++outcome.checked;
    const auto here = surrogate(p, other);
    const bool claimed_equal = run.mutant == 2 && other == 0;
    if ((here == at_one) != claimed_equal && !outcome.counterexample)
      outcome.counterexample =
          "gamma = " + text(other) + " against gamma = 1:\n" + difference(p, here, at_one);
  }
  const Verdict falls = best_falls(run.mutant);
  outcome.checked += falls.cases;
  if (falls.counterexample && !outcome.counterexample)
    outcome.counterexample = p.text() + *falls.counterexample;
  return outcome;
}

}  // namespace

Claim equal_at_one_third() {
  return {
      "equal_at_one_third",
      "theory-2 6c",
      "in the 2-state example g_{1/3} = g_1 for every teacher, while g_gamma differs from g_1 "
      "at other gamma: "
      "the bias is not monotone in gamma, and the best gamma falls from 19/30 for B = 1 to 1/3 for "
      "B = 10^8",
      Method::exact,
      {"gamma = 1/2 for 1/3", "g_0 = g_1 as well", "the best gamma does not fall"},
      check};
}

}  // namespace gammascope::proofs
