// SPDX-License-Identifier: MIT
// HJS against the golden vector of calibration 2, and against its definitions evaluated directly.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/hjs.hpp"

using namespace gammascope;
using stats::Availability;
using stats::HjsFit;
using test::Rows;

namespace {

const Rows golden{{1, 3, -2, 0}, {5, 4, 7}, {-1, -3}, {0, 2, 1, -4}, {-6, -2, -5}, {2, 2, 3, 1}};

/// The definition: mean of (a - b)^2 / 2 over all pairs of rows from different clusters.
double all_pairs(const Rows& rows) {
  double sum = 0, pairs = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (i == j) continue;
      for (const double a : rows[i])
        for (const double b : rows[j]) {
          sum += (a - b) * (a - b) / 2;
          pairs += 1;
        }
    }
  return sum / pairs;
}

HjsFit fit_of(const Rows& rows) {
  return stats::hjs_variance(test::sums_about(rows, test::mean_of(rows)));
}

}  // namespace

TEST_CASE("HJS reproduces the golden vector") {
  for (const double origin : {0.0, 0.5, -3.0}) {
    const HjsFit fit = stats::hjs_variance(test::sums_about(golden, origin));
    REQUIRE(fit.has_limits());
    CHECK(fit.clusters == 6);
    CHECK(fit.rows == 20.0);
    CHECK(*fit.value == Approx(12.4515151515).epsilon(1e-10));
    CHECK(fit.relative_se == Approx(0.3490409981).epsilon(1e-9));
    CHECK(fit.jackknife_scale == Approx(0.5579989820).epsilon(1e-9));
    CHECK(fit.scale == fit.jackknife_scale);
    CHECK(fit.skewness == Approx(0.2246887551).epsilon(1e-9));
    CHECK(fit.effective_clusters == Approx(4.0542623088).epsilon(1e-10));
    CHECK(fit.share == Approx(0.3169999103).epsilon(1e-9));
    CHECK(fit.df_upper == 5.0);
    const auto at95 = fit.limits(0.95), at90 = fit.limits(0.90);
    CHECK(at95->lower == Approx(2.3423780433).epsilon(1e-9));
    CHECK(at95->upper == Approx(54.9563478381).epsilon(1e-9));
    CHECK(at90->lower == Approx(4.0687032050).epsilon(1e-9));
    CHECK(at90->upper == Approx(52.2995690846).epsilon(1e-9));
  }
}

TEST_CASE("the golden gate is red for the pooled variance and for a dropped factor") {
  double ss = 0, count = 0;
  const double mean = test::mean_of(golden);
  for (const auto& cluster : golden)
    for (const double a : cluster) {
      ss += (a - mean) * (a - mean);
      count += 1;
    }
  CHECK(ss / (count - 1) != Approx(12.4515151515).epsilon(1e-3));  // pooled: biased under clusters
  HjsFit fit = fit_of(golden);
  fit.skewness_upper = fit.skewness;  // planted: without the factor and the floor
  CHECK(fit.limits(0.95)->upper != Approx(54.9563478381).epsilon(1e-3));
}

TEST_CASE("theta and the part of one cluster follow from all pairs of rows") {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 20; ++trial) {
    const Rows rows = test::random_rows(random, 12, trial);
    const HjsFit fit = fit_of(rows);
    CHECK(*fit.value == Approx(all_pairs(rows)).epsilon(1e-12));
    double smallest = *fit.value;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Rows fewer = rows;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      smallest = std::min(smallest, all_pairs(fewer));
    }
    CHECK(fit.share == Approx(1 - smallest / *fit.value).epsilon(1e-9).margin(1e-12));
  }
}

TEST_CASE("limits do not see order or empty clusters and follow the scale") {
  std::mt19937_64 random(12);
  for (int trial = 0; trial < 20; ++trial) {
    Rows rows = test::random_rows(random, 15);
    const auto before = fit_of(rows).limits(0.95);
    REQUIRE(before);
    std::shuffle(rows.begin(), rows.end(), random);
    rows.emplace_back();
    const auto after = fit_of(rows).limits(0.95);
    CHECK(after->lower == Approx(before->lower).epsilon(1e-10));
    CHECK(after->upper == Approx(before->upper).epsilon(1e-10));
    for (auto& cluster : rows)
      for (double& a : cluster) a = 1e-8 * a + 0.001;
    const auto scaled = fit_of(rows).limits(0.95);
    CHECK(scaled->lower == Approx(1e-16 * before->lower).epsilon(1e-6));
    CHECK(scaled->upper == Approx(1e-16 * before->upper).epsilon(1e-6));
  }
}

TEST_CASE("p-values and limits say the same") {
  std::mt19937_64 random(13);
  for (int trial = 0; trial < 20; ++trial) {
    const HjsFit fit = fit_of(test::random_rows(random, 20));
    for (const double error : {0.4, 0.1, 0.025, 0.001}) {
      CHECK(fit.p_pass(*fit.upper_limit(error)) == Approx(error).epsilon(1e-8));
      const double lower = *fit.lower_limit(error);
      if (lower > 0) CHECK(fit.p_fail(lower) == Approx(error).epsilon(1e-8));
    }
    double last = 1;
    for (double b = 0.1 * *fit.value; b < 20 * *fit.value; b *= 1.3) {
      const double p = fit.p_pass(b);
      CHECK(p <= last);
      last = p;
    }
  }
}

