// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/over_processes.hpp"
#include "proofs_check/trajectories.hpp"

namespace gammascope::proofs {
namespace {

/// Teacher's probability of leaving the student's trajectories, its tokens outside the table
/// included; walks the teacher's own tree.
Q lost(const TinyProcess& p, std::size_t s, std::size_t left, const Q& weight) {
  if (s == p.states() || left == 0) return Q(0);
  Q inside, result;
  for (std::size_t a = 0; a < p.tokens(); ++a) {
    if (p.student[s][a] == 0) continue;
    inside += p.teacher[s][a];
    result += lost(p, p.next[s][a], left - 1, weight * p.teacher[s][a]);
  }
  return result + weight * (1 - inside);
}

Verdict decide(TinyProcess p, std::uint64_t salt, std::size_t mutant) {
  // Some tokens are taken from the student: there the teacher leaves its trajectories.
  if (salt % 3 == 0) {
    p.student[0][0] += p.student[0][1];
    p.student[0][1] = 0;
  }
  Q mean;
  for (const Response& y : responses(p)) {
    Q ratio(1);
    for (std::size_t t = 0; t < y.size(); ++t)
      ratio *= p.teacher[y.state[t]][y.token[t]] / p.student[y.state[t]][y.token[t]];
    mean += y.probability * ratio;
  }
  Q outside;
  for (std::size_t s = 0; s < p.states(); ++s) outside += lost(p, s, p.length, p.initial[s]);
  const Q stated = mutant == 1 ? Q(1) : Q(1 - outside);
  if (mean == stated) return {1, {}};
  return {0, p.text() + "E exp(A_0) = " + text(mean) + ", stated " + text(stated) + "\n"};
}

}  // namespace

Claim teacher_mass() {
  return {"teacher_mass",
          "theory-2 1d",
          "at gamma = 1, E exp(A_0) = 1 - the teacher's mass off the student's trajectories",
          Method::exact,
          {"1 always"},
          [](const Run& run) {
            Outcome outcome;
            const Family families[] = {random_larger(3000), sixths({3})};
            const std::uint64_t quick[] = {200, 600};
            for (int i = 0; i < 2 && !outcome.counterexample; ++i) {
              const Sample sample = Sample::of(run, families[i].size, quick[i]);
              outcome.domain += (i == 0 ? "" : "; ") + families[i].description +
                                ", every third with a token that the student never emits (" +
                                sample.text() + ")";
              sweep(
                  run,
                  sample,
                  [&](std::uint64_t k) { return decide(families[i].at(k), k, run.mutant); },
                  outcome);
            }
            return outcome;
          }};
}

}  // namespace gammascope::proofs
