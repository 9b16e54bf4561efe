// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/stats/tail_indices.hpp"

using namespace gammascope::stats;

TEST_CASE("each tail has its own index") {
  // Quantiles of a law whose lower tail is Pareto of index .8 and whose upper tail is exponential.
  std::vector<double> values;
  for (int i = 0; i < 4000; ++i) {
    const double u = (i + 0.5) / 4000;
    values.push_back(u < 0.5 ? -std::pow(2 * u, -0.8) : -std::log(2 * (1 - u)));
  }
  const TailIndices k = tail_indices(values);
  CHECK(*k.lower == Approx(0.8).margin(0.06));
  CHECK(*k.upper == Approx(0.0).margin(0.06));
  for (double& x : values) x = -x;
  const TailIndices mirrored = tail_indices(values);
  CHECK(*mirrored.upper == *k.lower);
  CHECK(*mirrored.lower == *k.upper);
}

TEST_CASE("ties and short samples have no index") {
  CHECK_FALSE(tail_indices(std::vector<double>(100, 1.0)).upper.has_value());
  CHECK_FALSE(tail_indices(std::vector<double>{1, 2, 3}).lower.has_value());
}
