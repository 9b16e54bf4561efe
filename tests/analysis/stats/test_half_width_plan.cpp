// SPDX-License-Identifier: MIT
// Golden numbers: one-way analysis of variance of (a - mean)^2 in NumPy, quantiles of SciPy.
#include <cmath>
#include <random>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/half_width_plan.hpp"

using namespace gammascope;
using namespace gammascope::test;

namespace {

const Rows golden{{1, 3, -2, 0}, {5, 4, 7}, {-1, -3}, {0, 2, 1, -4}, {-6, -2, -5}, {2, 2, 3, 1}};

std::optional<stats::SquareSpread> spread_of(const Rows& rows, double origin) {
  stats::RowPowers p;
  for (const auto& cluster : rows)
    for (const double a : cluster) {
      const double d = a - origin;
      p.s3 += d * d * d;
      p.s4 += d * d * d * d;
    }
  return stats::square_spread(sums_about(rows, origin), p);
}

}  // namespace

TEST_CASE("the components of the squares of the golden vector") {
  for (const double origin : {0.0, 0.5, -2.0}) {
    const auto spread = spread_of(golden, origin).value();
    CHECK(spread.theta == Approx(10.74).epsilon(1e-12));
    CHECK(spread.within == Approx(107.38880952380954).epsilon(1e-10));
    CHECK(spread.between == Approx(83.87906782106782).epsilon(1e-10));
    CHECK(stats::planned_half_width(spread, 40, 8, 0.95) ==
          Approx(0.2937363029631915).epsilon(1e-10));
    CHECK(stats::prompts_for_half_width(spread, 0.1, 4, 0.95) == std::optional<std::int64_t>(372));
  }
}

TEST_CASE("the plan is the smallest number that reaches the width") {
  const auto spread = spread_of(golden, 0).value();
  for (const double width : {0.5, 0.2, 0.03})
    for (const double rollouts : {1.0, 4.0, 64.0}) {
      const std::int64_t g = *stats::prompts_for_half_width(spread, width, rollouts, 0.9);
      CHECK(stats::planned_half_width(spread, g, rollouts, 0.9) <= width);
      CHECK(stats::planned_half_width(spread, g - 1, rollouts, 0.9) > width);
    }
  CHECK_FALSE(stats::prompts_for_half_width(spread, 1e-6, 4, 0.95).has_value());
}

TEST_CASE("more rollouts do not help when prompts differ") {
  const stats::SquareSpread prompts_only{1.0, 2.0, 0.0}, rollouts_only{1.0, 0.0, 2.0};
  CHECK(stats::planned_half_width(prompts_only, 50, 64, 0.95) ==
        stats::planned_half_width(prompts_only, 50, 1, 0.95));
  CHECK(stats::planned_half_width(rollouts_only, 50, 64, 0.95) ==
        Approx(stats::planned_half_width(rollouts_only, 50, 1, 0.95) / 8).epsilon(1e-12));
}

TEST_CASE("the components agree with those of the law") {
  // Prompt effect and row normal, each of variance 1/2: v = a^2 has between covariance 2 (1/2)^2
  // and total variance 2. 4000 prompts of 4: standard errors .04 and .03, margins 4 of them.
  std::mt19937_64 random(21);
  std::normal_distribution<double> normal(0, std::sqrt(0.5));
  Rows rows(4000);
  for (auto& cluster : rows) {
    const double effect = normal(random);
    for (int j = 0; j < 4; ++j) cluster.push_back(effect + normal(random));
  }
  const auto spread = spread_of(rows, 0).value();
  CHECK(spread.between == Approx(0.5).margin(0.16));
  CHECK(spread.within == Approx(1.5).margin(0.14));
}

TEST_CASE("a plan without what it needs is refused") {
  CHECK_FALSE(spread_of({{1}, {2}, {3}}, 2).has_value());
  CHECK_FALSE(spread_of({{1, 2, 3}}, 2).has_value());
  CHECK_FALSE(spread_of({{1, 1}, {1, 1}}, 1).has_value());
  const auto spread = spread_of(golden, 0).value();
  CHECK_THROWS_AS(stats::planned_half_width(spread, 1, 4, 0.95), std::domain_error);
  CHECK_THROWS_AS(stats::planned_half_width(spread, 9, 0.5, 0.95), std::domain_error);
  CHECK_THROWS_AS(stats::prompts_for_half_width(spread, 0, 4, 0.95), std::domain_error);
}
