// SPDX-License-Identifier: MIT
// The log-ratios X(s, a) are four free symbols here (the logs of four primes, which are linearly
// independent), so an equality holds for every teacher.
#include <array>

#include "proofs_check/claims/all.hpp"
#include "proofs_check/score_sums.hpp"

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

Outcome check(const Run& run) {
  const TinyProcess p = example();
  const Q gamma = run.mutant == 1 ? q(1, 2) : q(1, 3);
  Outcome outcome;
  outcome.domain = "the example of theory-2 6c, X(s, a) free; gamma = 0, 1/4, 1/2, 2/3 beside it";
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
  return outcome;
}

}  // namespace

Claim equal_at_one_third() {
  return {"equal_at_one_third",
          "theory-2 6c",
          "in the 2-state example g_{1/3} = g_1 for every teacher, while g_gamma differs from g_1 "
          "at other gamma: "
          "the bias is not monotone in gamma",
          Method::exact,
          {"gamma = 1/2 for 1/3", "g_0 = g_1 as well"},
          check};
}

}  // namespace gammascope::proofs
