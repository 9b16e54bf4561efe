// SPDX-License-Identifier: MIT
#include "proofs_check/over_credit.hpp"

#include <utility>

namespace gammascope::proofs {
namespace {

Truth truth(const Inequality& claim) {
  return claim.strict ? less(claim.left, claim.right) : less_equal(claim.left, claim.right);
}

std::string text(const Inequality& claim) {
  return claim.what + ": " + claim.left.text() + (claim.strict ? " < " : " <= ") +
         claim.right.text();
}

std::vector<Inequality> inequalities(const TinyProcess& process,
                                     const std::vector<Response>& all,
                                     const Statement& statement) {
  const Table<Ball> x = log_ratio_balls(process);
  const BallPaths paths(all, x);
  const PrefixFacts facts = prefix_facts(process, x);
  std::vector<Inequality> result;
  const Q gammas[] = {q(1), q(1, 2), q(9, 10)};
  for (std::size_t t = 0; t < facts.size(); ++t)
    for (std::size_t n = 1; t + n <= process.length; ++n)
      for (const Q& gamma : std::span(gammas).first(n == 1 ? 1 : 3)) {
        const Ball g(gamma);
        const CreditCase one{process,
                             paths,
                             facts,
                             t,
                             n,
                             gamma,
                             paths.credit(t, n, g),
                             bound_inputs(facts, t, n, g)};
        for (Inequality& claim : statement(one)) {
          claim.what = "t = " + std::to_string(t) + ", n = " + std::to_string(n) +
                       ", gamma = " + proofs::text(gamma) + ": " + claim.what;
          result.push_back(std::move(claim));
        }
      }
  return result;
}

}  // namespace

Ball margin() { return Ball(Q(1) / power(Q(10), 30)); }

Inequality agrees(const char* function, double value, const Ball& exact, double tolerance) {
  const Ball gap = exact - Ball(value);
  return {std::string(function) + " agrees with the formula",
          max(gap, -gap),
          exact * Ball(tolerance) + margin()};
}

Verdict decide_inequalities(const std::function<std::vector<Inequality>()>& make) {
  std::string open;
  for (const slong bits : {64, 128, 512, 2048}) {
    const Precision precision(bits);
    const std::vector<Inequality> claims = make();
    open.clear();
    for (const Inequality& claim : claims) {
      const Truth here = truth(claim);
      if (here == Truth::no) return {0, "does not hold: " + text(claim) + "\n"};
      if (here == Truth::unknown && open.empty()) open = text(claim);
    }
    if (open.empty()) return {claims.size(), {}};
  }
  return {0, "not decided with 2048 bits: " + open + "\n"};
}

Verdict decide_credit(const TinyProcess& process, const Statement& statement) {
  const std::vector<Response> all = responses(process);
  return decide_inequalities([&] { return inequalities(process, all, statement); });
}

Outcome over_credit(const Run& run, const Statement& statement) {
  Outcome outcome = over_processes(
      run, inequality_domains(), [&](const TinyProcess& p) { return decide_credit(p, statement); });
  outcome.domain += "; every t and window n, gamma = 1/2, 9/10, 1, alignment position and window";
  return outcome;
}

}  // namespace gammascope::proofs
