// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/families.hpp"
#include "proofs_check/score_sums.hpp"
#include "proofs_check/sweep.hpp"

namespace gammascope::proofs {
namespace {

/// Student and teacher of two binary tokens, prefixes as states, probabilities k/6.
TinyProcess member(std::uint64_t index) {
  TinyProcess p;
  p.initial = {Q(1), Q(0), Q(0)};
  for (int s = 0; s < 3; ++s) {
    const auto student = static_cast<long>(1 + index % 5),
               teacher = static_cast<long>(1 + index / 5 % 5);
    index /= 25;
    p.student.push_back({q(student, 6), q(6 - student, 6)});
    p.teacher.push_back({q(teacher, 6), q(6 - teacher, 6)});
  }
  p.next = {{1, 2}, {3, 3}, {3, 3}};
  p.length = 2;
  return p;
}

Verdict decide(const TinyProcess& p, std::size_t mutant) {
  const std::vector<Response> all = responses(p);
  const Table<LogPrime> x = log_ratios(p);
  for (const Q& gamma : {q(0), q(1, 2), q(9, 10), q(1)}) {
    std::vector<LogPrime> g =
        score_sum(p, all, x, [&](const std::vector<LogPrime>& path, std::size_t t) {
          LogPrime a;
          for (std::size_t k = t; k < path.size(); ++k) a.add(path[k], power(gamma, k - t));
          return a;
        });
    if (mutant == 1) g = {g[0] + g[2] + g[4], g[1] + g[3] + g[5]};
    if (mutant == 2) g.resize(2);
    bool stationary = true;
    for (const LogPrime& one : g) stationary = stationary && one.is_zero();
    if (stationary != (p.student == p.teacher))
      return {
          0, p.text() + "gamma = " + text(gamma) + ": g is " + (stationary ? "0" : "not 0") + "\n"};
  }
  return {4, {}};
}

}  // namespace

Claim stationary_realizable() {
  return {
      "stationary_realizable",
      "theory-2 8a",
      "full support, logits by prefix, finite T: g_gamma = 0 only at teacher = student, for every "
      "gamma in [0, 1]",
      Method::exact,
      {"logits shared by all prefixes", "only the first token's logits"},
      [](const Run& run) {
        Outcome outcome;
        const Sample sample = Sample::of(run, 15625, 600);
        outcome.domain = "two binary tokens, all student and teacher probabilities k/6 (" +
                         sample.text() + "); gamma = 0, 1/2, 9/10, 1";
        sweep(
            run, sample, [&](std::uint64_t i) { return decide(member(i), run.mutant); }, outcome);
        return outcome;
      }};
}

}  // namespace gammascope::proofs
