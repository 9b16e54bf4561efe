// SPDX-License-Identifier: MIT
// The exact answer of a process: one response in a hundred is a habit that the teacher dislikes by
// 5 nats at every token. How near does Var(A) come to the bound of Theorem 3.3?
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "analysis/bounds/theorem_3_3.hpp"
#include "simulators/markov/exact_moments.hpp"

namespace gs = gammascope;
using gs::markov::Edge;

int main() {
  // Two states that are never left; edges {probability, log pi* - log pi, next state, token}.
  const gs::markov::Process<double> process(
      {0.01, 0.99},
      {{Edge<double>{1.0, -5.0, 0, 0}}, {Edge<double>{1.0, 0.0, 1, 1}}},
      std::nullopt,
      2);
  const double sigma2 = 0.01 * 25;  // E Delta^2 of a token, nats^2
  const std::array gammas{gs::Gamma(0.0), gs::Gamma(0.9), gs::Gamma(0.99), gs::Gamma(1.0)};
  const std::array<std::int64_t, 1> tokens{64};
  const auto exact = gs::markov::window_moments<double>(
      process, gammas, std::nullopt, tokens, gs::markov::WindowStart::zero);
  std::puts("64 tokens: gamma, Var(A) / nats^2, bound / nats^2, share");
  for (std::size_t i = 0; i < gammas.size(); ++i) {
    const double variance = exact[i][0]->variance;
    const double bound =
        gs::bounds::theorem_3_3(gs::bounds::Sigma2(sigma2), gammas[i], gs::Horizon(64));
    std::printf("%4g %10.6g %10.6g %6.3g\n", gammas[i].value(), variance, bound, variance / bound);
  }
}
