// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "analysis/bounds/phi.hpp"
#include "tests/support/reference.hpp"

using namespace gammascope;
using bounds::kl_constant;
using bounds::phi;

TEST_CASE("phi agrees with the 25-digit reference to 1e-15 relative") {
  const auto scalars = test::reference("scalars.json");
  for (const auto& row : scalars.at("phi")) {
    const double c = test::hexadecimal(row.at("c_hex"));
    CAPTURE(c);
    const double want = test::decimal(row.at("phi"));
    CHECK(std::abs(phi(c) - want) < 1e-15 * want);
  }
}

TEST_CASE("phi is one half at zero and never increases across the change of formula") {
  CHECK(phi(0.0) == 0.5);
  CHECK(phi(std::numeric_limits<double>::infinity()) == 0.0);
  CHECK(phi(1e300) == Approx(1e-300).epsilon(1e-15));
  double before = phi(0.99);
  for (int i = 1; i <= 2000; ++i) {
    const double now = phi(0.99 + i * 1e-5);
    CHECK(now < before);
    before = now;
  }
}

TEST_CASE(
    "phi is the largest factor in exp of x at least 1 plus x plus phi x squared on x at least "
    "minus c") {
  // The definition itself: at x = -c equality, on a grid above it never violated (rounding 1e-15).
  for (const double c : {0.05, 0.5, 1.0, 2.0, 5.0, 40.0}) {
    CHECK(std::exp(-c) == Approx(1.0 - c + phi(c) * c * c).margin(1e-14 * (1.0 + c)));
    for (int i = 0; i <= 1000; ++i) {
      const double x = -c + i * (c + 3.0) / 1000.0;
      CHECK(std::expm1(x) - x >= phi(c) * x * x - 1e-14 * (1.0 + c));
    }
  }
}

TEST_CASE("K lies between one plus C and two plus C and its inverse is phi") {
  CHECK(kl_constant(0.0) == 2.0);
  for (const double c : {1e-6, 0.1, 1.0, 3.0, 10.0, 300.0, 1e6}) {
    CHECK(kl_constant(c) >= (1.0 + c) * (1.0 - 1e-15));
    CHECK(kl_constant(c) <= (2.0 + c) * (1.0 + 1e-15));
  }
  // 16-state process of theory-2 section 3: c = 2.81 gives K = 4.22.
  CHECK(kl_constant(2.81) == Approx(4.22).epsilon(2e-3));
}

TEST_CASE("phi and K refuse negative and undefined arguments by name") {
  CHECK_THROWS_WITH(phi(-1e-300), "c must be a number >= 0");
  CHECK_THROWS_WITH(phi(std::nan("")), "c must be a number >= 0");
  CHECK_THROWS_WITH(kl_constant(-1.0), "C must be a number >= 0");
  CHECK_THROWS_AS(kl_constant(std::nan("")), std::domain_error);
}
