// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/stats/e_process.hpp"

using namespace gammascope::stats;

namespace {

ClusterSums prompt(const std::vector<double>& rows) {
  ClusterSums c;
  for (const double a : rows) {
    c.rows += 1;
    c.s1 += a;
    c.s2 += a * a;
  }
  return c;
}

EProcessSettings bound(double b) {
  EProcessSettings s;
  s.bound = b;
  s.seed = 42;
  return s;
}

std::vector<ClusterSums> normal_step(std::mt19937_64& random, double sd, std::size_t prompts = 32) {
  std::normal_distribution<double> normal(0, sd);
  std::vector<ClusterSums> step;
  for (std::size_t i = 0; i < prompts; ++i)
    step.push_back(prompt({normal(random), normal(random), normal(random), normal(random)}));
  return step;
}

}  // namespace

TEST_CASE("two prompts make one pair whatever the shuffle") {
  // means 2 and -1, mean squares 5 and 2: Y = 3.5 + 2 = 5.5
  const std::vector<ClusterSums> step{prompt({1, 3}), prompt({-2, 0, -1, -1})};
  const auto log_e = log_e_values(step, bound(2.0), 1);
  const double y = (5.0 + 1.5) / 2 + 2.0;
  for (std::size_t l = 0; l < log_e.size(); ++l)
    CHECK(std::exp(log_e[l]) == Approx(1 + e_process_lambdas[l] * (y / 2 - 1)).epsilon(1e-12));
}

TEST_CASE("evidence follows its recursion written without logs") {
  std::mt19937_64 random(9);
  const auto settings = bound(1.1);
  EProcess watch(settings);
  CHECK(watch.log_evidence() == 0.0);
  std::array<double, 7> q{}, r{};
  for (int t = 1; t <= 12; ++t) {
    const auto step = normal_step(random, 1.0, 9);
    const auto log_e = log_e_values(step, settings, t);
    watch.add_step(step);
    double evidence = 1.0 / (t + 1), detector = 0;
    for (std::size_t l = 0; l < 7; ++l) {
      q[l] = (q[l] + 1.0 / (t * (t + 1.0))) * std::exp(log_e[l]);
      r[l] = (r[l] + 1) * std::exp(log_e[l]);
      evidence += q[l] / 7;
      detector += r[l] / 7;
    }
    CHECK(watch.log_evidence() == Approx(std::log(evidence)).margin(1e-12));
    CHECK(watch.log_detector() == Approx(std::log(detector)).margin(1e-12));
    CHECK(watch.p_fail() == Approx(std::min(1.0, 1 / evidence)).epsilon(1e-12));
  }
}

TEST_CASE("the mean of e over every sample of a two point law is exactly one at the bound") {
  // 4 prompts of one row, +1 or -1: variance 1. And of two rows, 1 or 0 with equal chance: 1/4.
  for (const std::int64_t step : {1, 2, 77}) {
    EProcessBets mean{};
    for (unsigned s = 0; s < 16; ++s) {
      std::vector<ClusterSums> sample;
      for (unsigned i = 0; i < 4; ++i) sample.push_back(prompt({(s >> i & 1u) != 0 ? 1.0 : -1.0}));
      const auto log_e = log_e_values(sample, bound(1.0), step);
      for (std::size_t l = 0; l < mean.size(); ++l) mean[l] += std::exp(log_e[l]) / 16;
    }
    for (const double e : mean) CHECK(e == Approx(1.0).epsilon(1e-13));
    mean = {};
    for (unsigned s = 0; s < 64; ++s) {  // 3 prompts: one is left over
      std::vector<ClusterSums> sample;
      for (unsigned i = 0; i < 3; ++i)
        sample.push_back(
            prompt({(s >> 2 * i & 1u) != 0 ? 1.0 : 0.0, (s >> (2 * i + 1) & 1u) != 0 ? 1.0 : 0.0}));
      const auto log_e = log_e_values(sample, bound(0.25), step);
      for (std::size_t l = 0; l < mean.size(); ++l) mean[l] += std::exp(log_e[l]) / 64;
    }
    for (const double e : mean) CHECK(e == Approx(1.0).epsilon(1e-13));
  }
}

TEST_CASE("a bound that is too small for the law makes e grow on the mean") {
  EProcessBets mean{};  // planted fault for the case above
  for (unsigned s = 0; s < 16; ++s) {
    std::vector<ClusterSums> sample;
    for (unsigned i = 0; i < 4; ++i) sample.push_back(prompt({(s >> i & 1u) != 0 ? 1.0 : -1.0}));
    const auto log_e = log_e_values(sample, bound(0.9), 1);
    for (std::size_t l = 0; l < mean.size(); ++l) mean[l] += std::exp(log_e[l]) / 16;
  }
  for (const double e : mean) CHECK(e > 1.001);
}

