// SPDX-License-Identifier: MIT
#include "analysis/bounds/theorem_3_3.hpp"
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

/// max_{tau < 16} E[X_tau^2 | T > tau]: no larger than the sigma2 of the statement, which is over
/// all tau, so an inequality with this one is the sharper.
Ball sigma2(const TinyProcess& p, const Table<Ball>& x) {
  std::vector<Ball> second(p.states()), now;
  for (std::size_t s = 0; s < p.states(); ++s) {
    for (std::size_t a = 0; a < p.tokens(); ++a)
      second[s] += Ball(p.student[s][a]) * square(x[s][a]);
    now.emplace_back(p.initial[s]);
  }
  Ball result;
  for (int tau = 0; tau < 16; ++tau) {
    Ball alive, sum;
    std::vector<Ball> after(p.states());
    for (std::size_t s = 0; s < p.states(); ++s) {
      alive += now[s];
      sum.add_product(now[s], second[s]);
      for (std::size_t a = 0; a < p.tokens(); ++a)
        if (p.next[s][a] < p.states())
          after[p.next[s][a]].add_product(now[s], Ball(p.student[s][a]));
    }
    if (alive == Ball(0)) break;
    result = max(result, sum / alive);
    now = after;
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
    const Ball largest = sigma2(p, x);
    const Ball bound = largest / (mutant == 1   ? Ball(1) - gamma
                                  : mutant == 2 ? Ball(1) - square(gamma)
                                                : square(Ball(1) - gamma));
    claims.push_back(
        {"gamma = " + text(g) + ": Var(A) without a cut", second - square(mean), bound});
    if (mutant == 0)
      claims.push_back(agrees("bounds::theorem_3_3_infinite",
                              bounds::theorem_3_3_infinite(bounds::Sigma2(largest.midpoint()),
                                                           Gamma(g.convert_to<double>())),
                              bound,
                              1e-12));
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
                "moment among those alive at tau < 16, which the sigma2 over all tau exceeds";
            return outcome;
          }};
}

}  // namespace gammascope::proofs
