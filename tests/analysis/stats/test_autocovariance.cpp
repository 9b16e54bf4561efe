// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/stats/autocovariance.hpp"

using namespace gammascope::stats;
using Response = std::vector<double>;
using Prompt = std::vector<Response>;

namespace {

/// The definition: the mean over pairs of pairs from different prompts.
double brute(const std::vector<Prompt>& prompts, std::size_t lag) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < prompts.size(); ++i)
    for (std::size_t j = 0; j < prompts.size(); ++j) {
      if (i == j) continue;
      for (const Response& a : prompts[i])
        for (const Response& b : prompts[j])
          for (std::size_t s = 0; s + lag < a.size(); ++s)
            for (std::size_t t = 0; t + lag < b.size(); ++t) {
              sum += (a[s] - b[t]) * (a[s + lag] - b[t + lag]) / 2;
              count += 1;
            }
    }
  return sum / count;
}

std::vector<ExactAutocovariance> accumulate(const std::vector<Prompt>& prompts, std::size_t lags) {
  std::vector<ExactAutocovariance> sums;
  for (const Prompt& p : prompts) {
    sums.emplace_back(lags);
    for (const Response& r : p) sums.back().add(r);
  }
  return sums;
}

std::vector<Prompt> random_prompts(std::mt19937_64& random, std::size_t count, double offset = 0) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> length(0, 6), responses(1, 3);
  std::vector<Prompt> prompts(count);
  for (Prompt& p : prompts) {
    const double effect = normal(random);
    p.resize(static_cast<std::size_t>(responses(random)));
    for (Response& r : p) {
      r.resize(static_cast<std::size_t>(length(random)));
      // on the grid of 2^-32, so that the oracle sees the same numbers
      for (double& x : r) x = offset + std::round((effect + normal(random)) * 1024) / 1024;
    }
  }
  prompts[0] = {{offset + 1, offset, offset + 2, offset - 1, offset, offset + 1}};
  prompts[1] = prompts[0];
  prompts[2] = {{offset, offset + 1, offset - 2, offset - 1, offset + 2, offset}};
  return prompts;
}

}  // namespace

TEST_CASE("lags of ragged responses agree with the definition") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const auto prompts = random_prompts(random, 8);
    const auto fit = autocovariance(accumulate(prompts, 5));
    REQUIRE(fit.value.size() == 5);
    for (std::size_t lag = 0; lag < 5; ++lag) {
      CHECK(fit.value[lag] == Approx(brute(prompts, lag)).margin(1e-12));
      std::vector<Prompt> without = prompts;
      without.erase(without.begin() + 4);
      CHECK(fit.without[4][lag] == Approx(brute(without, lag)).margin(1e-12));
    }
  }
}

TEST_CASE("a constant added to every token changes no covariance") {
  std::mt19937_64 random(2), same(2);
  const auto fit = autocovariance(accumulate(random_prompts(random, 10), 4));
  const auto moved = autocovariance(accumulate(random_prompts(same, 10, 65536.0), 4));
  for (std::size_t lag = 0; lag < 4; ++lag)
    CHECK(moved.value[lag] == Approx(fit.value[lag]).epsilon(1e-12).margin(1e-12));
}

TEST_CASE("sums are the same bits in any order of adding and merging") {
  std::mt19937_64 random(3);
  const auto prompts = random_prompts(random, 12);
  std::vector<Response> all;
  for (const Prompt& p : prompts) all.insert(all.end(), p.begin(), p.end());
  ExactAutocovariance whole(4);
  for (const Response& r : all) whole.add(r);
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(all.begin(), all.end(), random);
    std::vector<ExactAutocovariance> parts(3, ExactAutocovariance(4));
    for (std::size_t i = 0; i < all.size(); ++i) parts[i % 3].add(all[i]);
    ExactAutocovariance merged(4);
    for (const std::size_t k : {2u, 0u, 1u}) merged.merge(parts[k]);
    CHECK(merged == whole);
  }
  ExactAutocovariance other(4);
  for (std::size_t i = 1; i < all.size(); ++i) other.add(all[i]);  // planted: one response is lost
  CHECK((all[0].empty() || !(other == whole)));
}

TEST_CASE("a value out of range leaves the sums as they were") {
  ExactAutocovariance sums(3);
  sums.add(Response{1, 2, 3});
  const ExactAutocovariance before = sums;
  CHECK_THROWS_AS(sums.add(Response{1, std::nan(""), 3}), std::range_error);
  CHECK_THROWS_AS(sums.add(Response{1, 2e6}), std::range_error);
  CHECK(sums == before);
  ExactAutocovariance full(2);
  const Response largest(1u << 22, 0x1p20);
  full.add(largest);
  const ExactAutocovariance half = full;
  CHECK_THROWS_AS(full.add(largest), std::range_error);  // 2^23 squares of 2^104
  CHECK(full == half);
  CHECK_THROWS_AS(full.merge(half), std::range_error);
  CHECK(full == half);
  CHECK_THROWS_AS(sums.merge(half), std::invalid_argument);
  CHECK_THROWS_AS(ExactAutocovariance(0), std::invalid_argument);
}

