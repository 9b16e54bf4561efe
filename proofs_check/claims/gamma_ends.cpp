// SPDX-License-Identifier: MIT
// Uses the shipped definition of A^(gamma), Eq. (7), on exact numbers.
#include "analysis/credit/discounted_advantage.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/objectives.hpp"
#include "proofs_check/over_processes.hpp"
#include "proofs_check/score_sums.hpp"

namespace gammascope::proofs {
namespace {

std::vector<LogPrime> surrogate(const TinyProcess& p,
                                const std::vector<Response>& all,
                                const Q& gamma) {
  std::vector<LogPrime> advantage;
  return score_sum(p, all, log_ratios(p), [&](const std::vector<LogPrime>& x, std::size_t t) {
    if (t == 0) {
      advantage.clear();
      for (const LogPrime& one : x) advantage.push_back(LogPrime{} - one);  // Delta
      discounted_advantage<LogPrime>(advantage, {}, {}, LogPrime(gamma), Clock::skip, advantage);
    }
    return LogPrime{} - advantage[t];  // -A, as in grad J
  });
}

Verdict decide(const TinyProcess& p, std::size_t mutant) {
  const std::vector<Response> all = responses(p);
  const Q zero = mutant == 1 ? q(1, 2) : q(0), one = mutant == 2 ? q(99, 100) : q(1);
  const Gradient token = token_objective_gradient(p), sequence = sequence_objective_gradient(p);
  const auto at_zero = surrogate(p, all, zero), at_one = surrogate(p, all, one);
  if (at_zero != token)
    return {0,
            "grad J_token against gamma = " + text(zero) + ":\n" + difference(p, token, at_zero)};
  if (at_one != sequence)
    return {0, "grad J_seq against gamma = " + text(one) + ":\n" + difference(p, sequence, at_one)};
  return {2 * token.size(), {}};
}

}  // namespace

Claim gamma_ends() {
  return {"gamma_ends",
          "Eq. (7); theory 2",
          "-E[sum_t A_t^(gamma) grad log pi(y_t|h_t)] is grad J_token at gamma = 0 and grad J_seq "
          "at gamma = 1 (A by "
          "the library's own discounted_advantage)",
          Method::exact,
          {"gamma = 1/2 for 0", "gamma = 99/100 for 1"},
          [](const Run& run) {
            return over_processes(run, identity_domains(), [&](const TinyProcess& p) {
              return decide(p, run.mutant);
            });
          }};
}

}  // namespace gammascope::proofs
