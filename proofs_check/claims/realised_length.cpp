// SPDX-License-Identifier: MIT
#include <map>
#include <utility>

#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_processes.hpp"
#include "proofs_check/trajectories.hpp"

namespace gammascope::proofs {
namespace {

/// Probability that a response of `policy` ends by the end token after n tokens.
Q ends_after(const TinyProcess& p, const Table<Q>& policy, std::size_t n) {
  std::vector<Q> now = p.initial;
  for (std::size_t t = 0; t < n; ++t) {
    std::vector<Q> after(p.states());
    Q ended;
    for (std::size_t s = 0; s < p.states(); ++s)
      for (std::size_t a = 0; a < p.tokens(); ++a)
        (p.next[s][a] == p.states() ? ended : after[p.next[s][a]]) += now[s] * policy[s][a];
    if (t + 1 == n) return ended;
    now = after;
  }
  return Q(0);
}

Verdict decide(const TinyProcess& p, std::size_t mutant) {
  std::map<std::size_t, std::pair<Q, Q>> by_length;  // P(T = n), E[exp(A_0) 1[T = n]]
  for (const Response& y : responses(p)) {
    if (!y.ended) continue;
    Q ratio(1);
    for (std::size_t t = 0; t < y.size(); ++t)
      ratio *= p.teacher[y.state[t]][y.token[t]] / p.student[y.state[t]][y.token[t]];
    auto& [probability, mean] = by_length[y.size()];
    probability += y.probability;
    mean += y.probability * ratio;
  }
  for (const auto& [n, sums] : by_length) {
    const Q left = sums.second / sums.first;
    const Q right = ends_after(p, p.teacher, mutant == 2 ? n + 1 : n) / ends_after(p, p.student, n);
    if (left != right || (mutant == 1 && left > 1))
      return {0,
              "E[exp(A_0) | T = " + std::to_string(n) + "] = " + text(left) +
                  ", P_teacher(T = n)/P_student(T = n) = " + text(right) + "\n"};
  }
  return {by_length.size(), {}};
}

}  // namespace

Claim realised_length() {
  return {
      "realised_length",
      "theory-2 1e",
      "at gamma = 1, E[exp(A_0) | T = n] = P_teacher(T = n)/P_student(T = n), so (OP) fails when "
      "the realised length decides which tokens count: 1024/625 at n = 4 for stop probabilities "
      "1/2 and 1/5",
      Method::exact,
      {"(OP) holds by realised length", "n + 1 for n"},
      [](const Run& run) {
        Outcome outcome = over_processes(
            run, {{sixths({3}), 1500}, {random_larger(1500), 100}}, [&](const TinyProcess& p) {
              return decide(p, run.mutant);
            });
        if (outcome.counterexample) return outcome;
        const TinyProcess stops{{Q(1)}, {{q(1, 2), q(1, 2)}}, {{q(4, 5), q(1, 5)}}, {{0, 1}}, 8};
        const std::pair<std::size_t, Q> stated[] = {
            {1, q(2, 5)}, {2, q(16, 25)}, {4, q(1024, 625)}, {8, q(2, 5) * power(q(8, 5), 7)}};
        for (const auto& [n, value] : stated) {
          const Q ratio = ends_after(stops, stops.teacher, n) / ends_after(stops, stops.student, n);
          ++outcome.checked;
          outcome.notes.push_back("stop probabilities 1/2 and 1/5: E[exp(A_0) | T = " +
                                  std::to_string(n) + "] = " + text(ratio));
          if (ratio != value)
            outcome.counterexample =
                stops.text() + "stated " + text(value) + ", is " + text(ratio) + "\n";
        }
        const Verdict verdict = decide(stops, run.mutant);
        if (verdict.counterexample) outcome.counterexample = stops.text() + *verdict.counterexample;
        return outcome;
      }};
}

}  // namespace gammascope::proofs
