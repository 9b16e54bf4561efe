// SPDX-License-Identifier: MIT
#include <atomic>

#include "proofs_check/claims/all.hpp"
#include "proofs_check/objectives.hpp"
#include "proofs_check/over_processes.hpp"
#include "proofs_check/score_sums.hpp"

namespace gammascope::proofs {
namespace {

Gradient difference_of(const Gradient& a, const Gradient& b) {
  Gradient result = a;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= b[i];
  return result;
}

bool is_zero(const Gradient& g) {
  for (const LogPrime& x : g)
    if (!x.is_zero()) return false;
  return true;
}

}  // namespace

Claim token_bias() {
  return {
      "token_bias",
      "theory 2",
      "grad J_seq - grad J_token = E[sum_t (sum_{t'>t} Delta_t') grad log pi(y_t|h_t)], and it is "
      "not always 0: "
      "the token gradient is biased for the sequence objective",
      Method::exact,
      {"t' >= t for t' > t", "it is always 0"},
      [](const Run& run) {
        std::atomic<std::uint64_t> biased{0};
        Outcome outcome = over_processes(run, identity_domains(), [&](const TinyProcess& p) {
          const Gradient gap =
              difference_of(sequence_objective_gradient(p), token_objective_gradient(p));
          const auto future = score_sum(
              p, responses(p), log_ratios(p), [&](const std::vector<LogPrime>& x, std::size_t t) {
                LogPrime sum;
                for (std::size_t k = run.mutant == 1 ? t : t + 1; k < x.size(); ++k) sum -= x[k];
                return sum;
              });
          if (gap != future)
            return Verdict{0, "gap against future credit:\n" + difference(p, gap, future)};
          if (!is_zero(gap)) {
            ++biased;
            if (run.mutant == 2)
              return Verdict{0, "the gap is not 0:\n" + difference(p, gap, Gradient(gap.size()))};
          }
          return Verdict{gap.size(), {}};
        });
        const TinyProcess example{{Q(1), Q(0)},
                                  {{q(1, 2), q(1, 2)}, {q(1, 2), q(1, 2)}},
                                  {{q(1, 2), q(1, 2)}, {q(1, 3), q(2, 3)}},
                                  {{0, 1}, {1, 1}},
                                  2};
        const Gradient gap =
            difference_of(sequence_objective_gradient(example), token_objective_gradient(example));
        outcome.notes.push_back("processes with a gap: " + std::to_string(biased.load()));
        outcome.notes.push_back(
            "example, T = 2, student fair, teacher fair in state 0 and (1/3, 2/3) in state 1, "
            "token 1 leads to state 1: exact gap in logit(0, 1) = " +
            gap[1].text());
        if (run.mutant == 0 && !outcome.counterexample && is_zero(gap))
          outcome.counterexample = example.text() + "no gap in the example\n";
        return outcome;
      }};
}

}  // namespace gammascope::proofs
