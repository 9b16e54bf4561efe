// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"
#include "proofs_check/solve.hpp"

namespace gammascope::proofs {
namespace {

/// Mean and second moment of A without a cut, per state: (I - gamma P) m = E X and (I - gamma^2 P)
/// w = E[X^2 + 2 gamma X m']. Raw second moments: ball arithmetic shows what they lose.
struct Whole {
  std::vector<Ball> mean, second;
};

Whole whole_credit(const TinyProcess& p, const Table<Ball>& x, const Ball& gamma) {
  const std::size_t n = p.states();
  const auto matrix = [&](const Ball& factor) {
    std::vector<std::vector<Ball>> m(n, std::vector<Ball>(n));
    for (std::size_t s = 0; s < n; ++s) {
      m[s][s] += Ball(1);
      for (std::size_t a = 0; a < p.tokens(); ++a)
        if (p.next[s][a] < n) m[s][p.next[s][a]] -= factor * Ball(p.student[s][a]);
    }
    return m;
  };
  Whole whole;
  std::vector<Ball> right(n);
  for (std::size_t s = 0; s < n; ++s)
    for (std::size_t a = 0; a < p.tokens(); ++a) right[s] += Ball(p.student[s][a]) * x[s][a];
  whole.mean = solve(matrix(gamma), right);
  for (std::size_t s = 0; s < n; ++s) {
    right[s] = Ball(0);
    for (std::size_t a = 0; a < p.tokens(); ++a) {
      const Ball ahead = p.next[s][a] < n ? gamma * whole.mean[p.next[s][a]] : Ball(0);
      right[s] += Ball(p.student[s][a]) * x[s][a] * (x[s][a] + Ball(2) * ahead);
    }
  }
  whole.second = solve(matrix(square(gamma)), right);
  return whole;
}

/// max over states that can be reached of E X^2: at least every sigma2 by position.
Ball sigma2(const TinyProcess& p, const Table<Ball>& x) {
  Ball result;
  std::vector<bool> seen(p.states());
  for (std::size_t s = 0; s < p.states(); ++s) seen[s] = p.initial[s] != 0;
  for (std::size_t round = 0; round < p.states(); ++round)
    for (std::size_t s = 0; s < p.states(); ++s)
      for (std::size_t a = 0; a < p.tokens(); ++a)
        if (seen[s] && p.student[s][a] != 0 && p.next[s][a] < p.states()) seen[p.next[s][a]] = true;
  for (std::size_t s = 0; s < p.states(); ++s) {
    if (!seen[s]) continue;
    Ball second;
    for (std::size_t a = 0; a < p.tokens(); ++a) second += Ball(p.student[s][a]) * square(x[s][a]);
    result = max(result, second);
  }
  return result;
}

std::vector<Inequality> inequalities(const TinyProcess& p, std::size_t mutant) {
  const Table<Ball> x = log_ratio_balls(p);
  std::vector<Inequality> claims;
  for (const Q& g : {q(1, 2), q(9, 10), q(99, 100)}) {
    const Ball gamma(g);
    const Whole whole = whole_credit(p, x, gamma);
    Ball mean, second;
    for (std::size_t s = 0; s < p.states(); ++s) {
      mean += Ball(p.initial[s]) * whole.mean[s];
      second += Ball(p.initial[s]) * whole.second[s];
    }
    const Ball bound = sigma2(p, x) / (mutant == 1   ? Ball(1) - gamma
                                       : mutant == 2 ? Ball(1) - square(gamma)
                                                     : square(Ball(1) - gamma));
    claims.push_back(
        {"gamma = " + text(g) + ": Var(A) without a cut", second - square(mean), bound});
  }
  return claims;
}

}  // namespace

Claim theorem_3_3_infinite() {
  return {"theorem_3_3_infinite",
          "Theorem 3.3",
          "E X_tau^2 <= sigma2 for every tau implies Var(A) <= sigma2 / (1 - gamma)^2 for gamma < "
          "1, whatever the horizon; A without a cut",
          Method::certified,
          {"1 - gamma for (1 - gamma)^2", "1 - gamma^2 for (1 - gamma)^2"},
          [](const Run& run) {
            Outcome outcome = over_processes(run, inequality_domains(), [&](const TinyProcess& p) {
              return decide_inequalities([&] { return inequalities(p, run.mutant); });
            });
            outcome.domain +=
                "; the cut T is not used; gamma = 1/2, 9/10, 99/100; sigma2 = the largest second "
                "moment of a reachable state";
            return outcome;
          }};
}

}  // namespace gammascope::proofs
