// SPDX-License-Identifier: MIT
#include "proofs_check/chains.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/families.hpp"
#include "proofs_check/sweep.hpp"
#include "simulators/markov/exact_moments.hpp"

namespace gammascope::proofs {
namespace {

/// sigma_clt^2 = 0 iff X - rbar + h(s') - h(s) = 0 for every token: each is a LogPrime, so exactly.
Verdict decide(TinyProcess p, std::size_t mutant) {
  for (auto& row : p.next)
    for (auto& next : row) next %= 2;
  const Table<Q> m = transitions(p);
  if (!irreducible(m)) return {};
  if (mutant == 1)  // the teacher keeps mass elsewhere
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t a = 0; a < 2; ++a) p.teacher[s][a] = p.student[s][a] / 3;
  const Table<LogPrime> x = log_ratios(p);
  const std::vector<Q> d = stationary(m);
  const std::vector<LogPrime> r = mean_log_ratio(p, x), h = poisson_solution(m, d, r);
  const LogPrime mean = d[0] * r[0] + d[1] * r[1];
  bool zero = true;
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t a = 0; a < 2; ++a)
      zero = zero && (x[s][a] - mean + h[p.next[s][a]] - h[s]).is_zero();
  if (zero == (p.teacher == p.student)) return {1, {}};
  return {0, p.text() + "sigma_clt is " + (zero ? "" : "not ") + "0\n"};
}

/// Two states = the last token, X = -6/5 + h(s) - h(s'), h = (0, 1): teacher rows sum to less than
/// 1, and the variance never grows.
Verdict decide_example(std::size_t mutant) {
  const TinyProcess p{{q(1, 2), q(1, 2)},
                      {{q(1, 2), q(1, 2)}, {q(1, 2), q(1, 2)}},
                      {{q(1, 2), q(1, 2)}, {q(1, 2), q(1, 2)}},
                      {{0, 1}, {0, 1}},
                      64};
  const Table<Q> x{{q(-6, 5), q(-11, 5)}, {q(-1, 5), q(-6, 5)}};
  const std::vector<Gamma> one{Gamma(1)};
  std::vector<std::int64_t> windows;
  for (std::int64_t n = 1; n <= 64; ++n) windows.push_back(n);
  const auto table =
      markov::window_moments<Q>(as_markov<Q>(p, x), one, 64, windows, markov::WindowStart::zero);
  for (std::size_t n = 0; n < 64; ++n)
    if (table[0][n]->variance != (mutant == 2 ? Q(q(1, 2) * Q(n + 1)) : q(1, 2)))
      return {0,
              "the chain with X = -6/5 + h(s) - h(s'): Var(A_N) = " + text(table[0][n]->variance) +
                  " at N = " + std::to_string(n + 1) + "\n"};
  for (const auto& row : x) {
    const Truth fits = certify([&] {
      Ball mass;
      for (const Q& one_x : row) mass += Ball(q(1, 2)) * exp(Ball(one_x));
      return less(mass, Ball(1));
    });
    if (fits != Truth::yes) return {0, "a teacher row of the example does not fit below 1\n"};
  }
  return {66, {}};
}

}  // namespace

Claim linear_growth() {
  return {"linear_growth",
          "theory-2 9c",
          "irreducible chain, teacher's support inside the student's: sigma_clt = 0 only if "
          "teacher = student; without the support condition a chain has Var(A_N) = 1/2 for every N",
          Method::exact,
          {"teacher = student / 3", "Var(A_N) = N/2 in the example"},
          [](const Run& run) {
            Outcome outcome;
            const Family family = sixths({3});
            const Sample sample = Sample::of(run, family.size, 1500);
            outcome.domain = "irreducible ones without an end of: " + family.description + " (" +
                             sample.text() + "); the example for N = 1..64";
            sweep(
                run,
                sample,
                [&](std::uint64_t i) { return decide(family.at(i), run.mutant); },
                outcome);
            if (outcome.counterexample) return outcome;
            const Verdict example = decide_example(run.mutant);
            outcome.checked += example.cases;
            outcome.counterexample = example.counterexample;
            return outcome;
          }};
}

}  // namespace gammascope::proofs
