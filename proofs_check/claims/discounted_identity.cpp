// SPDX-License-Identifier: MIT
#include "proofs_check/chains.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/rational_credit.hpp"

namespace gammascope::proofs {
namespace {

/// (I - factor P)^{-1} right.
std::vector<Q> resolvent(const Table<Q>& m, const Q& factor, std::vector<Q> right) {
  Table<Q> matrix = m;
  for (std::size_t s = 0; s < m.size(); ++s)
    for (std::size_t k = 0; k < m.size(); ++k) matrix[s][k] = (s == k ? 1 : 0) - factor * m[s][k];
  return solve(std::move(matrix), std::move(right));
}

Verdict decide(const TinyProcess& p, const Table<Q>& x, std::size_t mutant) {
  const Table<Q> m = transitions(p);
  if (!irreducible(m)) return {};
  const std::vector<Q> d = stationary(m), r = mean_log_ratio(p, x);
  for (const Q& gamma : {q(1, 2), q(9, 10), q(99, 100)}) {
    const std::vector<Q> mean = resolvent(m, gamma, r);
    std::vector<Q> right(2);
    Q one_step;  // sigma_gamma^2
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t a = 0; a < 2; ++a) {
        const Q ahead = gamma * mean[p.next[s][a]];
        right[s] += p.student[s][a] * (x[s][a] * x[s][a] + 2 * x[s][a] * ahead);
        const Q gap = x[s][a] + ahead - mean[s];
        one_step += d[s] * p.student[s][a] * gap * gap;
      }
    // Left: the second moment w = E[X^2 + 2 gamma X m' + gamma^2 w'], no variance recursion.
    const std::vector<Q> second = resolvent(m, gamma * gamma, right);
    const Q average = d[0] * mean[0] + d[1] * mean[1];
    const Q left = d[0] * second[0] + d[1] * second[1] - average * average;
    const Q between = d[0] * mean[0] * mean[0] + d[1] * mean[1] * mean[1] - average * average;
    const Q stated =
        (mutant == 2 ? Q(0) : between) + one_step / (1 - (mutant == 1 ? gamma : Q(gamma * gamma)));
    if (left != stated)
      return {0,
              "gamma = " + text(gamma) + ": Var(A) = " + text(left) + ", stated " + text(stated) +
                  "\n"};
  }
  return {3, {}};
}

}  // namespace

Claim discounted_identity() {
  return {"discounted_identity",
          "theory-2 9b",
          "N = infinity, gamma < 1, stationary start: Var(A) = Var_d(m) + sigma_gamma^2 / (1 - "
          "gamma^2), m = (I - gamma P)^{-1} r, sigma_gamma^2 = E(X + gamma m(s') - m(s))^2",
          Method::exact,
          {"1 - gamma for 1 - gamma^2", "Var_d(m) left out"},
          [](const Run& run) {
            Outcome outcome;
            const Family family = sixths({3});
            const Sample sample{family.size, run.quick ? std::uint64_t{800} : std::uint64_t{30000}};
            outcome.domain = "irreducible ones without an end of: " + family.description + " (" +
                             sample.text() + "); X(s, a) = k/4; gamma = 1/2, 9/10, 99/100";
            sweep(
                run,
                sample,
                [&](std::uint64_t i) {
                  TinyProcess p = family.at(i);
                  for (auto& row : p.next)
                    for (auto& next : row) next %= 2;  // the end becomes state 0
                  const Table<Q> x = rational_log_ratios(p, i);
                  Verdict verdict = decide(p, x, run.mutant);
                  if (verdict.counterexample)
                    verdict.counterexample = p.text() + "  X: " + text(x[0][0]) + " " +
                                             text(x[0][1]) + " " + text(x[1][0]) + " " +
                                             text(x[1][1]) + "\n" + *verdict.counterexample;
                  return verdict;
                },
                outcome);
            return outcome;
          }};
}

}  // namespace gammascope::proofs
