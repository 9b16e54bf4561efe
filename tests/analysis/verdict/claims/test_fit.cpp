// SPDX-License-Identifier: MIT
// Numbers with limits at any level, alone and against a number with limits of its own.
#include <cmath>

#include <catch2/catch.hpp>

#include "analysis/stats/detectable_effect.hpp"
#include "analysis/stats/mover.hpp"
#include "analysis/verdict/claims/fit.hpp"
#include "tests/analysis/verdict/synthetic_log.hpp"

using namespace gammascope;
using claims::Fit;

namespace {

std::vector<stats::ClusterSums> clusters(std::uint64_t seed, std::size_t prompts, double sd) {
  test::Dice dice(seed);
  std::vector<stats::ClusterSums> all(prompts);
  for (auto& c : all)
    for (int row = 0; row < 4; ++row) {
      const double a = sd * dice.normal();
      c.rows += 1;
      c.s1 += a;
      c.s2 += a * a;
    }
  return all;
}

}  // namespace

TEST_CASE("a fit from the cell of an earlier result is the fit it came from") {
  const stats::HjsFit hjs = stats::hjs_variance(clusters(1, 40, 2));
  const Fit fit(hjs);
  Cell cell;
  cell.quantity = Quantity::variance;
  cell.value = hjs.value;
  cell.prompts = hjs.clusters;
  cell.spread = fit.spread();
  const Fit again = Fit::of_cell(cell);
  for (const double bound : {2.0, 4.0, 6.0}) {
    CHECK(again.p_below(bound) == hjs.p_pass(bound));
    CHECK(again.p_above(bound) == hjs.p_fail(bound));
    CHECK(again.p_below(bound, &fit) == stats::mover_p(hjs, hjs, bound / *hjs.value).below);
  }
  CHECK(again.limits(0.95)->upper == hjs.limits(0.95)->upper);
  cell.spread.reset();
  CHECK_FALSE(Fit::of_cell(cell).has_limits());
  cell.status = CellStatus::exact;
  CHECK(Fit::of_cell(cell).limits(0.95)->lower == *hjs.value);
}

TEST_CASE("a mean and a log ratio come back from their cells") {
  const stats::MeanFit mean = stats::cluster_mean(clusters(2, 30, 1), -0.5);
  Cell cell;
  cell.quantity = Quantity::mean;
  cell.value = mean.value;
  cell.prompts = mean.clusters;
  cell.spread = Fit(stats::smooth(mean)).spread();
  const Fit fit = Fit::of_cell(cell);
  CHECK(fit.limits(0.9)->lower == Approx(mean.limits(0.9)->lower).epsilon(1e-14));
  CHECK_FALSE(fit.positive());
  // Student's t by hand: at the value itself both sides are 1/2.
  CHECK(fit.p_below(*mean.value) == Approx(0.5));
  CHECK(fit.p_above(*mean.value) == Approx(0.5));

  const auto one = stats::jackknife_log_variance(clusters(3, 30, 1));
  const auto two = stats::jackknife_log_variance(clusters(4, 30, 3));
  const stats::SmoothFit log = stats::hjs2_log_ratio(*one, *two);
  const Fit ratio = Fit::of_log(log);
  CHECK(*ratio.value() == Approx(std::exp(*log.value)));
  CHECK(ratio.p_below(9.0) == log.p_below(std::log(9.0)));
  CHECK(ratio.positive());
  cell.quantity = Quantity::ratio;
  cell.value = ratio.value();
  cell.spread = ratio.spread();
  CHECK(Fit::of_cell(cell).p_above(9.0) == Approx(log.p_above(std::log(9.0))).epsilon(1e-12));
}

TEST_CASE("two numbers of independent logs are told apart only beyond both errors") {
  const Fit one(stats::hjs_variance(clusters(5, 64, 1))),
      two(stats::hjs_variance(clusters(6, 64, 1)));
  const double bound = *two.value() * 1.5;
  CHECK(one.p_below(bound, &two) > one.p_below(bound));  // the bound has an error of its own
  CHECK(one.p_below(bound, &two) < 0.5);
  const Fit first(stats::smooth(stats::cluster_mean(clusters(7, 64, 1), 0))),
      second(stats::smooth(stats::cluster_mean(clusters(8, 64, 1), 0)));
  const double edge = *second.value() + 1;
  CHECK(first.p_below(edge, &second) > first.p_below(edge));
  CHECK(first.p_below(edge, &second) < 1e-6);
  CHECK(first.p_above(edge, &second) > 0.999);
}

TEST_CASE("the detectable truth lies beyond the bound by both distances") {
  const stats::HjsFit hjs = stats::hjs_variance(clusters(9, 50, 1));
  const auto effect = stats::minimum_detectable_effect(hjs, 0.025);
  const auto found = Fit(hjs).detected(4.0, 0.025);
  CHECK(*found.below == Approx(4.0 * effect.below));
  CHECK(*found.above == Approx(4.0 * effect.above));
  const stats::SmoothFit mean = stats::smooth(stats::cluster_mean(clusters(10, 50, 1), 0));
  // For a symmetric law: (t at the level + t at 20 %) standard errors on either side.
  const auto shift = stats::minimum_detectable_shift(mean, 0.025);
  CHECK(shift.above == Approx(-shift.below));
  CHECK(shift.above == Approx((2.0095752371 + 0.8486871) * mean.jackknife_scale).epsilon(1e-3));
  CHECK(*Fit(mean).detected(-2, 0.025).above == Approx(-2 + shift.above));
  CHECK_FALSE(Fit().detected(1, 0.025).above);
}

TEST_CASE("a bound at or below zero is met by what is positive without data") {
  const Fit fit(stats::hjs_variance(clusters(11, 20, 1)));
  CHECK(fit.p_above(0.0) == 0);
  CHECK(fit.p_above(-1.0) == 0);
  CHECK(fit.p_below(-1.0) == 1);
}

TEST_CASE("a number known exactly is on one side for sure") {
  const Fit zero = Fit::exactly(0);
  CHECK(zero.p_below(1e-6) == 0);
  CHECK(zero.p_above(1e-6) == 1);
  CHECK(zero.p_below(-1) == 1);
  CHECK(Fit().p_below(1) == 1);
  CHECK_FALSE(Fit().value());
}
