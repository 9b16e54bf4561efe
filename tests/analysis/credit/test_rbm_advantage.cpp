// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include <catch2/catch.hpp>

#include "analysis/credit/rbm_advantage.hpp"

using namespace gammascope;

TEST_CASE("RBM facts hold on random responses") {
  std::mt19937 rng(7);
  std::cauchy_distribution<double> heavy;
  for (int k = 0; k < 200; ++k) {
    std::vector<double> a(1 + rng() % 50);
    for (double& x : a) x = heavy(rng);
    const double reward = k % 2 ? 1.0 : -1.0;
    std::vector<double> ahat = a, scaled = a;
    rbm_advantage(ahat, reward);
    for (double& x : scaled) x *= 1024.0;  // exact: b is unchanged to the bit
    rbm_advantage(scaled, reward);
    double squares = 0;
    for (std::size_t t = 0; t < a.size(); ++t) {
      const double b = ahat[t] - reward;
      REQUIRE(std::fabs(b) < 1.0);
      REQUIRE(ahat[t] * reward > 0.0);
      REQUIRE(scaled[t] == ahat[t]);
      squares += b * b;
    }
    REQUIRE(squares / double(a.size()) <= 0.25 + 1e-12);  // T2.7a
  }
}

TEST_CASE("RBM of nothing and of zeros and of one token") {
  std::vector<double> none;
  CHECK_NOTHROW(rbm_advantage(none, 1.0));
  std::vector<double> zeros{0.0, std::numeric_limits<double>::quiet_NaN(), 0.0};
  rbm_advantage(zeros, -1.0);
  CHECK(zeros[0] == -1.0);
  CHECK(std::isnan(zeros[1]));
  std::vector<double> one{-3.0};
  rbm_advantage(one, 1.0);
  CHECK(one[0] == 0.5);
  CHECK_THROWS_AS(rbm_advantage(one, 0.0), std::domain_error);
}
