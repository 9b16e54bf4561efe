// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/doctor/cluster_mean.hpp"

using gammascope::doctor::ClusterMean;

TEST_CASE("B23 cluster and token errors of a mean are the textbook ones") {
  // 8 prompts x 16 rollouts: prompt means +-.3 (variance .09 with divisor 8 - 1: 8/7 * .09), within
  // +-.1.
  for (const double origin : {0.0, 1.0}) {
    ClusterMean m(origin);
    for (std::uint64_t p = 0; p < 8; ++p)
      for (int j = 0; j < 16; ++j) m.add(p << 40, (p % 2 ? 0.3 : -0.3) + (j % 2 ? 0.1 : -0.1));
    CHECK(m.clusters() == 8);
    CHECK(std::fabs(m.mean() - origin) < 1e-15);
    CHECK(std::fabs(*m.cluster_error() - std::sqrt(0.09 / 7)) < 1e-12);
    CHECK(std::fabs(*m.token_error() - std::sqrt((0.09 + 0.01) * 128 / 127 / 128)) < 1e-12);
  }
}

TEST_CASE("a cluster mean of many prompts keeps its memory bounded and its mean") {
  ClusterMean m(0.0);
  for (std::uint64_t p = 0; p < 20000; ++p) m.add(p * 0x9E3779B97F4A7C15ull, double(p % 2));
  CHECK(m.clusters() <= 4096);
  CHECK(m.clusters() > 1000);
  CHECK(m.mean() == 0.5);
}

TEST_CASE("a cluster mean is the same bits in every order") {
  std::mt19937_64 rng(7);
  std::normal_distribution<double> normal(0, 12);
  std::vector<std::pair<std::uint64_t, double>> all;
  for (int i = 0; i < 12000; ++i)  // more prompts than clusters; exp of these spans 40 decades
    all.emplace_back(rng() % 6000 * 0x9E3779B97F4A7C15ull, std::expm1(normal(rng)));
  const auto mean_of = [&] {
    ClusterMean m(1.0);
    for (const auto& [prompt, x] : all) m.add(prompt, x);
    return m;
  };
  const ClusterMean first = mean_of();
  for (int k = 0; k < 5; ++k) {
    std::shuffle(all.begin(), all.end(), rng);
    const ClusterMean again = mean_of();
    CHECK(again.mean() == first.mean());
    CHECK(again.token_error() == first.token_error());
    CHECK(again.cluster_error() == first.cluster_error());
    CHECK(again.clusters() == first.clusters());
  }
}

TEST_CASE("one number that is not finite makes the mean no number") {
  ClusterMean m(0.0);
  m.add(1, 2.0);
  m.add(2, std::numeric_limits<double>::infinity());
  CHECK(std::isnan(m.mean()));
  CHECK(std::isnan(*m.token_error()));
}
