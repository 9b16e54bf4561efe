// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/objectives.hpp"
#include "proofs_check/over_processes.hpp"
#include "proofs_check/score_sums.hpp"

namespace gammascope::proofs {
namespace {

Verdict decide(const TinyProcess& p, std::size_t mutant) {
  const auto weight = [mutant](const std::vector<LogPrime>& x, std::size_t t) {
    LogPrime sum;
    const std::size_t begin = mutant == 1 ? t + 1 : mutant == 2 ? 0 : t;
    const std::size_t end = mutant == 2 ? t + 1 : x.size();
    for (std::size_t k = begin; k < end; ++k) sum -= x[k];
    return sum;
  };
  const Gradient left = mutant == 3 ? token_objective_gradient(p) : sequence_objective_gradient(p);
  const auto right = score_sum(p, responses(p), log_ratios(p), weight);
  if (left == right) return {left.size(), {}};
  return {0,
          "grad J_seq against E[sum_t (sum_{t'>=t} Delta_t') grad log pi(y_t|h_t)]:\n" +
              difference(p, left, right)};
}

}  // namespace

Claim proposition_3_2() {
  return {"proposition_3_2",
          "Proposition 3.2",
          "grad J_seq = E[sum_t (sum_{t'>=t} Delta_t') grad log pi(y_t|h_t)]; every logit",
          Method::exact,
          {"t' > t for t' >= t", "t' <= t for t' >= t", "grad J_token for grad J_seq"},
          [](const Run& run) {
            return over_processes(run, identity_domains(), [&](const TinyProcess& p) {
              return decide(p, run.mutant);
            });
          }};
}

}  // namespace gammascope::proofs
