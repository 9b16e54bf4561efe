// SPDX-License-Identifier: MIT
// gamma = 1 and lambda = 1 exactly over Q, where exp(A) is a product of quotients; fractional
// powers as balls.
#include <algorithm>

#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_credit.hpp"

namespace gammascope::proofs {
namespace {

/// exp of the undiscounted partial sums of one response from token t on: exactly.
struct ExactPath {
  Q probability, last, highest;
};

std::vector<ExactPath> exact_paths(const TinyProcess& p,
                                   const std::vector<Response>& all,
                                   std::size_t t) {
  std::vector<ExactPath> paths;
  for (const Response& y : all) {
    if (y.size() <= t) continue;
    ExactPath path{y.probability, Q(1), Q(0)};
    for (std::size_t k = t; k < y.size(); ++k) {
      path.last *= p.teacher[y.state[k]][y.token[k]] / p.student[y.state[k]][y.token[k]];
      path.highest = std::max(path.highest, path.last);
    }
    paths.push_back(path);
  }
  return paths;
}

Verdict decide_exact(const TinyProcess& p, std::size_t mutant) {
  const std::vector<Response> all = responses(p);
  std::uint64_t cases = 0;
  for (std::size_t t = 0; t < p.length; ++t) {
    const auto paths = exact_paths(p, all, t);
    if (paths.empty()) break;
    Q total, mean;
    for (const ExactPath& path : paths) {
      total += path.probability;
      mean += path.probability * (mutant == 1 ? Q(path.last * path.last) : path.last);
    }
    if (mean > total)
      return {0,
              "t = " + std::to_string(t) + ": E exp(" + (mutant == 1 ? "2 " : "") +
                  "A) = " + text(Q(mean / total)) + " > 1 at gamma = 1\n"};
    // Ville: P(sup_N exp(A_N) >= r) <= 1/r at every level r that is taken.
    for (const ExactPath& level : paths) {
      Q reached;
      for (const ExactPath& path : paths)
        if (path.highest >= level.highest) reached += path.probability;
      const Q r = mutant == 2 ? Q(level.highest * level.highest) : level.highest;
      if (level.highest > 1 && reached * r > total)
        return {0,
                "t = " + std::to_string(t) + ": P(sup_N A_N >= log " + text(level.highest) +
                    ") = " + text(Q(reached / total)) + "\n"};
      ++cases;
    }
  }
  return {cases, {}};
}

std::vector<Inequality> fractional(const CreditCase& one, std::size_t mutant) {
  std::vector<Inequality> claims;
  for (const Q& lambda : {q(1, 3), q(1)}) {
    if (one.gamma == 1 && lambda == 1) continue;
    if (one.in.sigma2 == Ball(0)) continue;
    const Ball l(mutant == 3 ? Q(3 * lambda) : lambda);
    claims.push_back({"E exp(" + text(lambda) + " A)",
                      one.law.mean([&](const Ball& a) { return exp(l * a); }),
                      Ball(1) + margin()});
  }
  return claims;
}

}  // namespace

Claim supermartingale() {
  return {"supermartingale",
          "theory-2 1a",
          "on policy E[exp(lambda A) | T > t] <= 1 for lambda in [0, 1] and every gamma and "
          "horizon; P(sup_N A_N >= u) <= exp(-u) at gamma = 1",
          Method::certified,
          {"exp(2A) for exp(A)", "exp(-2u) for exp(-u)", "3 lambda for lambda"},
          [](const Run& run) {
            Outcome outcome;
            if (run.mutant != 3)
              outcome = over_processes(run, inequality_domains(), [&](const TinyProcess& p) {
                return decide_exact(p, run.mutant);
              });
            if (outcome.counterexample) return outcome;
            const Outcome rest = over_credit(
                run, [&](const CreditCase& one) { return fractional(one, run.mutant); });
            return Outcome{rest.domain + "; gamma = lambda = 1 and the supremum exactly over Q",
                           outcome.checked + rest.checked,
                           {},
                           rest.counterexample};
          }};
}

}  // namespace gammascope::proofs
