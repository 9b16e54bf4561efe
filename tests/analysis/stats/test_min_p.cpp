// SPDX-License-Identifier: MIT
// Adjusted p-values against laws that are known: equal cells (one test), orthogonal columns
// (Sidak), a pair of correlation .6 (SciPy's bivariate normal). Monte Carlo error at B = 19999 and
// p = .05: .0015; margins are 4 of them, chance of a false alarm per check 6e-5.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/stats/min_p.hpp"

using namespace gammascope::stats;

namespace {

constexpr std::size_t prompts = 64;

/// Walsh functions: orthogonal columns of mean 0, so independent multiplier sums.
std::vector<double> walsh(std::size_t cells) {
  std::vector<double> u;
  for (std::size_t c = 1; c <= cells; ++c)
    for (std::size_t i = 0; i < prompts; ++i)
      u.push_back(__builtin_parityll(c & i) != 0 ? -1.0 : 1.0);
  return u;
}

MinPSettings many(std::uint64_t seed = 3) { return {0.05, seed, 19999}; }

std::vector<MinPHypothesis> passes(std::size_t cells, double p) {
  std::vector<MinPHypothesis> h;
  for (std::size_t c = 0; c < cells; ++c) h.push_back({c, true, p});
  return h;
}

}  // namespace

TEST_CASE("one hypothesis keeps its p value") {
  const auto u = walsh(1);
  const auto h = passes(1, 0.0312);
  const auto result = min_p(u, prompts, h, many());
  CHECK(result.adjusted[0] == 0.0312);
  CHECK(result.critical == Approx(0.05).margin(0.0062));
  CHECK(result.effective_tests == Approx(1.0).margin(0.13));
}

TEST_CASE("equal cells count as one") {
  std::vector<double> u = walsh(1);
  const std::vector<double> column = u;
  for (int c = 0; c < 9; ++c) u.insert(u.end(), column.begin(), column.end());
  const auto h = passes(10, 0.04);
  const auto result = min_p(u, prompts, h, many());
  for (const double p : result.adjusted) CHECK(p == Approx(0.04).margin(0.0056));
  CHECK(result.effective_tests == Approx(1.0).margin(0.13));
}

TEST_CASE("independent cells count as many") {
  const auto u = walsh(8);
  const auto h = passes(8, 0.01);
  const auto result = min_p(u, prompts, h, many());
  CHECK(result.adjusted[0] == Approx(1 - std::pow(0.99, 8)).margin(0.0075));
  const double sidak = 1 - std::pow(0.95, 1.0 / 8);
  CHECK(result.critical == Approx(sidak).epsilon(0.13));
  CHECK(result.effective_tests == Approx(0.05 / sidak).epsilon(0.13));
}

TEST_CASE("cells beyond half the prompts count the same") {
  const auto u = walsh(40);  // drawn over prompts, the case above over cells
  const auto result = min_p(u, prompts, passes(40, 0.002), many());
  CHECK(result.adjusted[7] == Approx(1 - std::pow(0.998, 40)).margin(0.0076));
  CHECK(result.effective_tests == Approx(0.05 / (1 - std::pow(0.95, 1.0 / 40))).epsilon(0.13));
}

TEST_CASE("two cells of correlation .6 agree with the bivariate normal law") {
  std::vector<double> u = walsh(2);
  for (std::size_t i = 0; i < prompts; ++i) u[prompts + i] = 0.6 * u[i] + 0.8 * u[prompts + i];
  const auto h = passes(2, 0.02);
  const auto result = min_p(u, prompts, h, many());
  CHECK(result.adjusted[0] == Approx(0.035355).margin(0.0053));
  CHECK(result.critical == Approx(0.0287382).epsilon(0.13));
}

