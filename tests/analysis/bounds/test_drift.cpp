// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "analysis/bounds/drift.hpp"

using namespace gammascope;
using bounds::drift;

TEST_CASE("Without drift the bound is the exact variance of independent noise") {
  // Var(sum_k gamma^k M_k) = v geo(gamma^2, N): gamma = 1/2, N = 3: v (1 + 1/4 + 1/16).
  CHECK(drift(0.8, 0.0, Gamma(0.5), Horizon(3)) == Approx(0.8 * 1.3125).epsilon(1e-15));
  CHECK(drift(0.8, 0.0, Gamma(1.0), Horizon(1000)) == Approx(800.0).epsilon(1e-14));
}

TEST_CASE("Without noise the bound is the square of the whole sum and both add in size") {
  CHECK(drift(0.0, 0.04, Gamma(0.5), Horizon(3)) == Approx(0.04 * 1.75 * 1.75).epsilon(1e-15));
  // (sqrt(4 * 2) + sqrt(9) * 2)^2 at gamma = 1, N = 2
  CHECK(drift(4.0, 9.0, Gamma(1.0), Horizon(2)) ==
        Approx(8.0 + 36.0 + 12.0 * std::sqrt(8.0)).epsilon(1e-14));
}

TEST_CASE("The second sum of weights keeps its digits for gamma near one") {
  // geo(gamma^2, N) at gamma = 1 - 2^-40, N = 2^20: N - e N(N-1) + O((eN)^2), e = 2^-40.
  const double n = 1048576.0, e = std::ldexp(1.0, -40);
  const double want = n * (1.0 - e * (n - 1.0) + 2.0 / 3.0 * (e * n) * (e * n));
  CHECK(drift(1.0, 0.0, Gamma(1.0 - e), Horizon(1048576)) == Approx(want).epsilon(1e-14));
}

TEST_CASE("Infinite inputs give infinity unless the sum is empty") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(drift(inf, 0.0, Gamma(0.5), Horizon(1)) == inf);
  CHECK(drift(0.0, inf, Gamma(0.5), Horizon(1)) == inf);
  CHECK(drift(inf, inf, Gamma(0.5), Horizon(0)) == 0.0);
}

TEST_CASE("The drift bound names the argument that it refuses") {
  CHECK_THROWS_WITH(drift(-1.0, 0.0, Gamma(0.5), Horizon(1)),
                    "v (noise variance) must be a number >= 0");
  CHECK_THROWS_WITH(drift(0.0, std::nan(""), Gamma(0.5), Horizon(1)),
                    "d2 (drift variance) must be a number >= 0");
}