TEST_CASE("all pairings of four prompts are drawn equally often") {
  const std::vector<ClusterSums> step{prompt({0}), prompt({1}), prompt({3}), prompt({7})};
  EProcessSettings settings = bound(1.0);
  settings.pairings = 1;
  const double lambda = e_process_lambdas[6];
  const auto factor = [&](double a, double b) { return 1 + lambda * ((a - b) * (a - b) / 2 - 1); };
  const std::array<double, 3> expected{
      factor(0, 1) * factor(3, 7), factor(0, 3) * factor(1, 7), factor(0, 7) * factor(1, 3)};
  std::array<int, 3> seen{};
  for (std::int64_t t = 1; t <= 3000; ++t) {
    const double e = std::exp(log_e_values(step, settings, t)[6]);
    int which = -1;
    for (int k = 0; k < 3; ++k)
      if (std::fabs(e / expected[static_cast<std::size_t>(k)] - 1) < 1e-9) which = k;
    REQUIRE(which >= 0);
    ++seen[static_cast<std::size_t>(which)];
  }
  for (const int n : seen) CHECK(std::abs(n - 1000) < 104);  // 4 sd of 25.8
}

TEST_CASE("the origin of the sums does not matter") {
  std::mt19937_64 random(4);
  auto step = normal_step(random, 1.3, 8);
  const auto log_e = log_e_values(step, bound(1.0), 5);
  for (ClusterSums& c : step) {
    c.s2 += 2 * 3.0 * c.s1 + c.rows * 9.0;
    c.s1 += c.rows * 3.0;
  }
  const auto moved = log_e_values(step, bound(1.0), 5);
  for (std::size_t l = 0; l < log_e.size(); ++l) CHECK(moved[l] == Approx(log_e[l]).margin(1e-11));
}

TEST_CASE("a restart after any step changes nothing") {
  std::mt19937_64 random(8);
  std::vector<std::vector<ClusterSums>> steps;
  for (int t = 0; t < 30; ++t) steps.push_back(normal_step(random, t < 15 ? 0.9 : 1.5));
  EProcess whole(bound(1.0));
  for (const auto& step : steps) whole.add_step(step);
  for (std::size_t cut = 0; cut <= steps.size(); ++cut) {
    EProcess first(bound(1.0));
    for (std::size_t t = 0; t < cut; ++t) first.add_step(steps[t]);
    EProcess second(bound(1.0), first.state());
    for (std::size_t t = cut; t < steps.size(); ++t) second.add_step(steps[t]);
    CHECK(second.state() == whole.state());
  }
  REQUIRE(whole.state().alarm.has_value());
  CHECK(*whole.state().alarm > 15);
  CHECK(whole.state().detector_alarm.has_value());
}

TEST_CASE("a detector restarts and the evidence does not") {
  std::mt19937_64 random(8);
  EProcess watch(bound(1.0));
  for (int t = 0; t < 20; ++t) watch.add_step(normal_step(random, 2.0));
  REQUIRE(watch.state().detector_alarm.has_value());
  const double evidence = watch.log_evidence();
  watch.restart_detector();
  CHECK_FALSE(watch.state().detector_alarm.has_value());
  CHECK(watch.log_evidence() == evidence);
  CHECK(std::isinf(watch.log_detector()));
  watch.add_step(normal_step(random, 2.0));
  CHECK(std::isfinite(watch.log_detector()));
}

TEST_CASE("a step with fewer than two prompts teaches nothing") {
  EProcess watch(bound(1.0));
  watch.add_step({});
  const std::vector<ClusterSums> one{prompt({5, -5}), ClusterSums{}};
  watch.add_step(one);
  CHECK(watch.state().step == 2);
  CHECK(watch.log_evidence() == Approx(0.0).margin(1e-12));
}

TEST_CASE("huge excesses stay finite") {
  EProcess watch(bound(1e-9));
  std::mt19937_64 random(2);
  for (int t = 0; t < 50; ++t) watch.add_step(normal_step(random, 1e4, 512));
  CHECK(std::isfinite(watch.log_evidence()));
  CHECK(watch.state().alarm == std::optional<std::int64_t>(1));
}

TEST_CASE("settings that mean nothing are refused") {
  CHECK_THROWS_AS(EProcess(bound(0.0)), std::domain_error);
  EProcessSettings s = bound(1.0);
  s.alpha = 1.0;
  CHECK_THROWS_AS(EProcess(s), std::domain_error);
  s = bound(1.0);
  s.pairings = 0;
  CHECK_THROWS_AS(EProcess(s), std::domain_error);
}