TEST_CASE("the two sides of one cell are two tests") {
  const auto u = walsh(1);
  const std::vector<MinPHypothesis> h{{0, true, 0.02}, {0, false, 0.6}};
  const auto result = min_p(u, prompts, h, many());
  CHECK(result.adjusted[0] == Approx(0.04).margin(0.0056));
  CHECK(result.adjusted[1] == 0.6);
  const std::vector<MinPHypothesis> equal{{0, true, 0.02}, {0, false, 0.02}};
  CHECK(min_p(u, prompts, equal, many()).adjusted[0] == Approx(0.04).margin(0.0056));
}

TEST_CASE("a rejected cell leaves the others alone") {
  const auto u = walsh(4);
  std::vector<MinPHypothesis> h = passes(4, 0.5);
  h[1].p = 1e-13;
  h[3].p = 0.016;
  const auto result = min_p(u, prompts, h, many());
  CHECK(result.adjusted[1] == Approx(4e-13).epsilon(1e-12));  // Bonferroni below one draw in B
  CHECK(result.adjusted[3] == Approx(1 - std::pow(0.984, 3)).margin(0.0060));
  CHECK(result.adjusted[0] == result.adjusted[2]);
  h = {{1, true, 0.016}, {3, true, 0.016}, {0, true, 1e-13}};  // three tests, then two
  const auto down = min_p(u, prompts, h, many());
  CHECK(down.adjusted[0] == Approx(1 - 0.984 * 0.984).margin(0.0050));
}

TEST_CASE("adjusted p values reject what the loop of critical values rejects") {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<double> u(6 * 40);
  for (double& x : u) x = normal(random);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<MinPHypothesis> h;
    for (std::size_t c = 0; c < 6; ++c) h.push_back({c, c % 2 == 0, std::pow(uniform(random), 3)});
    MinPSettings settings{0.2, 7, 999};
    const auto result = min_p(u, 40, h, settings);
    // Step down as in calibration 5: the critical value of what is left, until nothing more falls.
    std::vector<MinPHypothesis> active = h;
    std::vector<bool> rejected(6, false);
    while (active.size() > 1) {
      const double critical = min_p(u, 40, active, settings).critical;
      std::vector<MinPHypothesis> left;
      for (const MinPHypothesis& a : active)
        if (a.p < critical)
          rejected[a.cell] = true;
        else
          left.push_back(a);
      if (left.size() == active.size()) break;
      active = left;
    }
    if (active.size() == 1 && active[0].p <= 0.2) rejected[active[0].cell] = true;
    for (std::size_t c = 0; c < 6; ++c) CHECK((result.adjusted[c] <= 0.2) == rejected[c]);
  }
}

TEST_CASE("the seed decides and the order of hypotheses does not") {
  const auto u = walsh(5);
  std::vector<MinPHypothesis> h = passes(5, 0.03);
  for (std::size_t c = 0; c < 5; ++c) h[c].p += 0.01 * static_cast<double>(c);
  const auto result = min_p(u, prompts, h);
  CHECK(result.adjusted == min_p(u, prompts, h).adjusted);
  std::vector<MinPHypothesis> reversed(h.rbegin(), h.rend());
  auto back = min_p(u, prompts, reversed).adjusted;
  std::reverse(back.begin(), back.end());
  CHECK(back == result.adjusted);
  CHECK(min_p(u, prompts, h, {0.05, 1, 4999}).adjusted != result.adjusted);
}

TEST_CASE("what does not fit is refused") {
  const auto u = walsh(2);
  const auto h = passes(2, 0.1);
  CHECK_THROWS_AS(min_p(u, 63, h), std::invalid_argument);
  CHECK_THROWS_AS(min_p(u, 0, h), std::invalid_argument);
  CHECK_THROWS_AS(min_p(u, prompts, passes(3, 0.1)), std::invalid_argument);
  CHECK_THROWS_AS(min_p(u, prompts, passes(2, 1.1)), std::domain_error);
  CHECK_THROWS_AS(min_p(u, prompts, h, {0.05, 0, 10}), std::domain_error);
  CHECK_THROWS_AS(min_p(u, prompts, h, {1.0, 0, 99}), std::domain_error);
  CHECK(min_p(u, prompts, {}).adjusted.empty());
}
