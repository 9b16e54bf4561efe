// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "proofs_check/ball.hpp"
#include "proofs_check/log_prime.hpp"

namespace gammascope::proofs {
namespace {

TEST_CASE("the log of a fraction is the sum of the exponents of its primes") {
  CHECK(LogPrime::log(q(360, 7)).text() == "3 log 2 + 2 log 3 + 1 log 5 - 1 log 7");
  CHECK(LogPrime::log(q(1)).is_zero());
  CHECK(LogPrime::log(q(4, 6)) == LogPrime::log(q(2)) - LogPrime::log(q(3)));
  CHECK(LogPrime::log(q(4294967291L)).terms().size() == 1);  // the largest prime below 2^32
}

TEST_CASE("log is additive and terms that cancel vanish") {
  for (long a = 1; a <= 30; ++a)
    for (long b = 1; b <= 30; ++b) {
      CHECK(LogPrime::log(q(a * b)) == LogPrime::log(q(a)) + LogPrime::log(q(b)));
      CHECK((LogPrime::log(q(a, b)) + LogPrime::log(q(b, a))).is_zero());
    }
}

TEST_CASE("a rational number times a log is a log and a log times a log is refused") {
  const LogPrime half(q(1, 2)), log6 = LogPrime::log(q(6));
  CHECK((half * log6).text() == "1/2 log 2 + 1/2 log 3");
  CHECK(half * log6 == log6 * half);
  CHECK((LogPrime(0) * log6).is_zero());
  CHECK((half + log6).text() == "1/2 + 1 log 2 + 1 log 3");
  CHECK_THROWS_AS(log6 * log6, std::domain_error);
  CHECK_THROWS_AS(LogPrime::log(q(0)), std::domain_error);
  CHECK_THROWS_AS(LogPrime::log(q(-2)), std::domain_error);
}

TEST_CASE("a sum with a factor agrees with the same sum in ball arithmetic") {
  LogPrime x = LogPrime::log(q(10, 21));
  x.add(LogPrime::log(q(7, 15)), q(-3, 4));
  const Ball expected = log(Ball(q(10, 21))) - Ball(q(3, 4)) * log(Ball(q(7, 15)));
  CHECK(Ball(x).overlaps(expected));
  CHECK(Ball(x).radius() < 1e-17);
  CHECK(expected.radius() < 1e-17);
}

}  // namespace
}  // namespace gammascope::proofs