TEST_CASE("the variance of a sum is the double sum of its autocovariances") {
  const std::vector<double> c{2.0, 1.1, 0.3, -0.4, 0.05, 0.2};
  for (const double gamma : {0.0, 0.5, 0.9, 1.0}) {
    const auto variances = credit_variances(c, gamma);
    REQUIRE(variances.size() == c.size());
    for (std::size_t n = 1; n <= c.size(); ++n) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k)
          sum += std::pow(gamma, static_cast<double>(j + k)) * c[j > k ? j - k : k - j];
      CHECK(variances[n - 1] == Approx(sum).epsilon(1e-13));
    }
  }
}

TEST_CASE("noise has no correlation and a frozen ratio nothing else") {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  std::vector<Prompt> noise(300), frozen(300);
  for (std::size_t i = 0; i < 300; ++i) {
    noise[i].assign(2, Response(40));
    for (Response& r : noise[i])
      for (double& x : r) x = normal(random);
    frozen[i] = {Response(40, normal(random)), Response(40, normal(random))};
  }
  const auto white = autocovariance(accumulate(noise, 16));
  const auto stuck = autocovariance(accumulate(frozen, 16));
  const auto white_sum = credit_variance(white, 0.9, 16).value();
  const auto stuck_sum = credit_variance(stuck, 0.9, 16).value();
  CHECK(std::fabs(white_sum.correlation_share) < 0.2);
  const double geo = (1 - std::pow(0.9, 16)) / 0.1, squares = (1 - std::pow(0.81, 16)) / 0.19;
  CHECK(stuck_sum.correlation_share == Approx(1 - squares / (geo * geo)).epsilon(1e-6));
  CHECK(*stuck_sum.variance.value == Approx(stuck.value[0] * geo * geo).epsilon(1e-6));
  // 95 % of geo(.81, 16) at 12 tokens (.95 of 5.083 = 4.829, geo(.81, 11) = 4.745); of geo(.9,
  // 16)^2 at 15 (sqrt .95 of 8.147 = 7.941, geo(.9, 14) = 7.712, geo(.9, 15) = 7.941 short by 3e-5)
  CHECK(stuck_sum.effective_horizon >= 15);
  CHECK(credit_variance(stuck, 0.0, 16).value().effective_horizon == 1);
  CHECK(white_sum.variance.has_limits());
  CHECK(*white_sum.variance.lower_limit(1e-4) < squares);
  CHECK(*white_sum.variance.upper_limit(1e-4) > squares);
  const auto second = white.at(2);
  CHECK(*second.lower_limit(1e-4) < 0.0);
  CHECK(*second.upper_limit(1e-4) > 0.0);
  CHECK(*stuck.at(2).lower_limit(1e-4) > 0.3);  // planted correlation is seen
}

TEST_CASE("the effective horizon is where every longer sum has 95 percent") {
  // c = (1, -.5) and 0 beyond: at gamma 1 every sum has variance 1.
  AutocovarianceFit fit;
  fit.value = {1.0, -0.5, 0.0, 0.0, 0.0};
  CHECK(credit_variance(fit, 1.0, 5).value().effective_horizon == 1);
  fit.value = {1.0, 0.0, 0.0, 0.0, 0.0};  // n / 5 of the variance
  CHECK(credit_variance(fit, 1.0, 5).value().effective_horizon == 5);
  CHECK(credit_variance(fit, 0.5, 5).value().effective_horizon == 3);  // 1, .94, .985, .996, 1
  fit.value = {1.0, 0.0, -0.5, 0.0, 0.0};  // sums 1, 2, 2, 2, 2: the share of correlation is -1.5
  const auto credit = credit_variance(fit, 1.0, 5).value();
  CHECK(credit.effective_horizon == 2);
  CHECK(credit.correlation_share == Approx(-1.5));
}

TEST_CASE("lags that fewer than three prompts reach are absent") {
  const std::vector<Prompt> prompts{{{1, 2, 3, 4}}, {{2, 1, 0, 5}}, {{0, 3}}, {{1}}, {{}}};
  const auto fit = autocovariance(accumulate(prompts, 6));
  CHECK(fit.value.size() == 2);
  CHECK_FALSE(fit.present[3][1]);
  CHECK_FALSE(fit.at(0).has_limits());
  CHECK_THROWS_AS(fit.at(2), std::out_of_range);
  CHECK_FALSE(credit_variance(fit, 0.9, 3).has_value());
  CHECK_FALSE(credit_variance(fit, 0.9, 0).has_value());
  CHECK(autocovariance({}).value.empty());
}
