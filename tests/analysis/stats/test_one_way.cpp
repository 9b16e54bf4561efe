// SPDX-License-Identifier: MIT
// Case B23: prompts as clusters.
#include <cmath>
#include <random>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/one_way.hpp"

using namespace gammascope;
using test::Rows;

namespace {

/// 8 prompts x 16 rows whose analysis of variance gives exactly these two components.
Rows balanced(double between, double within) {
  // Rows of a prompt: +d and -d, so the mean square within is 16 d^2 / 15; prompt means: +e and
  // -e, so the mean square between is 16 * 8 e^2 / 7 = within + 16 between.
  const double d = std::sqrt(within * 15 / 16);
  const double e = std::sqrt((within + 16 * between) * 7 / 128);
  Rows rows(8, std::vector<double>(16));
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 16; ++j)
      rows[i][j] = 3 + (i % 2 == 0 ? e : -e) + (j % 2 == 0 ? d : -d);
  return rows;
}

}  // namespace

TEST_CASE("B23 eight prompts of sixteen responses have design effect 14.5") {
  const auto w = stats::one_way(test::sums_about(balanced(0.09, 0.01), 3)).value();
  CHECK(w.clusters == 8);
  CHECK(w.rows == 128);
  CHECK(w.between == Approx(0.09));
  CHECK(w.within == Approx(0.01));
  CHECK(w.intraclass == Approx(0.9));
  CHECK(w.design_effect == Approx(14.5));
  CHECK(w.se_mean == Approx(0.1064).margin(5e-5));
  CHECK(w.se_mean_independent == Approx(0.02795).margin(5e-6));
}

TEST_CASE("B23 the clean twin without a prompt effect costs nothing") {
  const auto w = stats::one_way(test::sums_about(balanced(0.0, 0.1), 3)).value();
  CHECK(w.intraclass == Approx(0.0).margin(1e-12));
  CHECK(w.design_effect == Approx(1.0));
  CHECK(w.se_mean == Approx(w.se_mean_independent));
}

TEST_CASE("B23 the faulty twin with one cluster per row hides the cost") {
  Rows rows;
  for (const auto& prompt : balanced(0.09, 0.01))
    for (const double a : prompt) rows.push_back({a});
  CHECK_FALSE(stats::one_way(test::sums_about(rows, 3)));  // it is said that nothing can be known
}

TEST_CASE("components of random effects come back for unequal clusters") {
  // 20 logs of 400 prompts of 1 to 8 rows, between .5, within 1.5. The standard error of `between`
  // is near .06, of `within` near .06: margins of 5 of them.
  std::mt19937_64 random(61);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    Rows rows(400);
    for (auto& cluster : rows) {
      const double effect = std::sqrt(0.5) * normal(random);
      cluster.resize(1 + random() % 8);
      for (double& a : cluster) a = 10 + effect + std::sqrt(1.5) * normal(random);
    }
    const auto w = stats::one_way(test::sums_about(rows, 10)).value();
    CHECK(w.between == Approx(0.5).margin(0.3));
    CHECK(w.within == Approx(1.5).margin(0.3));
    CHECK(w.intraclass == Approx(0.25).margin(0.15));
  }
}

TEST_CASE("a split needs two prompts and a second row") {
  CHECK_FALSE(stats::one_way({}));
  CHECK_FALSE(stats::one_way(test::sums_about({{1, 2, 3}}, 0)));
  CHECK_FALSE(stats::one_way(test::sums_about({{1}, {2}}, 0)));
  const auto same = stats::one_way(test::sums_about({{2, 2}, {2, 2}}, 2)).value();
  CHECK(same.between == 0.0);
  CHECK(same.within == 0.0);
  CHECK(same.intraclass == 0.0);
}
