// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/measure/estimate.hpp"
#include "analysis/measure/variance_ratio.hpp"

using namespace gammascope;
using namespace gammascope::measure;

namespace {

Sweep swept(const test::Log& log, double confidence = 0.95) {
  Settings settings;
  settings.confidence = confidence;
  return test::swept(log,
                     Plan(settings,
                          {{Alignment::window, 0.9, 8, 0},
                           {Alignment::window, 0.0, 8, 0},
                           {Alignment::position, 0.0, 6, 0}}));
}

}  // namespace

TEST_CASE("a ratio of variances is that of the two estimates and turns over with its limits") {
  test::Log log = test::random_log(4, 600, 30);
  for (RolloutRecord& r : log)
    if (!r.prompt_id) r.prompt_id = "known";
  const Sweep sweep = swept(log);
  const Cell up = variance_ratio(sweep, 0, 1), down = variance_ratio(sweep, 1, 0);
  const double top = *estimate(sweep, 0, 0).variance.value;
  const double below = *estimate(sweep, 1, 0).variance.value;
  REQUIRE(up.value);
  CHECK(std::fabs(*up.value / (top / below) - 1) < 1e-12);
  CHECK(up.quantity == Quantity::ratio);
  CHECK(up.gamma == 0.9);
  CHECK(up.n == 8);
  CHECK(up.method == "HJS2");
  REQUIRE(up.lower);
  CHECK(*up.lower < *up.value);
  CHECK(*up.upper > *up.value);
  // HJS2 treats L and -L alike.
  CHECK(std::fabs(*up.lower * *down.upper - 1) < 1e-10);
  CHECK(std::fabs(*up.upper * *down.lower - 1) < 1e-10);
  CHECK(*variance_ratio(swept(log, 0.99), 0, 1).upper > *up.upper);
}

TEST_CASE("a ratio is not available of other rows or of what no prompt changes") {
  const Sweep sweep = swept(test::random_log(5, 300, 20));
  const Cell other = variance_ratio(sweep, 0, 2);
  CHECK(other.status == CellStatus::not_available);
  CHECK_FALSE(other.value);
  CHECK(other.reason.find("same rows") != std::string::npos);
  const Cell itself = variance_ratio(sweep, 0, 0);
  CHECK(itself.status == CellStatus::not_available);
  CHECK_FALSE(itself.lower);
  CHECK_FALSE(itself.reason.empty());
  const Cell alone = variance_ratio(swept({test::response({1, 2, 3}, 1)}), 0, 1);
  CHECK_FALSE(alone.value);
  CHECK(alone.status == CellStatus::not_available);
}
