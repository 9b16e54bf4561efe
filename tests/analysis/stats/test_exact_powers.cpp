// SPDX-License-Identifier: MIT
// Power sums against big integers of another library, number by number.
#include <cmath>
#include <random>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>

#include "analysis/stats/exact_powers.hpp"

using namespace gammascope::stats;
using Big = boost::multiprecision::int1024_t;

namespace {

/// floor(k / 2^16 + 1/2)
std::int64_t coarse(std::int64_t k) {
  return static_cast<std::int64_t>(std::floor((static_cast<long double>(k) + 0x8000) / 0x10000));
}

/// Sums of (x 2^-16 - k0 2^-32)^p in units of 2^-32p.
Big power_sum(const std::vector<std::int64_t>& values, std::int64_t k0, unsigned p) {
  Big sum = 0;
  for (const std::int64_t k : values)
    sum += boost::multiprecision::pow(Big(coarse(k)) * 65536 - k0, p);
  return sum;
}

void require_right(const std::vector<std::int64_t>& values, std::int64_t k0) {
  ExactPowers powers;
  for (const std::int64_t k : values) powers.add_grid(k);
  const RowPowers got = powers.about(k0);
  CHECK(got.s3 == std::ldexp(power_sum(values, k0, 3).convert_to<double>(), -96));
  CHECK(got.s4 == std::ldexp(power_sum(values, k0, 4).convert_to<double>(), -128));
  CHECK(powers.count() == static_cast<std::int64_t>(values.size()));
}

std::vector<std::int64_t> draw(std::uint64_t seed, std::size_t count, std::int64_t largest) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(
        static_cast<std::int64_t>(random() % (2 * static_cast<std::uint64_t>(largest) + 1)) -
        largest);
  return values;
}

constexpr std::int64_t one = std::int64_t{1} << 32;  // a nat
constexpr std::int64_t largest = std::int64_t{1} << 52;

}  // namespace

TEST_CASE("power sums agree with big integers from the smallest to the largest values") {
  require_right({}, 0);
  require_right({0}, 0);
  require_right({-1, 1, 0x7fff, 0x8000, -0x8000, -0x8001}, 0);
  require_right({largest, -largest, largest}, 0);
  require_right({largest, -largest, largest}, largest / 3);
  for (const std::int64_t size : {one / 1000, one, 100 * one, 40000 * one, largest}) {
    const auto values = draw(static_cast<std::uint64_t>(size), 500, size);
    require_right(values, 0);
    require_right(values, size / 7);
    require_right(values, -size);
  }
}

TEST_CASE("a spread of a thousandth around a large mean keeps its fourth moment") {
  std::vector<std::int64_t> values = draw(3, 2000, one / 10);
  long double right = 0;
  for (std::int64_t& k : values) {
    const long double x = std::ldexp(static_cast<long double>(coarse(k)), -16);
    right += x * x * x * x;
    k += 1000 * one;
  }
  ExactPowers powers;
  for (const std::int64_t k : values) powers.add_grid(k);
  CHECK(powers.about(1000 * one).s4 == Approx(static_cast<double>(right)).epsilon(1e-12));
}

TEST_CASE(
    "parts of power sums merge in any order to the same state and survive being taken apart") {
  const auto values = draw(9, 300, largest);
  ExactPowers whole, first, second;
  for (std::size_t i = 0; i < values.size(); ++i) {
    whole.add_grid(values[i]);
    (i % 3 == 0 ? first : second).add_grid(values[i]);
  }
  ExactPowers ab = first, ba = second;
  ab.merge(second);
  ba.merge(first);
  CHECK(ab == whole);
  CHECK(ba == whole);
  CHECK(ExactPowers::from_sums(
            whole.count(), whole.first(), whole.second(), whole.third(), whole.fourth()) == whole);
  ab.add_grid(1 << 16);
  CHECK_FALSE(ab == whole);
}

TEST_CASE("twenty million of the largest values do not overflow a fourth power sum") {
  ExactPowers powers;
  for (int i = 0; i < 20; ++i) {
    powers.add_grid(i % 2 == 0 ? largest : -largest);
  }
  for (int i = 0; i < 20; ++i) powers.merge(ExactPowers(powers));
  CHECK(powers.about(0).s4 == std::ldexp(20.0, 20 + 80));
  CHECK(powers.about(0).s3 == 0.0);
}
