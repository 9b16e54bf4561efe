// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>

#include <catch2/catch.hpp>

#include "analysis/core/geo.hpp"
#include "tests/support/reference.hpp"

using namespace gammascope;

TEST_CASE("geo equals every reference value to 1e-15 relative") {
  std::size_t seen = 0;
  const auto file = test::reference("scalars.json");
  for (const auto& row : file.at("geo")) {
    const Gamma gamma(test::hexadecimal(row.at("gamma_hex")));
    const Horizon horizon{row.at("N").get<std::int64_t>()};
    const double right = test::decimal(row.at("geo"));
    CAPTURE(gamma.value(), value(horizon), right);
    CHECK(std::fabs(geo(gamma, horizon) - right) <= 1e-15 * right);
    ++seen;
  }
  CHECK(seen >= 100);
}

TEST_CASE("geo holds 1e-15 at gamma = 1 - 1e-12 where the plain quotient does not") {
  const Gamma gamma(1.0 - 1e-12);
  const double e = gamma.value() - 1.0;  // exact
  // N + C(N,2) e + C(N,3) e^2 + ... : for N = 1000 the third term is below 1e-15 of the sum.
  const double right = 1000.0 + 499500.0 * e;
  CHECK(std::fabs(geo(gamma, Horizon{1000}) - right) <= 1e-15 * right);
  const double plain = (1.0 - std::pow(gamma.value(), 1000.0)) / (1.0 - gamma.value());
  CHECK(std::fabs(plain - right) > 1e-10 * right);  // the fault this test would see
}

TEST_CASE("geo at the edges") {
  CHECK(geo(Gamma(0.5), Horizon{0}) == 0.0);
  CHECK(geo(Gamma(0.0), Horizon{5}) == 1.0);
  CHECK(geo(Gamma(1.0), Horizon{5}) == 5.0);
  CHECK_THROWS_AS(geo(Gamma(0.5), Horizon{-1}), std::domain_error);
  CHECK(geo_infinite(Gamma(0.75)) == 4.0);
  CHECK_THROWS_AS(geo_infinite(Gamma(1.0)), std::domain_error);
}
