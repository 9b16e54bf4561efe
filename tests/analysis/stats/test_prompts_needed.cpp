// SPDX-License-Identifier: MIT
#include <cmath>
#include <random>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/mover.hpp"
#include "analysis/stats/prompts_needed.hpp"

using namespace gammascope;
using stats::HjsFit;

namespace {

HjsFit normal_log(std::mt19937_64& random, std::size_t prompts) {
  std::normal_distribution<double> normal;
  test::Rows rows(prompts, std::vector<double>(4));
  for (auto& cluster : rows)
    for (double& a : cluster) a = normal(random);
  return stats::hjs_variance(test::sums_about(rows, 0));
}

}  // namespace

TEST_CASE("as many prompts as were said settle the claim in about four logs of five") {
  // The forecast is made from one log whose value is set to the truth; 400 logs of that size.
  // Wanted .80; accepted .68 to .92 (the spread of the forecast itself is about 15 % at 128
  // prompts).
  std::mt19937_64 random(51);
  HjsFit pilot = normal_log(random, 128);
  pilot.value = 1.0;
  for (const double bound : {1.3, 0.75}) {
    const auto needed = stats::prompts_needed(pilot, bound, 0.025);
    REQUIRE(needed);
    CHECK(*needed >= 128);
    int settled = 0;
    for (int i = 0; i < 400; ++i) {
      const HjsFit fit = normal_log(random, static_cast<std::size_t>(*needed));
      settled += (bound > 1 ? fit.p_pass(bound) : fit.p_fail(bound)) <= 0.025 ? 1 : 0;
    }
    CHECK(settled >= 0.68 * 400);
    if (*needed > 128) CHECK(settled <= 0.92 * 400);
  }
}

TEST_CASE("a closer bound and a smaller error need more prompts") {
  std::mt19937_64 random(52);
  HjsFit pilot = normal_log(random, 32);
  pilot.value = 1.0;
  const auto far = stats::prompts_needed(pilot, 1.5, 0.025);
  const auto near = stats::prompts_needed(pilot, 1.05, 0.025);
  const auto strict = stats::prompts_needed(pilot, 1.05, 0.001);
  REQUIRE((far && near && strict));
  CHECK(*far < *near);
  CHECK(*near < *strict);
  // Far in, the answer follows the square of the inverse distance.
  const auto nearer = stats::prompts_needed(pilot, 1.005, 0.025);
  CHECK(static_cast<double>(*nearer) / static_cast<double>(*near) == Approx(100).epsilon(0.15));
  CHECK(stats::prompts_needed(pilot, 100, 0.025) == 32);
}

TEST_CASE("two logs need more prompts than one against a known bound") {
  std::mt19937_64 random(53);
  HjsFit one = normal_log(random, 64), two = one;
  one.value = 1.0;
  two.value = 1.2;
  const auto both = stats::prompts_needed(one, two, 1.0, 0.025);
  const auto single = stats::prompts_needed(one, 1.2, 0.025);
  REQUIRE((both && single));
  CHECK(*both > 2 * *single);
  CHECK(*both < 8 * *single);
}

TEST_CASE("what no number of prompts settles has no answer") {
  std::mt19937_64 random(54);
  HjsFit pilot = normal_log(random, 32);
  CHECK_FALSE(stats::prompts_needed(pilot, *pilot.value, 0.025));
  CHECK_FALSE(stats::prompts_needed(pilot, *pilot.value * (1 + 1e-7), 0.025));
  CHECK_FALSE(stats::prompts_needed(HjsFit{}, 1.0, 0.025));
  CHECK_THROWS_AS(stats::prompts_needed(pilot, 0.0, 0.025), std::domain_error);
  CHECK_THROWS_AS(stats::prompts_needed(pilot, 1.0, 1.0), std::domain_error);
}

TEST_CASE("a smooth number needs as many prompts as the normal formula says") {
  stats::SmoothFit fit;
  fit.value = 0.1;
  fit.availability = stats::Availability::available;
  fit.clusters = 10000;
  fit.jackknife_scale = 0.1;
  fit.effective_clusters = 10000;
  fit.df = 1e8;
  // (z of the level + z of 80 %)^2 (scale / distance)^2 times the prompts there are.
  const double k = std::pow(1.959963984540054 + 0.8416212335729143, 2);
  const auto above = stats::prompts_needed(fit, 0.0, 0.025);
  REQUIRE(above);
  CHECK(double(*above) == Approx(10000 * k).epsilon(1e-3));
  CHECK(double(*stats::prompts_needed(fit, 0.2, 0.025)) == Approx(10000 * k).epsilon(1e-3));
  // Against another log of the same size: twice the variance, and the prompts of both.
  const auto two = stats::prompts_needed(fit, fit, 0.1, 0.025);
  REQUIRE(two);
  CHECK(double(*two) == Approx(20000 * 2 * k).epsilon(2e-3));
  CHECK_FALSE(stats::prompts_needed(fit, 0.1, 0.025));
  CHECK_FALSE(stats::prompts_needed(stats::SmoothFit{}, 0.0, 0.025));
}
