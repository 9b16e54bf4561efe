// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "simulators/markov/alias_table.hpp"

using namespace gammascope::markov;

namespace {

/// What the columns give to each outcome: sums of thresholds, exactly as `draw` reads them.
std::vector<long double> implied(const std::vector<AliasColumn>& columns) {
  std::vector<long double> p(columns.size(), 0);
  const auto share = 1.0L / static_cast<long double>(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const long double own = static_cast<long double>(columns[i].threshold) * 0x1p-64L;
    p[i] += own * share;
    p[columns[i].alias] += (1 - own) * share;
  }
  return p;
}

}  // namespace

TEST_CASE("the columns give every outcome its probability to eighteen digits") {
  std::mt19937_64 engine(31);
  for (int k = 0; k < 300; ++k) {
    const std::size_t n = 1 + engine() % 200;
    std::vector<double> p(n);
    for (double& x : p) x = std::exp2(-static_cast<double>(engine() % 60));
    long double sum = 0;
    for (const double x : p) sum += static_cast<long double>(x);
    const auto got = implied(alias_columns(p));
    for (std::size_t i = 0; i < n; ++i)
      CHECK(std::abs(static_cast<double>(got[i] - static_cast<long double>(p[i]) / sum)) < 4e-18);
  }
}

TEST_CASE("the draw takes the outcome that the columns say at their edges") {
  const std::vector<double> p{0.75, 0.25};
  const auto columns = alias_columns(p);
  // Column 1 is 0.5 own, the rest is outcome 0's.
  CHECK(columns[1].threshold == std::uint64_t{1} << 63);
  CHECK(columns[1].alias == 0);
  constexpr std::uint64_t top = std::uint64_t{1} << 63;
  CHECK(draw(columns, 0) == 0);
  CHECK(draw(columns, top - 1) == 0);
  CHECK(draw(columns, top) == 1);
  CHECK(draw(columns, top + (top >> 1) - 1) == 1);
  CHECK(draw(columns, top + (top >> 1)) == 0);
  CHECK(draw(columns, std::numeric_limits<std::uint64_t>::max()) == 0);
  CHECK(draw(alias_columns(std::vector<double>{3.0}), 12345) == 0);
}
