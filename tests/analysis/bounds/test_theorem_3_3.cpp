// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "analysis/bounds/theorem_3_3.hpp"
#include "tests/support/reference.hpp"

using namespace gammascope;
using bounds::Sigma2;
using bounds::theorem_3_3;
using bounds::theorem_3_3_infinite;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
}

TEST_CASE("The finite bound is sigma2 geo squared to 1e-14 of the 25-digit reference") {
  const auto scalars = test::reference("scalars.json");
  for (const auto& row : scalars.at("geo")) {
    const double gamma = test::hexadecimal(row.at("gamma_hex"));
    const auto n = row.at("N").get<std::int64_t>();
    CAPTURE(gamma, n);
    const double geo = test::decimal(row.at("geo"));
    CHECK(theorem_3_3(Sigma2(0.3), Gamma(gamma), Horizon(n)) ==
          Approx(0.3 * geo * geo).epsilon(1e-14).margin(0));
  }
}

TEST_CASE("The second sum of weights agrees with a direct sum and with the rational form") {
  for (const double gamma : {0.0, 1e-20, 0.3, 0.5, 0.9, 0.999, 1.0 - 1e-9, 1.0})
    for (const std::int64_t n : {0, 1, 2, 17, 300}) {
      CAPTURE(gamma, n);
      long double g = 0, g2 = 0, w = 1;
      for (std::int64_t k = 0; k < n; ++k, w *= static_cast<long double>(gamma))
        g += w, g2 += w * w;
      const auto sums = bounds::weight_sums(Gamma(gamma), Horizon(n));
      CHECK(sums.g == Approx(static_cast<double>(g)).epsilon(1e-14));
      CHECK(sums.g2 == Approx(static_cast<double>(g2)).epsilon(1e-14));
    }
  const auto endless = bounds::weight_sums_infinite(Gamma(0.75));
  CHECK(endless.g == 4.0);
  CHECK(endless.g2 == Approx(16.0 / 7.0).epsilon(1e-15));
  CHECK_THROWS_AS(bounds::weight_sums_infinite(Gamma(1.0)), std::domain_error);
}

TEST_CASE("The infinite bound is sigma2 over one minus gamma squared and does not exist at one") {
  CHECK(theorem_3_3_infinite(Sigma2(0.16), Gamma(0.9)) == Approx(16.0).epsilon(1e-14));
  CHECK(theorem_3_3_infinite(Sigma2(0.2), Gamma(0.0)) == 0.2);
  CHECK_THROWS_AS(theorem_3_3_infinite(Sigma2(0.2), Gamma(1.0)), std::domain_error);
  for (const double gamma : {0.0, 0.5, 0.99})
    CHECK(theorem_3_3(Sigma2(1.0), Gamma(gamma), Horizon(100000)) <=
          theorem_3_3_infinite(Sigma2(1.0), Gamma(gamma)) * (1 + 1e-14));
}

TEST_CASE("Overflow is infinity and an empty sum or zero sigma2 is zero") {
  CHECK(theorem_3_3(Sigma2(1e300), Gamma(1.0), Horizon(1000000000)) == inf);
  CHECK(theorem_3_3(Sigma2(inf), Gamma(0.5), Horizon(3)) == inf);
  CHECK(theorem_3_3(Sigma2(inf), Gamma(0.5), Horizon(0)) == 0.0);
  CHECK(theorem_3_3(Sigma2(0.0), bounds::WeightSums{inf, inf}) == 0.0);
}

TEST_CASE("Sigma2 and the horizon refuse negative and undefined numbers by name") {
  CHECK_THROWS_WITH(Sigma2(-1e-9), "sigma2 must be a number >= 0");
  CHECK_THROWS_WITH(Sigma2(std::nan("")), "sigma2 must be a number >= 0");
  CHECK_THROWS_AS(theorem_3_3(Sigma2(1.0), Gamma(0.5), Horizon(-1)), std::domain_error);
}
