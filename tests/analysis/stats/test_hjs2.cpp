// SPDX-License-Identifier: MIT
// Golden numbers: pair means by enumeration, one prompt left out at a time, calibration 7 written
// down again in NumPy and SciPy; p-values by root finding on the error level of the limits.
#include <cmath>
#include <random>
#include <vector>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/hjs2.hpp"

using namespace gammascope;
using namespace gammascope::test;

namespace {

const Rows three{{1, 3, -2, 0}, {5, 4, 7}, {-1, -3}, {0, 2, 1, -4}, {-6, -2, -5}, {2, 2, 3, 1}};
const Rows two{
    {2, 1, -1, 0.5}, {3, 2.5, 4}, {0.5, -1}, {1, 1, -2, -3}, {-2, -1.5, -4}, {0, 1.5, 2.5, 1}};

stats::JackknifeLog log_of(const Rows& rows) {
  return stats::jackknife_log_variance(sums_about(rows, mean_of(rows))).value();
}

}  // namespace

TEST_CASE("the log ratio of two cells of one log has its golden limits") {
  const auto fit = stats::hjs2_log_ratio(log_of(two), log_of(three));
  REQUIRE(fit.has_limits());
  CHECK(*fit.value == Approx(0.9589244176236762).epsilon(1e-11));
  CHECK(fit.jackknife_scale == Approx(0.15994329010460517).epsilon(1e-9));
  CHECK(fit.skewness == Approx(-0.29787491209494005).epsilon(1e-9));
  CHECK(fit.effective_clusters == Approx(2.413217085786344).epsilon(1e-9));
  CHECK(fit.df == 5.0);
  const auto limits = fit.limits(0.95).value();
  CHECK(limits.lower == Approx(-0.7299286338591404).epsilon(1e-9));
  CHECK(limits.upper == Approx(1.289603358627991).epsilon(1e-9));
  CHECK(fit.p_above(0) == Approx(0.03515008975468394).epsilon(1e-9));
  CHECK(fit.p_below(0) == Approx(0.9863420281243929).epsilon(1e-9));
}

TEST_CASE("with 24 prompts the degrees of freedom are below the number of prompts") {
  Rows x(24), y(24);
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 3; ++j) {
      const int v = (37 * i * i + 11 * j) % 23 - 11;
      x[static_cast<std::size_t>(i)].push_back(v * (i % 7 == 3 ? 4 : 1));
      y[static_cast<std::size_t>(i)].push_back((29 * i + 17 * j * j) % 19 - 9);
    }
  const auto fit = stats::hjs2_log_ratio(log_of(x), log_of(y));
  CHECK(*fit.value == Approx(-1.4186337576102028).epsilon(1e-11));
  CHECK(fit.df == Approx(9.640943533700643).epsilon(1e-9));
  const auto limits = fit.limits(0.95).value(), narrow = fit.limits(0.9).value();
  CHECK(limits.lower == Approx(-5.133850208361666).epsilon(1e-9));
  CHECK(limits.upper == Approx(-0.7203221444372754).epsilon(1e-9));
  CHECK(narrow.lower == Approx(-4.330901723827555).epsilon(1e-9));
  CHECK(narrow.upper == Approx(-0.834400169168495).epsilon(1e-9));
  CHECK(fit.p_below(0) == Approx(0.0001351186443732839).epsilon(1e-6));
}

TEST_CASE("exchanging the two cells mirrors the limits") {
  const auto fit = stats::hjs2_log_ratio(log_of(two), log_of(three));
  const auto mirror = stats::hjs2_log_ratio(log_of(three), log_of(two));
  CHECK(*mirror.lower_limit(0.01) == Approx(-*fit.upper_limit(0.01)).epsilon(1e-12));
  CHECK(*mirror.upper_limit(0.2) == Approx(-*fit.lower_limit(0.2)).epsilon(1e-12));
  CHECK(mirror.p_below(-0.3) == Approx(fit.p_above(0.3)).epsilon(1e-12));
}

