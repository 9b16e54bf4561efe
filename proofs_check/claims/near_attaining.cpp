// SPDX-License-Identifier: MIT
// Left side by the library's exact solver over Q, in units of c.
#include "proofs_check/claims/all.hpp"
#include "proofs_check/tiny_process.hpp"
#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/token_profile.hpp"

namespace gammascope::proofs {
namespace {

Outcome check(const Run& run) {
  Outcome outcome;
  outcome.domain =
      "p = k/20, k = 1..19; gamma = 0, 1/4, 1/2, 3/4, 1; every t < 12 and window n <= 12; c "
      "symbolic (log-ratios in units of c)";
  for (long k = 1; k < 20 && !outcome.counterexample; ++k) {
    const Q p = q(k, 20);
    // State 0: X = -c at every token; state 1: X = 0. (With c = log r the teacher gives 1/r.)
    const TinyProcess process{{p, 1 - p}, {{Q(1)}, {Q(1)}}, {{q(1, 2)}, {Q(1)}}, {{0}, {1}}, 12};
    const auto markov = as_markov<Q>(process, Table<Q>{{Q(-1)}, {Q(0)}});
    const Q sigma2 = markov::sigma2_max(markov::token_profile(markov, 12));
    const std::vector<Gamma> gammas{Gamma(0), Gamma(0.25), Gamma(0.5), Gamma(0.75), Gamma(1)};
    std::vector<std::int64_t> positions, windows;
    for (std::int64_t t = 0; t < 12; ++t) {
      positions.push_back(t);
      windows.push_back(t + 1);
    }
    const auto by_position = markov::position_moments<Q>(markov, gammas, 12, positions);
    const auto by_window =
        markov::window_moments<Q>(markov, gammas, 12, windows, markov::WindowStart::zero);
    const auto expect = [&](const Q& variance, Gamma gamma, std::int64_t n) {
      ++outcome.checked;
      Q g, weight(1);
      for (std::int64_t j = 0; j < n; ++j, weight *= Q(gamma.value())) g += weight;
      const Q ratio = run.mutant == 1 ? Q(1 - p * p) : run.mutant == 2 ? Q(1) : Q(1 - p);
      if ((variance != ratio * sigma2 * g * g || sigma2 != p) && !outcome.counterexample)
        outcome.counterexample = "p = " + text(p) + ", gamma = " + std::to_string(gamma.value()) +
                                 ", N = " + std::to_string(n) + ": Var(A)/c^2 = " + text(variance) +
                                 ", stated " + text(Q(ratio * sigma2 * g * g)) + "\n";
    };
    for (std::size_t i = 0; i < gammas.size(); ++i)
      for (std::size_t t = 0; t < 12; ++t) {
        expect(by_position[i][t]->variance, gammas[i], 12 - static_cast<std::int64_t>(t));
        expect(by_window[i][t]->variance, gammas[i], static_cast<std::int64_t>(t) + 1);
      }
  }
  return outcome;
}

}  // namespace

Claim near_attaining() {
  return {
      "near_attaining",
      "theory 3a",
      "a student that with probability p loses c at every token has sigma2 = p c^2 and Var(A_t) = "
      "(1 - p) sigma2 geo(gamma, N)^2 exactly, at every t: the bound is approached as p -> 0",
      Method::exact,
      {"1 - p^2 for 1 - p", "1 for 1 - p"},
      check};
}

}  // namespace gammascope::proofs
