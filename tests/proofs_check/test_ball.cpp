// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "proofs_check/ball.hpp"
#include "proofs_check/prefix_facts.hpp"

namespace gammascope::proofs {
namespace {

Q digits(long whole_and_nine) { return Q(whole_and_nine) / Q(1000000000); }

TEST_CASE("a ball contains the number it stands for and knows its own error") {
  // log 2 = 0.693147180 559..., e = 2.718281828 459...
  const Ball log2(LogPrime::log(q(2))), e = exp(Ball(1));
  CHECK((Ball(digits(693147180)) < log2 && log2 < Ball(digits(693147181))));
  CHECK((Ball(digits(2718281828)) < e && e < Ball(digits(2718281829))));
  CHECK(log2.radius() < 1e-18);
  CHECK(exp(log2).overlaps(Ball(2)));
  CHECK((Ball(q(1, 3)) * Ball(3)).contains(1.0));
  CHECK(Ball(q(1, 3)).radius() > 0);
  CHECK(Ball(0.5).radius() == 0);
}

TEST_CASE("comparisons of balls that overlap are decided neither way") {
  const Ball third(q(1, 3)), again = Ball(1) - Ball(q(2, 3));
  CHECK(less(third, again) == Truth::unknown);
  CHECK(less_equal(third, again) == Truth::unknown);
  CHECK(less_equal(Ball(1), Ball(1)) == Truth::yes);
  CHECK(less(Ball(1), Ball(1)) == Truth::no);
  CHECK((Truth::yes && Truth::unknown) == Truth::unknown);
  CHECK((Truth::unknown && Truth::no) == Truth::no);
}

TEST_CASE("certify raises the precision until a small difference shows and gives up on equality") {
  const auto gap = [] { return Ball(1) / Ball(power(Q(10), 100)); };
  CHECK(certify([&] { return less(Ball(q(1, 3)), Ball(q(1, 3)) + gap()); }) == Truth::yes);
  CHECK(certify([&] { return less(Ball(q(1, 3)) + gap(), Ball(q(1, 3))); }) == Truth::no);
  CHECK(certify([&] { return less(log(Ball(6)), log(Ball(2)) + log(Ball(3))); }) == Truth::unknown);
  CHECK(Ball::precision == 64);
}

TEST_CASE("phi is continuous through zero and has its known values") {
  CHECK(phi(Ball(0)).contains(0.5));
  CHECK(phi(Ball(1)).overlaps(exp(Ball(-1))));
  // psi(1) = phi(-1) = e - 2.
  CHECK(phi(Ball(-1)).overlaps(exp(Ball(1)) - Ball(2)));
  const Ball around = Ball::hull(Ball(-1e-9), Ball(1e-9));
  CHECK(phi(around).contains(0.5));
  CHECK(phi(around).radius() < 1e-9);
}

}  // namespace
}  // namespace gammascope::proofs
