// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "analysis/bounds/kl.hpp"
#include "analysis/bounds/theorem_3_3.hpp"

using namespace gammascope;

TEST_CASE("The KL form is K times L minus L squared") {
  const double c = 3.0, l = 0.5;
  const double k = 9.0 / (2.0 + std::exp(-3.0));
  CHECK(bounds::kl(c, l) == Approx(k * l - l * l).epsilon(1e-14));
  CHECK(bounds::kl_second_moment(c, l) == Approx(k * l).epsilon(1e-14));
}

TEST_CASE("The KL form is asymptotically exact on the near-attaining family") {
  // A = -c G with probability p, else 0 (theory 3a); ratios printed in theory-2 3C.
  const double rows[][4] = {
      {0.01, 3, 100, 0.9966}, {0.001, 5, 1000, 0.99980}, {0.1, 1, 1000, 0.9989}};
  for (const auto& [p, c, n, ratio] : rows) {
    CAPTURE(p, c, n);
    const double big_c = c * n;
    const double variance = p * (1 - p) * big_c * big_c;
    CHECK(variance / bounds::kl(big_c, p * big_c) == Approx(ratio).margin(0.6e-4));
  }
  // Where the paper's bound keeps .90 only.
  CHECK(0.1 * 0.9 * 1e6 / bounds::theorem_3_3(bounds::Sigma2(0.1), Gamma(1.0), Horizon(1000)) ==
        Approx(0.9).epsilon(1e-14));
}

TEST_CASE("The KL form at its ends") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(bounds::kl(4.0, 0.0) == 0.0);
  CHECK(bounds::kl(0.0, 0.0) == 0.0);
  CHECK(bounds::kl(inf, 0.0) == 0.0);
  CHECK(bounds::kl(inf, 0.1) == inf);
  // L = C: A = -C surely, and K(C) C - C^2 with K(2) = 4 / (1 + e^-2) is above its variance of 0.
  CHECK(bounds::kl(2.0, 2.0) == Approx(8.0 / (1.0 + std::exp(-2.0)) - 4.0).epsilon(1e-14));
}

TEST_CASE("The KL form refuses what cannot be") {
  CHECK_THROWS_WITH(bounds::kl(-1.0, 0.1), "C must be a number >= 0");
  CHECK_THROWS_WITH(bounds::kl(1.0, -0.1), "L (discounted KL) must be a number >= 0");
  CHECK_THROWS_WITH(bounds::kl(1.0, 1.1), "L (discounted KL) must not exceed C");
  CHECK_THROWS_AS(bounds::kl(1.0, std::nan("")), std::domain_error);
}
