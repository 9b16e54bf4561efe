// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <string>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <catch2/catch.hpp>

#include "simulators/markov/exact_number.hpp"

using namespace gammascope::markov;

TEST_CASE("fractions and decimals are read exactly") {
  CHECK(*parse_rational("3/5") == Rational(3, 5));
  CHECK(*parse_rational("0.6") == Rational(3, 5));
  CHECK(*parse_rational("6e-1") == Rational(3, 5));
  CHECK(*parse_rational("0.06E+1") == Rational(3, 5));
  CHECK(*parse_rational("1") == Rational(1));
  CHECK(*parse_rational("010/020") == Rational(1, 2));  // not octal
  CHECK(*parse_rational("000") == Rational(0));
  CHECK(*parse_rational("-1/2") == Rational(-1, 2));
  CHECK(*parse_rational("1e-300") > 0);
}

TEST_CASE("what is no number is not read") {
  for (const char* text :
       {"",    "-",   "x",   "1/",  "/2",  "1/0",    "1/-2", "1 /2", ".5",  "5.",   "1e",
        "1e+", "0x1", "nan", "inf", "1,5", "1e5000", "--1",  "+1",   "1e-", "1.e2", "1/2/3"})
    CHECK_FALSE(parse_rational(text).has_value());
  CHECK_FALSE(parse_rational(std::string(2000, '1')).has_value());
}

TEST_CASE("the logarithm of a quotient keeps its digits where the two almost agree") {
  using Wide = boost::multiprecision::cpp_bin_float_100;
  const auto truth = [](const Rational& n, const Rational& d) {
    const Wide quotient = Wide(numerator(Rational(n / d))) / Wide(denominator(Rational(n / d)));
    return static_cast<double>(log(quotient));
  };
  for (const char* gap : {"1e-3", "1e-9", "1e-15", "1e-25"}) {
    const Rational d(1, 3);
    const Rational n = d * (1 + *parse_rational(gap));
    CHECK(static_cast<double>(log_quotient(n, d)) == Approx(truth(n, d)).epsilon(1e-16));
    CHECK(static_cast<double>(log_quotient(d, n)) == Approx(truth(d, n)).epsilon(1e-16));
  }
  // Doubles stand for themselves: the neighbour of 0.3 is 1 ulp away, whatever its decimals say.
  const double d = 0.3, n = std::nextafter(0.3, 1.0);
  CHECK(static_cast<double>(log_quotient(n, d)) ==
        Approx(truth(Rational(n), Rational(d))).epsilon(1e-16));
  CHECK(static_cast<double>(log_quotient(Rational(n), d)) ==
        Approx(truth(Rational(n), Rational(d))).epsilon(1e-16));
  CHECK(static_cast<double>(log_quotient(1e-200, 0.5)) ==
        Approx(truth(Rational(1e-200), Rational(0.5))).epsilon(1e-16));
  CHECK(log_quotient(0.0, 0.5) == -std::numeric_limits<long double>::infinity());
}
