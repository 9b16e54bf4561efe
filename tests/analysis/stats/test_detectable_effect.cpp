// SPDX-License-Identifier: MIT
// Golden numbers: the limits of calibration 2 in closed form, in SciPy. What share of planted
// effects is found is measured in tests/calibration.
#include <cmath>
#include <random>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/detectable_effect.hpp"
#include "analysis/stats/mover.hpp"

using namespace gammascope;
using namespace gammascope::test;

namespace {
const Rows golden{{1, 3, -2, 0}, {5, 4, 7}, {-1, -3}, {0, 2, 1, -4}, {-6, -2, -5}, {2, 2, 3, 1}};
}

TEST_CASE("the detectable effect of the golden vector") {
  const auto fit = stats::hjs_variance(sums_about(golden, 0));
  const auto effect = stats::minimum_detectable_effect(fit, 0.025, 0.8);
  CHECK(effect.above == Approx(18.201431362964858).epsilon(1e-9));
  CHECK(effect.below == Approx(0.15159065471805502).epsilon(1e-9));
}

TEST_CASE("at power one half an estimate on the edge has the p value of the level") {
  std::mt19937_64 random(12);
  for (int i = 0; i < 20; ++i) {
    const Rows rows = random_rows(random, 60);
    const auto fit = stats::hjs_variance(sums_about(rows, mean_of(rows)));
    REQUIRE(fit.has_limits());
    const auto effect = stats::minimum_detectable_effect(fit, 0.025, 0.5);
    CHECK(fit.p_fail(*fit.value / effect.above) == Approx(0.025).epsilon(1e-7));
    CHECK(fit.p_pass(*fit.value / effect.below) == Approx(0.025).epsilon(1e-7));
    const auto stronger = stats::minimum_detectable_effect(fit, 0.025, 0.8);
    CHECK(stronger.above > effect.above);
    CHECK(stronger.below < effect.below);
  }
}

TEST_CASE("more prompts detect smaller effects") {
  std::mt19937_64 random(1);
  const Rows rows = random_rows(random, 50);
  const auto fit = stats::hjs_variance(sums_about(rows, mean_of(rows)));
  double last = 1e9;
  for (const double k : {1.0, 4.0, 16.0, 64.0}) {
    const auto more = fit.with_clusters_times(k);
    const auto effect = stats::minimum_detectable_effect(more, more, 0.025);
    CHECK(effect.above < last);
    CHECK(effect.below > 1 / last);
    last = effect.above;
  }
  // Far out both sides are (1.96 + .84) sqrt(2) s / sqrt(k), normal theory.
  const auto huge = fit.with_clusters_times(1e6);
  CHECK(std::log(stats::minimum_detectable_effect(huge, huge, 0.025).above) ==
        Approx((1.959964 + 0.841621) * std::sqrt(2.0) * huge.scale).epsilon(0.02));
}

TEST_CASE("the effect of two logs is where the ratio of its limits clears one") {
  std::mt19937_64 random(6);
  const Rows a = random_rows(random, 60), b = random_rows(random, 80);
  const auto one = stats::hjs_variance(sums_about(a, mean_of(a)));
  auto two = stats::hjs_variance(sums_about(b, mean_of(b)));
  const auto effect = stats::minimum_detectable_effect(one, two, 0.025, 0.5);
  two.value = *one.value / effect.above;
  CHECK(stats::mover_p(one, two, 1.0).above == Approx(0.025).epsilon(1e-6));
}

TEST_CASE("a log ratio uses its own limits") {
  std::mt19937_64 random(6);
  const Rows a = random_rows(random, 60);
  Rows b = a;
  for (auto& cluster : b)
    for (double& x : cluster) x = x + 0.3 * x * x;
  const auto log_a = stats::jackknife_log_variance(sums_about(a, mean_of(a))).value();
  const auto log_b = stats::jackknife_log_variance(sums_about(b, mean_of(b))).value();
  const auto fit = stats::hjs2_log_ratio(log_a, log_b);
  const auto effect = stats::minimum_detectable_effect(fit, 0.025, 0.5);
  CHECK(fit.p_above(*fit.value - std::log(effect.above)) == Approx(0.025).epsilon(1e-8));
  CHECK(fit.p_below(*fit.value - std::log(effect.below)) == Approx(0.025).epsilon(1e-8));
}

TEST_CASE("without limits nothing is detected") {
  const auto fit = stats::hjs_variance(sums_about({{1, 2}, {3}}, 2));
  const auto effect = stats::minimum_detectable_effect(fit, 0.025);
  CHECK(effect.below == 0.0);
  CHECK(std::isinf(effect.above));
  CHECK_THROWS_AS(stats::minimum_detectable_effect(fit, 0.5), std::domain_error);
  CHECK_THROWS_AS(stats::minimum_detectable_effect(fit, 0.025, 1.0), std::domain_error);
}

namespace {

/// As good as normal: many degrees of freedom, no skewness.
stats::SmoothFit nearly_normal(double value, double scale) {
  stats::SmoothFit fit;
  fit.value = value;
  fit.availability = stats::Availability::available;
  fit.clusters = 1000000;
  fit.jackknife_scale = scale;
  fit.effective_clusters = 1e6;
  fit.df = 1e8;
  return fit;
}
constexpr double z975 = 1.959963984540054, z80 = 0.8416212335729143;

}  // namespace

TEST_CASE("a shift is detected beyond both normal distances") {
  const auto one = nearly_normal(3, 0.3), two = nearly_normal(5, 0.4);
  CHECK(stats::minimum_detectable_shift(one, 0.025).above ==
        Approx(0.3 * (z975 + z80)).epsilon(1e-6));
  CHECK(stats::minimum_detectable_shift(one, 0.025).below ==
        Approx(-0.3 * (z975 + z80)).epsilon(1e-6));
  // Two logs: .5 = hypot(.3, .4). The second one there already: only .3 can fall short.
  CHECK(stats::minimum_detectable_shift(one, two, 0.025).above ==
        Approx(0.5 * (z975 + z80)).epsilon(1e-6));
  CHECK(stats::minimum_detectable_shift_beside(one, two, 0.025).above ==
        Approx(0.5 * z975 + 0.3 * z80).epsilon(1e-6));
  CHECK(std::isinf(stats::minimum_detectable_shift(stats::SmoothFit{}, 0.025).above));
  CHECK(std::isinf(stats::minimum_detectable_shift_beside(one, stats::SmoothFit{}, 0.025).below));
}

TEST_CASE("beside a number that is there the effect is smaller than between two new logs") {
  const auto rows =
      test::Rows{{1, -2, 0.5}, {2, 1}, {-1, -3, 2}, {0.1, 1}, {2, -2}, {1, 1.5}, {-1, 0}};
  const auto fit = stats::hjs_variance(test::sums_about(rows, 0));
  const auto both = stats::minimum_detectable_effect(fit, fit, 0.025);
  const auto beside = stats::minimum_detectable_effect_beside(fit, fit, 0.025);
  const auto alone = stats::minimum_detectable_effect(fit, 0.025);
  CHECK(beside.above < both.above);
  CHECK(beside.above > alone.above);
  CHECK(beside.below > both.below);
  // At power one half only the decision counts, and both are the same.
  CHECK(stats::minimum_detectable_effect_beside(fit, fit, 0.025, 0.5).above ==
        stats::minimum_detectable_effect(fit, fit, 0.025, 0.5).above);
}
