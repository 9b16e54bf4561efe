// SPDX-License-Identifier: MIT
// Golden numbers: calibration 4.4 on the golden vector of calibration 2, in NumPy and SciPy.
#include <random>
#include <vector>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/kurtosis_floor.hpp"

using namespace gammascope;
using namespace gammascope::test;

namespace {

const Rows golden{{1, 3, -2, 0}, {5, 4, 7}, {-1, -3}, {0, 2, 1, -4}, {-6, -2, -5}, {2, 2, 3, 1}};

stats::RowPowers powers_about(const Rows& rows, double origin) {
  stats::RowPowers p;
  for (const auto& cluster : rows)
    for (const double a : cluster) {
      const double d = a - origin;
      p.s3 += d * d * d;
      p.s4 += d * d * d * d;
    }
  return p;
}

stats::KurtosisFloor with_floor(const Rows& rows, double origin, double kappa0) {
  const auto sums = sums_about(rows, origin);
  return {stats::hjs_variance(sums), sums, powers_about(rows, origin), kappa0};
}

}  // namespace

TEST_CASE("an assumed kurtosis moves the upper limit to its golden value") {
  const double limits[3][3] = {{3, 0.5579989819139838, 54.956347838097344},
                               {9, 0.8503401115606942, 60.411376855695075},
                               {30, 1.6189993381153127, 70.08094625507519}};
  for (const auto& [kappa0, scale, upper] : limits)
    for (const double origin : {0.0, 1.5}) {
      const auto robust = with_floor(golden, origin, kappa0);
      CHECK(robust.design_effect() == Approx(1.807695763322635).epsilon(1e-10));
      CHECK(robust.scale() == Approx(scale).epsilon(1e-10));
      CHECK(*robust.upper_limit(0.025) == Approx(upper).epsilon(1e-9));
      CHECK(robust.p_pass(upper) == Approx(0.025).epsilon(1e-8));
    }
  CHECK(stats::fourth_power_about_mean(sums_about(golden, 1.5), powers_about(golden, 1.5)) ==
        Approx(5731.344).epsilon(1e-12));
}

TEST_CASE("the assumption never makes a claim easier") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) {
    const Rows rows = random_rows(random, 30, 1.0);
    const auto sums = sums_about(rows, 1.0);
    const auto fit = stats::hjs_variance(sums);
    const stats::KurtosisFloor robust(fit, sums, powers_about(rows, 1.0));
    CHECK(*robust.upper_limit(0.025) >= *fit.upper_limit(0.025));
    CHECK(robust.p_pass(*fit.value * 1.4) >= fit.p_pass(*fit.value * 1.4));
    const stats::KurtosisFloor none(fit, sums, powers_about(rows, 1.0), 1.0);
    CHECK(*none.upper_limit(0.025) == *fit.upper_limit(0.025));
  }
}

TEST_CASE("without limits there is none under the assumption either") {
  const auto robust = with_floor({{1, 2}, {2, 4}, {3, 3}}, 2.0, 9.0);
  CHECK_FALSE(robust.upper_limit(0.025).has_value());
  CHECK(robust.p_pass(100) == 1.0);
  CHECK_THROWS_AS(with_floor(golden, 0, 0.9), std::domain_error);
}
