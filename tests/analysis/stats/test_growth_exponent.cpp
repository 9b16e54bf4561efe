// SPDX-License-Identifier: MIT
// Golden numbers: as in test_hjs2.cpp, slopes by least squares in NumPy.
#include <cmath>
#include <random>
#include <vector>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/growth_exponent.hpp"

using namespace gammascope;
using namespace gammascope::test;

namespace {

stats::JackknifeLog log_of(const Rows& rows) {
  return stats::jackknife_log_variance(sums_about(rows, mean_of(rows))).value();
}

const std::vector<double> powers{1, 2, 4, 8, 16, 32, 64};

/// Prompts of 4 sums of n tokens; x(t) are the tokens of one response.
template <class Tokens>
std::vector<stats::JackknifeLog> sums_of(std::size_t prompts, Tokens&& tokens) {
  std::vector<Rows> cells(powers.size(), Rows(prompts));
  for (std::size_t i = 0; i < prompts; ++i)
    for (int j = 0; j < 4; ++j) {
      const std::vector<double> x = tokens();
      double sum = 0;
      std::size_t k = 0;
      for (std::size_t t = 0; t < x.size(); ++t) {
        sum += x[t];
        if (static_cast<double>(t + 1) == powers[k]) cells[k++][i].push_back(sum);
      }
    }
  std::vector<stats::JackknifeLog> logs;
  for (const Rows& rows : cells) logs.push_back(log_of(rows));
  return logs;
}

}  // namespace

TEST_CASE("slope and change of slope have their golden values") {
  const Rows a{{1, 3, -2, 0}, {5, 4, 7}, {-1, -3}, {0, 2, 1, -4}, {-6, -2, -5}, {2, 2, 3, 1}};
  const Rows b{
      {2, 1, -1, 0.5}, {3, 2.5, 4}, {0.5, -1}, {1, 1, -2, -3}, {-2, -1.5, -4}, {0, 1.5, 2.5, 1}};
  const Rows c{{0.5, 1, -0.5, 1},
               {1, 2, 1.5},
               {1, -0.5},
               {0, 0.5, -1, -1.5},
               {-1, 0.5, -1},
               {-.5, 1, .5, 2}};
  const std::vector<double> n{1, 4, 16};
  const std::vector<stats::JackknifeLog> logs{log_of(c), log_of(b), log_of(a)};
  const auto growth = stats::growth_exponent(n, logs);
  CHECK(*growth.slope.value == Approx(0.8727110048038046).epsilon(1e-10));
  const auto limits = growth.slope.limits(0.95).value();
  CHECK(limits.lower == Approx(0.4751398565072707).epsilon(1e-9));
  CHECK(limits.upper == Approx(1.326908047773049).epsilon(1e-9));
  REQUIRE(growth.change.has_value());
  CHECK(growth.change->n == 4);
  CHECK(*growth.change->difference.value == Approx(-0.3619865077145944).epsilon(1e-10));
  CHECK(*growth.change->difference.lower_limit(0.025) == Approx(-1.8554417368151843).epsilon(1e-9));
  CHECK(*growth.change->difference.upper_limit(0.025) ==
        Approx(-0.036355241295477736).epsilon(1e-8));
  CHECK(growth.change->p_adjusted == Approx(2 * 0.016343599104434028).epsilon(1e-8));
  REQUIRE(growth.local.size() == 2);
  CHECK(*growth.local[1].slope.value ==
        Approx((logs[2].log_value - logs[1].log_value) / std::log(4.0)).epsilon(1e-12));
  CHECK(*growth.change->after.value == Approx(*growth.local[1].slope.value).epsilon(1e-12));
}

TEST_CASE("a frozen process grows with exponent two exactly and has no interval") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const auto logs = sums_of(40, [&] { return std::vector<double>(64, normal(random)); });
  const auto growth = stats::growth_exponent(powers, logs);
  CHECK(*growth.slope.value == Approx(2.0).epsilon(1e-10));
  CHECK(growth.slope.availability == stats::Availability::proportional);
  CHECK_FALSE(growth.change.has_value());
}

TEST_CASE("independent tokens grow with exponent one inside the limits") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const auto logs = sums_of(200, [&] {
    std::vector<double> x(64);
    for (double& v : x) v = normal(random);
    return x;
  });
  const auto growth = stats::growth_exponent(powers, logs);
  CHECK(*growth.slope.lower_limit(1e-4) < 1.0);  // chance of a false alarm 2e-4
  CHECK(*growth.slope.upper_limit(1e-4) > 1.0);
  CHECK(*growth.slope.upper_limit(0.025) - *growth.slope.lower_limit(0.025) < 0.2);
  REQUIRE(growth.change.has_value());
  CHECK(growth.change->p_adjusted > 1e-3);
  CHECK(growth.first_trusted == std::optional<std::size_t>(0));
}

TEST_CASE("a process that forgets after 8 tokens changes its slope there") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const auto logs = sums_of(200, [&] {  // blocks of 8 equal tokens: exponent 2, then 1
    std::vector<double> x(64);
    for (std::size_t t = 0; t < 64; ++t) x[t] = t % 8 == 0 ? normal(random) : x[t - 1];
    return x;
  });
  const auto growth = stats::growth_exponent(powers, logs);
  REQUIRE(growth.change.has_value());
  CHECK(growth.change->n == 8);
  CHECK(growth.change->p_adjusted < 1e-6);
  CHECK(*growth.change->before.value == Approx(2.0).margin(0.05));
  CHECK(*growth.change->after.value == Approx(1.0).margin(0.2));
}

TEST_CASE("grids that are no grid are refused") {
  const Rows a{{1, 3}, {5, 4}, {-1, -3}, {0, 2}, {-6, -2}};
  const std::vector<stats::JackknifeLog> logs{log_of(a), log_of(a)};
  CHECK_THROWS_AS(stats::growth_exponent(std::vector<double>{1}, logs), std::invalid_argument);
  CHECK_THROWS_AS(stats::growth_exponent(std::vector<double>{2, 2}, logs), std::invalid_argument);
  CHECK_THROWS_AS(stats::growth_exponent(std::vector<double>{0, 2}, logs), std::invalid_argument);
}
