// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <random>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/mover.hpp"

using namespace gammascope;
using stats::HjsFit;

namespace {

HjsFit sample(std::mt19937_64& random, std::size_t clusters, double sd) {
  std::normal_distribution<double> normal(0, sd);
  test::Rows rows(clusters, std::vector<double>(4));
  for (auto& cluster : rows)
    for (double& a : cluster) a = normal(random);
  return stats::hjs_variance(test::sums_about(rows, 0));
}

}  // namespace

TEST_CASE("limits of a ratio follow the formula of MOVER") {
  std::mt19937_64 random(21);
  for (int trial = 0; trial < 20; ++trial) {
    const HjsFit one = sample(random, 20, 1), two = sample(random, 30, 2);
    const auto l1 = one.limits(0.95), l2 = two.limits(0.95),
               ratio = stats::mover_limits(one, two, 0.95);
    const double d = std::log(*one.value / *two.value);
    const double down = std::sqrt(std::pow(std::log(*one.value) - std::log(l1->lower), 2) +
                                  std::pow(std::log(l2->upper) - std::log(*two.value), 2));
    const double up = std::sqrt(std::pow(std::log(l1->upper) - std::log(*one.value), 2) +
                                std::pow(std::log(*two.value) - std::log(l2->lower), 2));
    CHECK(std::log(ratio->lower) == Approx(d - down).epsilon(1e-12));
    CHECK(std::log(ratio->upper) == Approx(d + up).epsilon(1e-12));
    const auto swapped = stats::mover_limits(two, one, 0.95);
    CHECK(swapped->lower * ratio->upper == Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("the p-value of a ratio is the level at which its limit reaches the factor") {
  std::mt19937_64 random(22);
  for (int trial = 0; trial < 20; ++trial) {
    const HjsFit one = sample(random, 30, 1), two = sample(random, 40, 1);
    for (const double confidence : {0.8, 0.95, 0.999}) {
      const auto ratio = stats::mover_limits(one, two, confidence);
      const double error = 0.5 * (1 - confidence);
      CHECK(stats::mover_p(one, two, ratio->lower).above == Approx(error).epsilon(1e-6));
      CHECK(stats::mover_p(one, two, ratio->upper).below == Approx(error).epsilon(1e-6));
      CHECK(stats::mover_p(two, one, 1 / ratio->upper).above == Approx(error).epsilon(1e-6));
    }
    const auto p = stats::mover_p(one, two, 1.3);
    CHECK(p.below + p.above == Approx(1));
    CHECK(stats::mover_p(one, two, 1e6).below < 1e-9);
    CHECK(stats::mover_p(one, two, 1e-6).above < 1e-3);
  }
}

TEST_CASE("equal variances are told apart no more often than the level says") {
  // 2000 pairs of logs of 32 prompts, true ratio 1; calibration 6.2 measured 1.5 and 2.0 %. More
  // than 3.5 % on a side is 3.2 standard errors above 2.5 %: failure probability 1e-3 a side.
  std::mt19937_64 random(23);
  int below = 0, above = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto p = stats::mover_p(sample(random, 32, 1), sample(random, 32, 1), 1.0);
    below += p.below < 0.025 ? 1 : 0;
    above += p.above < 0.025 ? 1 : 0;
  }
  CHECK(below <= 70);
  CHECK(above <= 70);
  CHECK(below + above >= 20);  // nor never
}

TEST_CASE("a lower limit of zero makes its side infinite") {
  std::mt19937_64 random(24);
  const HjsFit one = sample(random, 5, 1), two = sample(random, 60, 1);
  REQUIRE(*one.lower_limit(1e-9) == 0.0);
  const auto ratio = stats::mover_limits(one, two, 1 - 2e-9);
  CHECK(ratio->lower == 0.0);
  CHECK(std::isinf(stats::mover_limits(two, one, 1 - 2e-9)->upper));
}

TEST_CASE("without limits of both there is nothing to compare") {
  std::mt19937_64 random(25);
  const HjsFit good = sample(random, 20, 1), none;
  CHECK_FALSE(stats::mover_limits(good, none, 0.95));
  CHECK_FALSE(stats::mover_limits(none, good, 0.95));
  CHECK(stats::mover_p(good, none, 1).below == 1.0);
  CHECK(stats::mover_p(none, good, 1).above == 1.0);
  CHECK_THROWS_AS(stats::mover_p(good, good, 0), std::domain_error);
  CHECK_THROWS_AS(stats::mover_limits(good, good, 1), std::domain_error);
}

TEST_CASE("two smooth numbers are compared by the root of the sum of their squared distances") {
  const auto nearly_normal = [](double value, double scale) {
    stats::SmoothFit fit;
    fit.value = value;
    fit.availability = stats::Availability::available;
    fit.clusters = 1000000;
    fit.jackknife_scale = scale;
    fit.effective_clusters = 1e6;
    fit.df = 1e8;
    return fit;
  };
  const auto one = nearly_normal(7, 0.3), two = nearly_normal(5, 0.4);
  const auto limits = stats::mover_limits(one, two, 0.95);
  CHECK(limits->lower == Approx(2 - 0.5 * 1.959963984540054).epsilon(1e-6));
  CHECK(limits->upper == Approx(2 + 0.5 * 1.959963984540054).epsilon(1e-6));
  // 2 against 1: z = 1 / .5; the upper tail of the normal law at 2.
  const auto p = stats::mover_p(one, two, 1.0);
  CHECK(p.above == Approx(0.022750131948179).epsilon(1e-5));
  CHECK(p.below == Approx(1 - p.above));
  CHECK(stats::mover_p(two, one, -1.0).below == Approx(p.above).epsilon(1e-9));
  CHECK(stats::mover_p(one, stats::SmoothFit{}, 0).above == 1.0);
  CHECK_FALSE(stats::mover_limits(one, stats::SmoothFit{}, 0.95));
}
