// SPDX-License-Identifier: MIT
#include <algorithm>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/stats/holm.hpp"

using gammascope::stats::holm_adjusted;

TEST_CASE("Holm adjusts a small table by hand") {
  const auto p = holm_adjusted(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < 4; ++i) CHECK(p[i] == Approx(expected[i]).epsilon(1e-15));
  CHECK(holm_adjusted({}).empty());
  CHECK(holm_adjusted(std::vector<double>{0.9, 0.8}) == std::vector<double>{1.0, 1.0});
}

TEST_CASE("adjusted p-values reject what the step-down procedure rejects") {
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> unit;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> p(1 + random() % 12);
    for (double& x : p) x = unit(random) * unit(random) * unit(random);
    const auto adjusted = holm_adjusted(p);
    // The procedure: go up the sorted list while p_(k) <= alpha / (K - k), stop at the first miss.
    const double alpha = 0.05;
    std::vector<double> sorted = p;
    std::sort(sorted.begin(), sorted.end());
    double last_rejected = -1;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      if (sorted[k] > alpha / static_cast<double>(sorted.size() - k)) break;
      last_rejected = sorted[k];
    }
    for (std::size_t i = 0; i < p.size(); ++i)
      CHECK((adjusted[i] <= alpha) == (p[i] <= last_rejected));
  }
}

TEST_CASE("a number that is no probability is refused") {
  CHECK_THROWS_AS(holm_adjusted(std::vector<double>{0.5, -0.1}), std::domain_error);
  CHECK_THROWS_AS(holm_adjusted(std::vector<double>{1.5}), std::domain_error);
}
