// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_processes.hpp"
#include "proofs_check/score_sums.hpp"

namespace gammascope::proofs {
namespace {

/// E[(sum_t X_t)(sum_t grad log pi)]: the product of the two sums, response by response.
std::vector<LogPrime> product_form(const TinyProcess& p, const std::vector<Response>& all) {
  std::vector<LogPrime> result(p.states() * p.tokens());
  for (const Response& y : all) {
    Q student{1}, teacher{1};
    std::vector<Q> score(result.size());
    for (std::size_t t = 0; t < y.size(); ++t) {
      const std::uint32_t s = y.state[t];
      student *= p.student[s][y.token[t]];
      teacher *= p.teacher[s][y.token[t]];
      score[s * p.tokens() + y.token[t]] += 1;
      for (std::size_t b = 0; b < p.tokens(); ++b) score[s * p.tokens() + b] -= p.student[s][b];
    }
    const LogPrime total = LogPrime::log(teacher / student);
    for (std::size_t i = 0; i < result.size(); ++i) result[i].add(total, y.probability * score[i]);
  }
  return result;
}

Verdict decide(const TinyProcess& p, std::size_t mutant) {
  const std::vector<Response> all = responses(p);
  const auto weight = [mutant](const std::vector<LogPrime>& x, std::size_t t) {
    LogPrime sum;
    for (std::size_t k = mutant == 1 ? t + 1 : t; k < x.size() && (mutant != 2 || k == t); ++k)
      sum += x[k];
    return sum;
  };
  const auto causal = score_sum(p, all, log_ratios(p), weight);
  const auto product = product_form(p, all);
  if (causal == product) return {product.size(), {}};
  return {0, "product form against causal form:\n" + difference(p, product, causal)};
}

}  // namespace

Claim causal_form() {
  return {"causal_form",
          "theory 2",
          "E[(sum_t Delta_t)(sum_t grad log pi)] = E[sum_t (sum_{t'>=t} Delta_t') grad log "
          "pi(y_t|h_t)]: what lies "
          "before a token adds nothing on average",
          Method::exact,
          {"t' > t for t' >= t", "Delta_t alone for the sum"},
          [](const Run& run) {
            return over_processes(run, identity_domains(), [&](const TinyProcess& p) {
              return decide(p, run.mutant);
            });
          }};
}

}  // namespace gammascope::proofs
