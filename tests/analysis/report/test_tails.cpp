// SPDX-License-Identifier: MIT
#include <limits>

#include <catch2/catch.hpp>

#include "analysis/report/tails.hpp"

using namespace gammascope::report;
using Side = Tails::Side;

TEST_CASE("tails count each side apart and from the threshold on") {
  Tails t;
  for (const double delta : {-0.1, -0.125, -1.0, 0.0, 0.3, 64.0, 1e6}) t.add(delta);
  t.add(std::numeric_limits<double>::quiet_NaN());
  CHECK(t.total() == 7);
  CHECK(t.at_least(Side::positive_credit, 0) == 3);
  CHECK(t.at_least(Side::positive_credit, 1) == 2);  // 0.125 itself counts
  CHECK(t.at_least(Side::positive_credit, 8) == 1);  // 1 nat
  CHECK(t.at_least(Side::positive_credit, 9) == 0);
  CHECK(t.at_least(Side::negative_credit, 0) == 3);
  CHECK(t.at_least(Side::negative_credit, 3) == 2);
  CHECK(t.at_least(Side::negative_credit, 512) == 2);  // all from 64 nats on
  CHECK(t.at_least(Side::negative_credit, 9999) == 0);
}

TEST_CASE("infinite log-ratios land in the last bin of their side") {
  Tails t;
  t.add(std::numeric_limits<double>::infinity());
  t.add(-std::numeric_limits<double>::infinity());
  CHECK(t.at_least(Side::negative_credit, Tails::bins - 1) == 1);
  CHECK(t.at_least(Side::positive_credit, Tails::bins - 1) == 1);
}

TEST_CASE("merged tails are those of all tokens") {
  Tails a, b, all;
  for (int i = 0; i < 1000; ++i) {
    const double delta = (i % 37 - 20) * 0.31;
    (i % 2 == 0 ? a : b).add(delta);
    all.add(delta);
  }
  a.merge(b);
  CHECK(a.total() == all.total());
  for (std::size_t i = 0; i < Tails::bins; ++i) {
    REQUIRE(a.at_least(Side::positive_credit, i) == all.at_least(Side::positive_credit, i));
    REQUIRE(a.at_least(Side::negative_credit, i) == all.at_least(Side::negative_credit, i));
  }
}
