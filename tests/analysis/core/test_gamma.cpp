// SPDX-License-Identifier: MIT
#include <limits>

#include <catch2/catch.hpp>

#include "analysis/core/gamma.hpp"

using namespace gammascope;

TEST_CASE("gamma lies between 0 and 1 and nothing else is a gamma") {
  CHECK(Gamma(0.0).value() == 0.0);
  CHECK(Gamma(1.0).value() == 1.0);
  for (const double bad : {-1e-300,
                           1.0 + 1e-15,
                           std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()})
    CHECK_THROWS_AS(Gamma(bad), std::domain_error);
}

TEST_CASE("a grid is sorted and padded with zeros and refuses duplicates and nothing") {
  const GammaGrid grid({1.0, 0.0, 0.9});
  CHECK(grid.size() == 3);
  CHECK(grid[0].value() == 0.0);
  CHECK(grid[2].value() == 1.0);
  CHECK(grid.padded().size() % GammaGrid::lanes == 0);
  CHECK(grid.padded()[3] == 0.0);
  CHECK_THROWS_AS(GammaGrid({}), std::invalid_argument);
  CHECK_THROWS_AS(GammaGrid({0.5, 0.5}), std::invalid_argument);
  CHECK_THROWS_AS(GammaGrid({1.5}), std::domain_error);
}
