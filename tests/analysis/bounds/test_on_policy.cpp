// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "analysis/bounds/on_policy.hpp"
#include "analysis/bounds/theorem_3_3.hpp"

using namespace gammascope;
using bounds::on_policy;
using bounds::Sigma2;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
}

TEST_CASE("The on-policy bound reproduces the 3b column of the table of theory-2 2b") {
  const double table[][3] = {{1, 0.1, 0.098647},
                             {1, 0.5, 0.466166},
                             {2, 1.5, 1.318736},
                             {5, 3, 2.768823},
                             {5, 10, 7.431368}};
  for (const auto& [c, sigma2, want] : table) {
    CAPTURE(c, sigma2);
    CHECK(std::abs(on_policy(Sigma2(sigma2), c, Gamma(0.3), Horizon(1)) - want) <= 0.6e-6);
  }
}

TEST_CASE(
    "The on-policy bound scales with geo squared and is constant beyond the top of its parabola") {
  const double one = on_policy(Sigma2(0.5), 1.0, Gamma(0.9), Horizon(1));
  const double geo17 = 8.332281830033344;  // tests/data/reference/scalars.json
  CHECK(on_policy(Sigma2(0.5), 1.0, Gamma(0.9), Horizon(17)) ==
        Approx(one * geo17 * geo17).epsilon(1e-14));
  // c = 0: phi = 1/2, the top is at s = 2, the value there 1.
  CHECK(on_policy(Sigma2(2.0), 0.0, Gamma(0.0), Horizon(1)) == Approx(1.0).epsilon(1e-15));
  CHECK(on_policy(Sigma2(50.0), 0.0, Gamma(0.0), Horizon(1)) == Approx(1.0).epsilon(1e-15));
  CHECK(on_policy(Sigma2(inf), 0.0, Gamma(0.0), Horizon(1)) == Approx(1.0).epsilon(1e-15));
}

TEST_CASE("The on-policy bound without a clamp is Theorem 3.3 and below it with one") {
  const auto w = bounds::weight_sums(Gamma(0.99), Horizon(64));
  CHECK(on_policy(Sigma2(0.4), inf, w) == bounds::theorem_3_3(Sigma2(0.4), w));
  CHECK(on_policy(Sigma2(0.4), 1e200, w) == Approx(bounds::theorem_3_3(Sigma2(0.4), w)));
  CHECK(on_policy(Sigma2(0.4), 3.0, w) < bounds::theorem_3_3(Sigma2(0.4), w));
  CHECK(on_policy(Sigma2(inf), inf, w) == inf);
}

TEST_CASE("The near-attaining family reaches 0.999 of the on-policy bound") {
  const double p = 0.001, c = 5.0;  // theory 3b
  const auto w = bounds::weight_sums(Gamma(0.9), Horizon(40));
  const double truth = w.g * w.g * p * (1 - p) * c * c;  // theory 3a
  const double bound = on_policy(Sigma2(p * c * c), c, w);
  CHECK(truth <= bound);
  CHECK(truth > 0.999 * bound);
}

TEST_CASE("The on-policy bound refuses a negative or undefined c") {
  CHECK_THROWS_WITH(on_policy(Sigma2(1.0), -0.1, Gamma(0.5), Horizon(4)),
                    "c must be a number >= 0");
  CHECK_THROWS_AS(on_policy(Sigma2(1.0), std::nan(""), Gamma(0.5), Horizon(4)), std::domain_error);
}
