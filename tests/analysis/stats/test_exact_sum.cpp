// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>

#include "analysis/stats/exact_sum.hpp"

using gammascope::stats::ExactSum;
using Integer = boost::multiprecision::cpp_int;

namespace {

/// x as a multiple of 2^-260, for |x| >= 2^-200 or 0.
Integer whole(double x) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::frexp(x, &exponent) * 0x1p53);
  return Integer(mantissa) << static_cast<unsigned>(exponent - 53 + 260);
}

double sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double x : values) sum.add(x);
  return sum.value();
}

}  // namespace

TEST_CASE("sums that cancel keep every bit that floating point loses") {
  CHECK(sum_of({1e300, 1.0, -1e300}) == 1.0);
  CHECK(sum_of({1.0, 1e-300, -1.0}) == 1e-300);
  CHECK(sum_of({-1e16, 1.0, 1.0, 1e16}) == 2.0);
  CHECK(sum_of({0x1p-1074, 0x1p-1074}) == 0x1p-1073);
  CHECK(sum_of({-0x1p-1074, 0x1p1023, -0x1p1023}) == -0x1p-1074);
  CHECK(sum_of({}) == 0.0);
  CHECK(sum_of({-1.5}) == -1.5);
  const double most = std::numeric_limits<double>::max();
  CHECK(sum_of({most, most, -most}) == most);  // a partial sum beyond the largest double
  CHECK(sum_of({most, most}) == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(sum_of({1.0, -std::numeric_limits<double>::infinity()})));
}

TEST_CASE("sums of random doubles of all sizes are within one unit of the integer sum") {
  std::mt19937_64 rng(11);
  for (int k = 0; k < 200; ++k) {
    std::vector<double> values;
    Integer exact = 0;
    for (int i = 0; i < 50; ++i) {
      const double size = std::ldexp(1.0 + std::generate_canonical<double, 53>(rng),
                                     static_cast<int>(rng() % 300) - 150);
      values.push_back(rng() % 2 ? size : -size);
      exact += whole(values.back());
    }
    const double got = sum_of(values);
    const double unit = std::nextafter(std::fabs(got), HUGE_VAL) - std::fabs(got);
    CHECK(abs(Integer(whole(got) - exact)) <= whole(unit));
  }
}

TEST_CASE("order and merging do not change a bit of an exact sum") {
  std::mt19937_64 rng(12);
  std::normal_distribution<double> normal(0, 30);
  std::vector<double> values;
  for (int i = 0; i < 3000; ++i) values.push_back((i % 2 ? 1 : -1) * std::exp(normal(rng)));
  const double first = sum_of(values);
  for (int k = 0; k < 10; ++k) {
    std::shuffle(values.begin(), values.end(), rng);
    CHECK(sum_of(values) == first);
    ExactSum a, b;
    for (std::size_t i = 0; i < values.size(); ++i) (i < 1000 ? a : b).add(values[i]);
    b.merge(a);
    CHECK(b.value() == first);
  }
}
