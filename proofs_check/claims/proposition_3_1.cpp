// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/objectives.hpp"
#include "proofs_check/over_processes.hpp"
#include "proofs_check/score_sums.hpp"

namespace gammascope::proofs {
namespace {

Verdict decide(const TinyProcess& p, std::size_t mutant) {
  // X = -Delta, hence the signs.
  const auto weight = [mutant](const std::vector<LogPrime>& x, std::size_t t) {
    if (mutant == 1) {
      LogPrime sum;
      for (std::size_t k = t; k < x.size(); ++k) sum -= x[k];
      return sum;
    }
    return LogPrime{} - x[mutant == 2 && t + 1 < x.size() ? t + 1 : t];
  };
  const Gradient left = mutant == 3 ? sequence_objective_gradient(p) : token_objective_gradient(p);
  const auto right = score_sum(p, responses(p), log_ratios(p), weight);
  if (left == right) return {left.size(), {}};
  return {
      0,
      "grad J_token against E[sum_t Delta_t grad log pi(y_t|h_t)]:\n" + difference(p, left, right)};
}

}  // namespace

Claim proposition_3_1() {
  return {"proposition_3_1",
          "Proposition 3.1",
          "grad J_token = E[sum_t Delta_t grad log pi(y_t|h_t)], the prefix distribution held "
          "fixed; every logit",
          Method::exact,
          {"the sum of Delta from t on for Delta_t",
           "Delta_{t+1} for Delta_t",
           "prefix distribution not held fixed"},
          [](const Run& run) {
            return over_processes(run, identity_domains(), [&](const TinyProcess& p) {
              return decide(p, run.mutant);
            });
          }};
}

}  // namespace gammascope::proofs