TEST_CASE("a p value is the error level at which its limit meets the bound") {
  const auto fit = stats::hjs2_log_ratio(log_of(two), log_of(three));
  for (const double error : {0.001, 0.025, 0.3}) {
    CHECK(fit.p_above(*fit.lower_limit(error)) == Approx(error).epsilon(1e-8));
    CHECK(fit.p_below(*fit.upper_limit(error)) == Approx(error).epsilon(1e-8));
  }
}

TEST_CASE("the parts of a log variance are those of its own limits") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20; ++i) {
    const Rows rows = random_rows(random, 40, 3.0);
    const auto log = log_of(rows);
    const std::vector<stats::JackknifeLog> parts{log};
    const std::vector<double> one{1.0};
    const auto fit = stats::hjs2_linear(parts, one);
    CHECK(fit.jackknife_scale == Approx(log.fit.jackknife_scale).epsilon(1e-9));
    CHECK(*fit.value == Approx(std::log(*log.fit.value)).epsilon(1e-12));
    CHECK(fit.clusters == log.fit.clusters);
  }
}

TEST_CASE("cells that are exactly proportional are exact and have no interval") {
  Rows doubled = three;
  for (auto& cluster : doubled)
    for (double& a : cluster) a *= 2.0;
  const auto fit = stats::hjs2_log_ratio(log_of(three), log_of(doubled));
  CHECK(fit.availability == stats::Availability::proportional);
  CHECK(*fit.value == Approx(std::log(4.0)).epsilon(1e-12));
  CHECK_FALSE(fit.limits(0.95).has_value());
  CHECK(fit.p_above(0) == 1.0);
  doubled[0][0] += 0.001;  // the clean twin
  CHECK(stats::hjs2_log_ratio(log_of(three), log_of(doubled)).has_limits());
}

TEST_CASE("what has no limits says why") {
  CHECK_FALSE(stats::jackknife_log_variance({}).has_value());
  CHECK_FALSE(stats::jackknife_log_variance(sums_about({{1, 2}, {3}}, 2)).has_value());
  CHECK_FALSE(stats::jackknife_log_variance(sums_about({{1}, {1}, {1}, {1}}, 1)).has_value());
  const Rows four{{1, 2}, {3, 5}, {2, 2}, {0, 7}}, other{{1, 1}, {3, 4}, {2, 0}, {0, 1}};
  CHECK(stats::hjs2_log_ratio(log_of(four), log_of(other)).availability ==
        stats::Availability::too_few_clusters);
  Rows carried = three;
  carried[1] = {500, 400, 700};
  const auto fit = stats::hjs2_log_ratio(log_of(three), log_of(carried));
  CHECK(fit.availability == stats::Availability::one_cluster);
  CHECK_FALSE(fit.limits(0.9).has_value());
}

TEST_CASE("a prompt without rows in either cell does not count") {
  Rows more_two = two, more_three = three;
  more_two.insert(more_two.begin() + 2, std::vector<double>{});
  more_three.insert(more_three.begin() + 2, std::vector<double>{});
  const auto with = stats::hjs2_log_ratio(log_of(more_two), log_of(more_three));
  const auto without = stats::hjs2_log_ratio(log_of(two), log_of(three));
  CHECK(with.clusters == 6);
  CHECK(*with.lower_limit(0.05) == Approx(*without.lower_limit(0.05)).epsilon(1e-12));
}

TEST_CASE("sizes that do not fit are refused") {
  const auto one = log_of(two);
  const auto short_one = log_of({{1, 2}, {3, 5}, {2, 2}, {0, 7}});
  CHECK_THROWS_AS(stats::hjs2_log_ratio(one, short_one), std::invalid_argument);
  CHECK_THROWS_AS(stats::hjs2_linear({}, {}), std::invalid_argument);
  const auto fit = stats::hjs2_log_ratio(one, log_of(three));
  CHECK_THROWS_AS(fit.lower_limit(0.0), std::domain_error);
  CHECK_THROWS_AS(fit.limits(1.0), std::domain_error);
}
