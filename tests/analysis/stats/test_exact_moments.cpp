// SPDX-License-Identifier: MIT
// Case B21 (variance arithmetic) with its clean and faulty twins, and what exactness promises.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/stats/exact_moments.hpp"

using gammascope::stats::ClusterSums;
using gammascope::stats::ExactMoments;

namespace {

ExactMoments of(const std::vector<double>& values) {
  ExactMoments m;
  for (const double x : values) m.add(x);
  return m;
}

/// Two passes in long double over the values on the grid: shares no formula with the class.
long double two_pass_variance(const std::vector<double>& values) {
  long double mean = 0, ss = 0;
  for (const double x : values) mean += std::nearbyint(static_cast<long double>(x) * 0x1p32L);
  mean /= static_cast<long double>(values.size());
  for (const double x : values) {
    const long double d = std::nearbyint(static_cast<long double>(x) * 0x1p32L) - mean;
    ss += d * d;
  }
  return ss / static_cast<long double>(values.size() - 1) * 0x1p-64L;
}

float naive_variance(const std::vector<double>& values) {  // the fault of case B21
  float s1 = 0, s2 = 0;
  for (const double x : values) {
    s1 += static_cast<float>(x);
    s2 += static_cast<float>(x) * static_cast<float>(x);
  }
  const auto n = static_cast<float>(values.size());
  return (s2 - s1 * s1 / n) / (n - 1);
}

std::vector<double> noisy(std::uint64_t seed, std::size_t n, double centre, double sd) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(centre, sd);
  std::vector<double> values(n);
  std::generate(values.begin(), values.end(), [&] { return normal(random); });
  return values;
}

}  // namespace

TEST_CASE("B21 seven equal values have variance zero and not 1.8e-7") {
  CHECK(of(std::vector<double>(7, 0.95)).variance() == 0.0);
  CHECK(of(std::vector<double>(7, 0.1)).mean().value() == Approx(0.1).epsilon(1e-9));
}

TEST_CASE("B21 the pair 1.00000 and 1.00001 has standard deviation 7.071e-6") {
  const double sd = std::sqrt(of({1.00000, 1.00001}).variance().value());
  CHECK(sd == Approx(7.0710678e-6).epsilon(3e-5));  // the grid is 2.3e-10 wide
}

TEST_CASE("B21 a thousand values near ten thousand keep their variance") {
  const auto values = noisy(1, 1000, 10000, 0.01);
  const double exact = of(values).variance().value();
  CHECK(exact == Approx(1e-4).epsilon(0.2));  // chi-square, 999 df: relative sd 4.5 %
  CHECK(exact == Approx(static_cast<double>(two_pass_variance(values))).epsilon(1e-14));
  // The faulty twin is red: float sums lose everything.
  CHECK(std::fabs(static_cast<double>(naive_variance(values)) - exact) > 10 * exact);
}

TEST_CASE("twenty random samples agree with two passes in long double at any shift") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const double centre = std::ldexp(seed % 2 == 0 ? 1.0 : -1.0, static_cast<int>(seed));
    const auto values = noisy(seed, 100, centre, 0.3);
    const ExactMoments m = of(values);
    CHECK(m.variance().value() ==
          Approx(static_cast<double>(two_pass_variance(values))).epsilon(1e-13));
    double sum = 0;
    for (const double x : values) sum += x;
    CHECK(m.mean().value() == Approx(sum / 100).epsilon(1e-9));
  }
}

TEST_CASE("a shift by a million changes no bit of the variance of values on the grid") {
  auto values = noisy(3, 500, 0, 1);
  for (double& x : values) x = std::nearbyint(x * 0x1p30) * 0x1p-30;
  const ExactMoments before = of(values);
  for (double& x : values) x += 1e6;
  const ExactMoments after = of(values);
  CHECK(after.variance() == before.variance());
  CHECK(after.about(after.centre()) == before.about(before.centre()));
}

TEST_CASE("order and splitting do not show") {
  auto values = noisy(4, 1000, 5, 100);
  const ExactMoments whole = of(values);
  std::mt19937_64 random(9);
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(values.begin(), values.end(), random);
    ExactMoments merged, part;
    for (const double x : values) {
      part.add(x);
      if (random() % 10 == 0) {
        merged.merge(part);
        part = {};
      }
    }
    merged.merge(part);
    CHECK(merged == whole);
  }
  values[0] += 1e-9;  // a planted fault is seen
  CHECK_FALSE(of(values) == whole);
}

TEST_CASE("power sums about a centre equal those computed directly") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto values = noisy(seed, 37, 1000, 2);
    const ExactMoments m = of(values);
    const std::int64_t k0 = m.centre();
    long double s1 = 0, s2 = 0;
    for (const double x : values) {
      const auto d = static_cast<long double>(ExactMoments::to_grid(x) - k0) * 0x1p-32L;
      s1 += d;
      s2 += d * d;
    }
    const ClusterSums c = m.about(k0);
    CHECK(c.rows == 37.0);
    CHECK(c.s1 == Approx(static_cast<double>(s1)).margin(1e-12));
    CHECK(c.s2 == Approx(static_cast<double>(s2)).epsilon(1e-14));
    CHECK(std::fabs(c.s1) <= 37 * 0.5 * 0x1p-32);
    const ClusterSums raw = m.about(0);
    CHECK(raw.s2 / 37 == Approx(m.second_moment().value()).epsilon(1e-15));
  }
}

TEST_CASE("values off the range are refused and leave the state as it was") {
  ExactMoments m = of({1, 2, 3});
  const ExactMoments before = m;
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity(),
                           0x1.0000000000001p20,
                           -1e300})
    CHECK_THROWS_AS(m.add(bad), std::range_error);
  CHECK(m == before);
  CHECK_NOTHROW(m.add(0x1p20));
  CHECK_NOTHROW(m.add(-0x1p20));
}

TEST_CASE("a sum of squares that would overflow is refused") {
  ExactMoments m = of({0x1p20});
  for (int i = 0; i < 22; ++i) m.merge(ExactMoments(m));  // 2^22 values
  const ExactMoments before = m;
  CHECK(m.variance().value() == 0.0);
  CHECK_THROWS_AS(m.merge(before), std::range_error);
  CHECK(m == before);
}

TEST_CASE("too few values have no moments") {
  CHECK_FALSE(ExactMoments().mean());
  CHECK_FALSE(ExactMoments().second_moment());
  CHECK_FALSE(ExactMoments().variance());
  CHECK_FALSE(of({5}).variance());
  CHECK(of({5}).mean() == 5.0);
}

TEST_CASE("values go to the nearest grid point with halves to even") {
  CHECK(ExactMoments::to_grid(0x1p-32) == 1);
  CHECK(ExactMoments::to_grid(0x1p-33) == 0);
  CHECK(ExactMoments::to_grid(3 * 0x1p-33) == 2);
  CHECK(ExactMoments::to_grid(-0x1p-33) == 0);
  CHECK(ExactMoments::to_grid(-3 * 0x1p-33) == -2);
  CHECK(ExactMoments::to_grid(-0x1p20) == -(std::int64_t{1} << 52));
}
