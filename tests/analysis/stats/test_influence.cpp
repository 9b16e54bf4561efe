// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/hjs.hpp"
#include "analysis/stats/influence.hpp"

using namespace gammascope;
using namespace gammascope::test;

TEST_CASE("influence is the prompt's sum of squared deviations less its share") {
  const Rows rows{
      {1, 3, -2, 0}, {5, 4, 7}, {-1, -3}, {}, {0, 2, 1, -4}, {-6, -2, -5}, {2, 2, 3, 1}};
  const std::vector<double> variance{-29.92, 45.46, -7.96, 0, -20.52, 43.66, -30.72};  // NumPy
  const std::vector<double> second{-29.6, 57.3, -11.8, 0, -22.6, 32.3, -25.6};
  const auto sums = sums_about(rows, 0.25);
  const auto u = stats::variance_influence(sums);
  const auto v = stats::second_moment_influence(sums_about(rows, 0));
  double square = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(u[i] == Approx(variance[i]).margin(1e-11));
    CHECK(v[i] == Approx(second[i]).margin(1e-11));
    square += u[i] * u[i];
  }
  const auto fit = stats::hjs_variance(sums);
  CHECK(fit.se == Approx(std::sqrt(6.0 / 5.0 * square) / fit.rows).epsilon(1e-12));
}

TEST_CASE("no rows have no influence") {
  CHECK(stats::variance_influence({}).empty());
  const std::vector<stats::ClusterSums> empty(3);
  CHECK(stats::variance_influence(empty) == std::vector<double>(3, 0.0));
  CHECK(stats::second_moment_influence(empty) == std::vector<double>(3, 0.0));
}
