// SPDX-License-Identifier: MIT
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>

#include "simulators/families/ergodic.hpp"
#include "simulators/families/ragged.hpp"
#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/infinite_horizon.hpp"
#include "tests/simulators/support/random_process.hpp"

using namespace gammascope;
using namespace gammascope::markov;

TEST_CASE("without a cut the moments are the limit of long windows") {
  std::mt19937_64 engine(5);
  for (int k = 0; k < 100; ++k) {
    const auto process = gammascope::test::random_process(
        engine, {.max_states = 6, .max_tokens = 4, .kernel = k % 2 == 0});
    for (const double g : {0.0, 0.3, 0.9, 0.99}) {
      const std::vector<Gamma> gammas{Gamma(g)};
      const auto infinite = infinite_moments(process, gammas[0]);
      // 0.99^4000 = 3e-18: nothing is left to come
      const auto window = window_moments<double>(
          process, gammas, std::nullopt, std::vector<std::int64_t>{4000}, WindowStart::zero);
      CHECK(infinite.mean == Approx(window[0][0]->mean).epsilon(1e-11).margin(1e-15));
      CHECK(infinite.variance == Approx(window[0][0]->variance).epsilon(1e-11).margin(1e-15));
    }
  }
}

TEST_CASE("near gamma 1 the refined solution keeps its digits") {
  // Closed forms, whose only error is that of the probabilities as doubles: 1e-16 / (1 - gamma).
  const families::Ergodic ergodic{0.1, 0.2, 0.15, 0.1};
  const families::Ragged ragged{0.001, 0.5, 0.45};
  for (const double distance : {1e-3, 1e-5, 1e-7}) {
    const Gamma gamma(1 - distance);
    const auto a = infinite_moments(ergodic.build().components[0], gamma);
    CHECK(a.variance == Approx(ergodic.variance_infinite(gamma)).epsilon(1e-15 / distance + 1e-13));
    const auto b = infinite_moments(ragged.process(), gamma);
    CHECK(b.variance == Approx(ragged.variance_infinite(gamma)).epsilon(1e-11));
  }
}

TEST_CASE("without a cut gamma 1 is refused") {
  const families::Ragged ragged{0.1, 0.5, 0.4};
  CHECK_THROWS_AS(infinite_moments(ragged.process(), Gamma(1.0)), std::domain_error);
}