TEST_CASE("the second moment is that of all rows about zero") {
  const auto sums = test::sums_about(golden, 0);
  const HjsFit fit = stats::hjs_second_moment(sums);
  CHECK(*fit.value == Approx(218.0 / 20).epsilon(1e-15));  // 14 + 90 + 10 + 21 + 65 + 18
  // Influence sums by hand: s2 - m * 10.9.
  const std::vector<double> u{14 - 43.6, 90 - 32.7, 10 - 21.8, 21 - 43.6, 65 - 32.7, 18 - 43.6};
  double u2 = 0, u4 = 0;
  for (const double x : u) {
    u2 += x * x;
    u4 += x * x * x * x;
  }
  CHECK(fit.se == Approx(std::sqrt(6.0 / 5 * u2) / 20).epsilon(1e-12));
  CHECK(fit.effective_clusters == Approx(u2 * u2 / u4).epsilon(1e-12));
  CHECK(fit.share == Approx(1 - (218.0 - 90) / 17 / 10.9).epsilon(1e-12));
  CHECK(fit.limits(0.95)->lower < 10.9);
  CHECK(fit.limits(0.95)->upper > 10.9);
}

TEST_CASE("a mean has the cluster-robust standard error and Student limits") {
  // Means 1 2 3 4 5 of clusters of two equal rows: u = 2 (mean - 3), sum u^2 = 40, M = 10.
  const Rows rows{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};
  for (const double origin : {0.0, 3.0, 2.25}) {
    const auto fit = stats::cluster_mean(test::sums_about(rows, origin), origin);
    CHECK(*fit.value == Approx(3.0));
    CHECK(fit.se == Approx(std::sqrt(5.0 / 4 * 40) / 10));
    CHECK(fit.effective_clusters == Approx(40.0 * 40 / (256 + 16 + 16 + 256)));
    // t quantile .975 at 4 df, table: 2.7764451052
    CHECK(fit.limits(0.95)->upper == Approx(3 + 2.7764451052 * std::sqrt(0.5)).epsilon(1e-9));
  }
}

TEST_CASE("what cannot have limits says why") {
  const auto why = [](const Rows& rows) { return fit_of(rows).availability; };
  CHECK(why({{1, 2}, {3}, {4}, {5}}) == Availability::too_few_clusters);
  CHECK(why(Rows(9, {2.5, 2.5})) == Availability::degenerate);
  CHECK(why(Rows(9, {-1, 1})) == Availability::proportional);
  CHECK(why({{1, -1.1}, {1, -1}, {1.2, -1}, {0, 1}, {1, 2}, {500, -500}}) ==
        Availability::one_cluster);
  CHECK(why(golden) == Availability::available);
  CHECK(stats::hjs_variance(test::sums_about(golden, 1e9)).availability ==
        Availability::off_centre);
  for (const Rows& rows : {Rows{{1, 2}, {3}, {4}, {5}}, Rows(9, {2.5, 2.5}), Rows(9, {-1, 1})}) {
    const HjsFit fit = fit_of(rows);
    CHECK_FALSE(fit.limits(0.95));
    CHECK_FALSE(fit.upper_limit(0.05));
    CHECK(fit.p_pass(1e9) == 1.0);
    CHECK(fit.p_fail(1e-9) == 1.0);
    CHECK_FALSE(stats::sentence(fit.availability, fit.clusters).empty());
  }
}

TEST_CASE("one cluster or none has no variance") {
  CHECK_FALSE(stats::hjs_variance({}).value);
  CHECK_FALSE(stats::hjs_variance(test::sums_about({{1, 2, 3}}, 2)).value);
  CHECK_FALSE(stats::hjs_second_moment({}).value);
  CHECK_FALSE(stats::cluster_mean({}, 0).value);
  CHECK(*stats::hjs_second_moment(test::sums_about({{1, 2}}, 0)).value == 2.5);
  CHECK_FALSE(stats::hjs_second_moment(test::sums_about({{1, 2}}, 0)).limits(0.9));
}

TEST_CASE("an error level outside the open unit interval is refused") {
  const HjsFit fit = fit_of(golden);
  for (const double bad : {0.0, 1.0, -0.1, 1.1}) {
    CHECK_THROWS_AS(fit.limits(bad), std::domain_error);
    CHECK_THROWS_AS(fit.lower_limit(bad), std::domain_error);
    CHECK_THROWS_AS(fit.upper_limit(bad), std::domain_error);
  }
}

TEST_CASE("limits of normal rows in clusters cover the truth") {
  // 2000 samples of 32 clusters of 4, icc .5, variance 1: measured 95.5 (1.7 / 2.9), calibration
  // 3.3. Coverage below 94 % (3.1 standard errors) or above 97 % (3.2): failure probability 2e-3
  // over seeds, none at this fixed one.
  std::mt19937_64 random(14);
  std::normal_distribution<double> normal;
  int inside = 0;
  const int samples = 2000;
  for (int i = 0; i < samples; ++i) {
    Rows rows(32, std::vector<double>(4));
    for (auto& cluster : rows) {
      const double effect = normal(random);
      for (double& a : cluster) a = (effect + normal(random)) * std::sqrt(0.5);
    }
    const auto limits = fit_of(rows).limits(0.95);
    REQUIRE(limits);
    inside += limits->lower <= 1 && 1 <= limits->upper ? 1 : 0;
  }
  CHECK(inside >= 0.94 * samples);
  CHECK(inside <= 0.97 * samples);
}
