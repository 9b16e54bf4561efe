// SPDX-License-Identifier: MIT
// The closed forms in the headers of the families against the solver, and what each family is for.
#include <cmath>
#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include "simulators/families/branching.hpp"
#include "simulators/families/clustered.hpp"
#include "simulators/families/ergodic.hpp"
#include "simulators/families/frozen.hpp"
#include "simulators/families/heavy_tailed.hpp"
#include "simulators/families/near_attaining.hpp"
#include "simulators/families/ragged.hpp"
#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/horizon_moments.hpp"
#include "simulators/markov/infinite_horizon.hpp"
#include "simulators/markov/token_profile.hpp"

namespace {

using namespace gammascope;
using namespace gammascope::families;
using namespace gammascope::markov;

const std::vector<double> gamma_values{0.0, 0.5, 0.9, 0.99, 0.999, 1.0};
const std::vector<std::int64_t> sizes{1, 2, 3, 10, 64, 300};

std::vector<Gamma> gammas() { return {gamma_values.begin(), gamma_values.end()}; }

Process<double> process_of(const Mixture& mixture) { return unite(mixture); }

/// Windows from the first token and without a cut.
template <class Family>
void check_windows(const Family& family) {
  const auto process = process_of(family.build());
  const auto g = gammas();
  const auto table = window_moments<double>(process, g, std::nullopt, sizes, WindowStart::zero);
  for (std::size_t i = 0; i < g.size(); ++i)
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      INFO("gamma " << gamma_values[i] << ", n " << sizes[k]);
      const auto n = static_cast<long>(sizes[k]);
      if constexpr (requires { family.mean(g[i], n); })
        CHECK(table[i][k]->mean == Approx(family.mean(g[i], n)).epsilon(1e-11));
      CHECK(table[i][k]->variance == Approx(family.variance(g[i], n)).epsilon(1e-11));
    }
}

template <class Family>
void check_infinite(const Family& family) {
  const auto process = process_of(family.build());
  for (const Gamma g : gammas())
    if (g.value() < 1)
      CHECK(infinite_moments(process, g).variance ==
            Approx(family.variance_infinite(g)).epsilon(1e-11));
}

}  // namespace

TEST_CASE("power sums equal the sum of the powers") {
  for (const double x : {0.0, 0.3, 0.99, 1.0, -0.5, -1.0, 1 - 1e-12}) {
    double sum = 0, power = 1;
    for (long n = 0; n < 100; ++n) {
      CHECK(power_sum(x, n) == Approx(sum).epsilon(1e-14).margin(1e-14));
      sum += power;
      power *= x;
    }
  }
  CHECK(power_sum(1.0, 1L << 40) == static_cast<double>(1L << 40));
}

TEST_CASE("near_attaining has its closed form and nears the bound without attaining it") {
  for (const auto& family : {NearAttaining{0.01, 5}, NearAttaining{0.3, 0.7}}) {
    check_windows(family);
    check_infinite(family);
    const auto process = process_of(family.build());
    CHECK(sigma2_max(token_profile(process, 9)) == Approx(family.sigma2()).epsilon(1e-14));
    // The same at every start.
    const auto all = window_moments<double>(process, gammas(), 512, sizes, WindowStart::all);
    CHECK(all[3][4]->variance == Approx(family.variance(Gamma(0.99), 64)).epsilon(1e-11));
  }
  const NearAttaining rare{0.001, 5};
  const double bound = rare.sigma2() * std::pow(power_sum(0.99, 512), 2);
  CHECK(rare.variance(Gamma(0.99), 512) / bound == Approx(0.999).epsilon(1e-12));
}

TEST_CASE("frozen attains the bound and is no teacher's") {
  const Frozen family{0.5};
  check_windows(family);
  check_infinite(family);
  const auto process = process_of(family.build());
  CHECK(largest_teacher_mass(process) > 1.6);
  CHECK(family.variance(Gamma(0.9), 64) ==
        Approx(sigma2_max(token_profile(process, 9)) * std::pow(power_sum(0.9, 64), 2)));
}

