// SPDX-License-Identifier: MIT
#include "proofs_check/claims/all.hpp"
#include "proofs_check/rational_credit.hpp"
#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/horizon_moments.hpp"

namespace gammascope::proofs {
namespace {

RationalLaw by_position(const std::vector<Response>& all,
                        const Table<Q>& x,
                        std::size_t t,
                        std::size_t n,
                        const Q& gamma) {
  RationalLaw law;
  for (const Response& y : all) {
    if (y.size() <= t) continue;
    law.weight.push_back(y.probability);
    law.value.push_back(rational_credit(y, x, t, n, gamma));
  }
  return law;
}

RationalLaw by_horizon(const std::vector<Response>& all,
                       const Table<Q>& x,
                       std::size_t n,
                       const Q& gamma) {
  RationalLaw law;
  for (const Response& y : all) {
    if (!y.ended || y.size() < n) continue;
    law.weight.push_back(y.probability);
    law.value.push_back(rational_credit(y, x, y.size() - n, n, gamma));
  }
  return law;
}

Verdict decide(const TinyProcess& p, const Table<Q>& x, std::size_t mutant) {
  const auto all = responses(p);
  const auto process = as_markov<Q>(p, x);
  const auto length = static_cast<std::int64_t>(p.length);
  std::vector<std::int64_t> positions, counts;
  for (std::int64_t t = 0; t < length; ++t) {
    positions.push_back(t);
    counts.push_back(t + 1);
  }
  const std::vector<Gamma> gammas{Gamma(0), Gamma(0.5), Gamma(1)};
  const auto position = markov::position_moments<Q>(process, gammas, length, positions);
  const auto window =
      markov::window_moments<Q>(process, gammas, length, counts, markov::WindowStart::zero);
  const auto horizon = markov::horizon_moments<Q>(process, gammas, length, counts);
  Verdict verdict;
  const auto expect = [&](const std::string& where,
                          const std::optional<markov::Moments<Q>>& solver,
                          const RationalLaw& law) {
    if (verdict.counterexample) return;
    const auto fail = [&](const std::string& what) { verdict = {0, where + ": " + what + "\n"}; };
    if (solver.has_value() == law.weight.empty())
      return fail("population empty for one of the two");
    if (!solver) return;
    if (solver->mean != law.mean())
      return fail("mean " + text(solver->mean) + " against " + text(law.mean()));
    if (solver->variance != law.variance())
      return fail("variance " + text(solver->variance) + " against " + text(law.variance()));
    verdict.cases += 2;
  };
  for (std::size_t i = 0; i < gammas.size(); ++i) {
    const Q gamma(mutant == 1 ? gammas[i].value() * gammas[i].value() : gammas[i].value());
    for (std::size_t k = 0; k < p.length; ++k) {
      const std::string at = ", gamma = " + text(gamma);
      expect("position " + std::to_string(k) + at,
             position[i][k],
             by_position(all, x, k, p.length, gamma));
      expect("window " + std::to_string(k + 1) + at,
             window[i][k],
             by_position(all, x, 0, mutant == 2 ? k : k + 1, gamma));
      expect("horizon " + std::to_string(k + 1) + at,
             horizon.moments[i][k],
             by_horizon(all, x, k + 1, gamma));
    }
  }
  return verdict;
}

}  // namespace

Claim exact_solver() {
  return {"exact_solver",
          "theory 4",
          "the recursions of simulators/markov give the mean and variance of A by position, window "
          "and horizon that the definition gives over all responses",
          Method::exact,
          {"gamma^2 for gamma", "a window shorter by one token"},
          [](const Run& run) {
            Outcome outcome =
                over_rational(run, 1500, 20000, [&](const TinyProcess& p, const Table<Q>& x) {
                  return decide(p, x, run.mutant);
                });
            outcome.domain += "; gamma = 0, 1/2, 1; every position, window and horizon";
            return outcome;
          }};
}

}  // namespace gammascope::proofs
