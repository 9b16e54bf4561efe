// SPDX-License-Identifier: MIT
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/horizon_moments.hpp"
#include "simulators/markov/infinite_horizon.hpp"
#include "simulators/markov/mixture.hpp"
#include "simulators/markov/token_profile.hpp"
#include "tests/simulators/support/random_process.hpp"

namespace {

using namespace gammascope;
using namespace gammascope::markov;

/// Total variance over the components, from their own answers.
Moments<double> over_components(const std::vector<double>& weights,
                                const std::vector<Moments<double>>& parts) {
  double total = 0, mean = 0, variance = 0;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    total += weights[c];
    mean += weights[c] * parts[c].mean;
  }
  mean /= total;
  for (std::size_t c = 0; c < parts.size(); ++c)
    variance +=
        weights[c] / total * (parts[c].variance + (parts[c].mean - mean) * (parts[c].mean - mean));
  return {mean, variance};
}

}  // namespace

TEST_CASE("a mixture has the total variance over its components in every alignment") {
  std::mt19937_64 engine(21);
  const std::vector<Gamma> gammas{Gamma(0.9)};
  const std::int64_t length = 20;
  for (int k = 0; k < 50; ++k) {
    std::vector<Process<double>> parts;
    const bool ends = k % 2 == 0;
    while (parts.size() < 3) {
      auto process = gammascope::test::random_process(engine, {.max_states = 5, .max_tokens = 2});
      if (process.end_state().has_value() == ends) parts.push_back(std::move(process));
    }
    const std::vector<double> weights{0.5, 0.3, 0.2};
    const Mixture mixture(parts, weights);
    const auto whole = unite(mixture);
    for (const std::int64_t t : {0, 3, 9}) {
      const std::vector<std::int64_t> at{t}, size{t + 1};
      std::vector<double> alive, probability;
      std::vector<Moments<double>> position, horizon, infinite, window;
      for (std::size_t c = 0; c < 3; ++c) {
        const auto p = position_moments<double>(parts[c], gammas, length, at)[0][0];
        alive.push_back(weights[c] *
                        token_profile(parts[c], length).alive[static_cast<std::size_t>(t)]);
        position.push_back(p.value_or(Moments<double>{}));
        const auto h = horizon_moments<double>(parts[c], gammas, length, size);
        probability.push_back(weights[c] * h.probability[0]);
        horizon.push_back(h.moments[0][0].value_or(Moments<double>{}));
        infinite.push_back(infinite_moments(parts[c], gammas[0]));
        window.push_back(
            *window_moments<double>(parts[c], gammas, length, size, WindowStart::zero)[0][0]);
      }
      const auto same = [](const Moments<double>& a, const Moments<double>& b) {
        CHECK(a.mean == Approx(b.mean).epsilon(1e-11).margin(1e-14));
        CHECK(a.variance == Approx(b.variance).epsilon(1e-11).margin(1e-14));
      };
      if (const auto p = position_moments<double>(whole, gammas, length, at)[0][0])
        same(*p, over_components(alive, position));
      else
        CHECK(alive == std::vector<double>(3, 0.0));
      const auto h = horizon_moments<double>(whole, gammas, length, size);
      if (h.moments[0][0]) same(*h.moments[0][0], over_components(probability, horizon));
      CHECK(h.probability[0] ==
            Approx(probability[0] + probability[1] + probability[2]).epsilon(1e-12).margin(1e-300));
      same(infinite_moments(whole, gammas[0]), over_components(weights, infinite));
      const auto w = window_moments<double>(whole, gammas, length, size, WindowStart::zero)[0][0];
      same(*w, over_components(weights, window));
      const PromptSplit split = split_by_prompt(weights, window);
      CHECK(split.within + split.between == Approx(w->variance).epsilon(1e-12).margin(1e-15));
    }
  }
}

TEST_CASE("a mixture that breaks a rule is refused") {
  const Process<double> one({1}, {{{1, 0, 0, 0}}}, std::nullopt, 1);
  const Process<double> two({1}, {{{1, 0, 0, 0}}}, std::nullopt, 2);
  const Process<double> ends({1, 0}, {{{1, 0, 1, 0}}, {}}, 1u, 1);
  CHECK_THROWS_AS(Mixture({}, {}), std::invalid_argument);
  CHECK_THROWS_AS(Mixture({one}, {0.5}), std::invalid_argument);
  CHECK_THROWS_AS(Mixture({one, one}, {1.0}), std::invalid_argument);
  CHECK_THROWS_AS(Mixture({one, one}, {1.5, -0.5}), std::invalid_argument);
  CHECK_THROWS_AS(Mixture({one, two}, {0.5, 0.5}), std::invalid_argument);
  CHECK_THROWS_AS(Mixture({one, ends}, {0.5, 0.5}), std::invalid_argument);
}
