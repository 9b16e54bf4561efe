// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/verdict/kl_evalue.hpp"
#include "tests/analysis/verdict/synthetic_log.hpp"

using namespace gammascope;
using check::KlEValue;

namespace {
double phi_of(double c) { return (c - 1.0 + std::exp(-c)) / (c * c); }
}  // namespace

TEST_CASE("The e-value is the mean of three products") {
  const double c = 2.0, p = phi_of(c);
  const std::vector<double> credit{-1.5, 0.4, -0.2, 1.0};
  double want = 0;
  for (const double factor : {0.25, 1.0, 4.0}) {
    double product = 1;
    for (const double a : credit) product *= 1 + factor * p * (a + p * a * a);
    want += product / 3;
  }
  KlEValue e(c);
  for (std::size_t i = 0; i < credit.size(); ++i) e.add(i, credit[i]);
  CHECK(std::exp(e.log_e()) == Approx(want).epsilon(1e-7));
  CHECK(e.responses() == 4);
  CHECK(e.largest_loss() == 1.5);
  CHECK(e.p_fail() == Approx(std::min(1.0, 1 / want)).epsilon(1e-7));
}

TEST_CASE("The e-value is the same in any order") {
  test::Dice dice(5);
  std::vector<double> credit(500);
  for (double& a : credit) a = dice.normal() - 0.3;
  KlEValue forth(6.0), back(6.0);
  for (std::size_t i = 0; i < credit.size(); ++i) forth.add(i / 3, credit[i]);
  for (std::size_t i = credit.size(); i-- > 0;) back.add(i / 3, credit[i]);
  CHECK(forth.log_e() == back.log_e());
}

TEST_CASE("No response gives an e-value of one and a factor of zero is survived") {
  KlEValue e(3.0);
  CHECK(e.log_e() == Approx(0.0).margin(1e-15));
  CHECK(e.p_fail() == Approx(1.0));
  e.add(1, -0.5 / phi_of(3.0));  // A + phi A^2 = -1/(4 phi): the factor of lambda = 4 phi is 0
  CHECK(std::isfinite(e.log_e()));
  CHECK(std::exp(e.log_e()) == Approx((0.75 + 0.9375) / 3).epsilon(1e-9));
}

TEST_CASE("The factor has mean at most one under every two-point law that theory allows") {
  // X in {-c, e} with E e^X <= 1; exact expectation of each factor through one response.
  for (const double c : {0.5, 3.0, 10.0})
    for (const double p : {1e-3, 0.05, 0.3, 0.7})
      for (const double spare : {0.0, 0.3}) {
        const double e = std::log1p(-p * std::exp(-c)) - std::log1p(-p) - spare;
        KlEValue low(c), high(c);
        low.add(1, -c);
        high.add(1, e);
        CHECK(p * std::exp(low.log_e()) + (1 - p) * std::exp(high.log_e()) <= 1 + 1e-12);
      }
}

TEST_CASE("A true claim is refuted at most as often as the level says") {
  // The hard case of theory-2 3E, C = 3, p = .005, n = 200, where a t-test has size .37. By
  // Markov's inequality P(p <= .05) <= .05; 2000 logs, so more than 150 refutations have
  // probability below 1e-6.
  const double c = 3.0, p = 0.005;
  const double e = std::log1p(-p * std::exp(-c)) - std::log1p(-p);
  test::Dice dice(11);
  int refuted = 0;
  for (int log = 0; log < 2000; ++log) {
    KlEValue value(c);
    for (std::uint64_t i = 0; i < 200; ++i) value.add(i, dice.uniform() < p ? -c : e);
    refuted += value.p_fail() <= 0.05;
  }
  CHECK(refuted <= 150);
}

TEST_CASE("A sum that no student draws is refuted") {
  // Symmetric credit: E A = 0 with a positive second moment breaks E[A + phi A^2] <= 0.
  test::Dice dice(3);
  KlEValue value(3.0);
  for (std::uint64_t i = 0; i < 1500; ++i) value.add(i, dice.uniform() < 0.5 ? -1.0 : 1.0);
  CHECK(value.p_fail() < 1e-6);
}

TEST_CASE("Responses of one prompt count as their mean however they hang together") {
  // Copies of one response are one draw: a product over them would be a power of its factor.
  const double c = 3.0;
  KlEValue once(c), copied(c);
  once.add(7, 2.0);
  for (int i = 0; i < 100; ++i) copied.add(7, 2.0);
  CHECK(copied.log_e() == Approx(once.log_e()).epsilon(1e-12));
  CHECK(copied.prompts() == 1);
  CHECK(copied.responses() == 100);
  // And the mean of two that differ.
  KlEValue two(c);
  two.add(7, 2.0);
  two.add(7, -1.0);
  const double p = phi_of(c);
  double want = 0;
  for (const double multiple : {0.25, 1.0, 4.0})
    for (const double a : {2.0, -1.0}) want += (1 + multiple * p * (a + p * a * a)) / 6;
  CHECK(std::exp(two.log_e()) == Approx(want).epsilon(1e-7));
  // In a hundred prompts the same credit is a hundred draws.
  KlEValue apart(c);
  for (std::uint64_t i = 0; i < 100; ++i) apart.add(i, 2.0);
  CHECK(apart.log_e() > 20 * once.log_e());
}

TEST_CASE("C must be a number at least zero") {
  CHECK_THROWS_WITH(KlEValue(-1.0), "C must be a number >= 0");
  CHECK_THROWS_AS(KlEValue(std::nan("")), std::domain_error);
}