TEST_CASE("ragged has its closed form in every alignment") {
  for (const auto& family : {Ragged{0.01, 0.5, 0.4}, Ragged{0.3, 0.2, 0.9}}) {
    check_windows(family);
    check_infinite(family);
    const auto process = family.process();
    const auto g = gammas();
    const std::int64_t length = 300;
    const auto position =
        position_moments<double>(process, g, length, std::vector<std::int64_t>{290});
    const auto all = window_moments<double>(process, g, length, sizes, WindowStart::all);
    const auto horizon = horizon_moments<double>(process, g, length, sizes);
    for (std::size_t i = 0; i < g.size(); ++i) {
      CHECK(position[i][0]->variance == Approx(family.variance(g[i], 10)).epsilon(1e-11));
      CHECK(all[i][3]->variance == Approx(family.variance(g[i], 10)).epsilon(1e-11));
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        const auto n = static_cast<long>(sizes[k]);
        CHECK(horizon.moments[i][k]->mean == Approx(family.horizon_mean(g[i], n)).epsilon(1e-11));
        CHECK(horizon.moments[i][k]->variance ==
              Approx(family.horizon_variance(g[i], n)).epsilon(1e-11));
        // P(n <= T <= length)
        CHECK(horizon.probability[k] ==
              Approx(family.alive(n - 1) - family.alive(length)).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("ergodic has its closed form and grows linearly") {
  for (const auto& family : {Ergodic{0.1, 0.2, 0.15, 0.1}, Ergodic{0.9, 0.8, 0.5, 0.6}}) {
    check_windows(family);
    check_infinite(family);
    const auto process = process_of(family.build());
    const std::vector<std::int64_t> n{1, 10, 100, 1000, 10000};
    const std::vector<Gamma> one{Gamma(1.0)};
    const auto table = window_moments<double>(process, one, std::nullopt, n, WindowStart::zero);
    for (std::size_t k = 0; k < n.size(); ++k)  // T2.9a
      CHECK(std::abs(std::sqrt(table[0][k]->variance) -
                     std::sqrt(static_cast<double>(n[k]) * family.clt_variance())) <=
            2 * family.potential_sd());
    CHECK(table[0][4]->variance / 10000 == Approx(family.clt_variance()).epsilon(0.01));
  }
}

TEST_CASE("heavy_tailed has its closed form and a teacher with full mass") {
  const HeavyTailed family{0.05, 2.5, 0.5, 8};
  check_windows(family);
  const auto process = process_of(family.build());
  CHECK(largest_teacher_mass(process) == Approx(1).epsilon(1e-14));
  // The tail carries the variance: two more levels of it, each rarer, add to it.
  const HeavyTailed shorter{0.05, 2.5, 0.5, 6};
  CHECK(family.noise() > shorter.noise());
}

TEST_CASE("clustered splits between prompts what its kinds differ in") {
  const Clustered family{4, 0.45, 0.01};
  const auto mixture = family.build();
  const auto process = unite(mixture);
  const std::vector<Gamma> one{Gamma(1.0)};
  const std::vector<std::int64_t> n{64};
  std::vector<Moments<double>> parts;
  for (int i = 0; i < 4; ++i)
    parts.push_back({family.kind(i).mean(one[0], 64), family.kind(i).variance(one[0], 64)});
  const auto split = split_by_prompt(mixture.weights, parts);
  const auto whole = window_moments<double>(process, one, 100, n, WindowStart::zero)[0][0];
  CHECK(split.within + split.between == Approx(whole->variance).epsilon(1e-11));
  CHECK(split.between > 0.2 * whole->variance);
}

TEST_CASE("branching pays for its first token later") {
  const Branching family{0.25, 0.9, 0.125, 0.1};
  const auto process = process_of(family.build());
  CHECK(largest_teacher_mass(process) == Approx(1).epsilon(1e-14));
  CHECK(reachable_states(process) == std::vector<bool>(3, true));
  // At the root the teacher wants branch 1, and branch 1 costs KL 0.413 a token.
  const auto states = infinite_state_moments(process, Gamma(0.99));
  CHECK(states.mean[2] < states.mean[1]);
  const double kl = -0.5 * std::log(2 * 0.125) - 0.5 * std::log(2 * 0.875);
  CHECK(states.mean[2] - states.mean[1] == Approx(-kl / (1 - 0.99 * 0.9)).epsilon(1e-11));
}
