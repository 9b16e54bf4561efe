// SPDX-License-Identifier: MIT
#include <limits>
#include <string>

#include <catch2/catch.hpp>

#include "analysis/core/errors.hpp"
#include "analysis/measure/plan.hpp"

using namespace gammascope;
using namespace gammascope::measure;

TEST_CASE("log grids double and end at the largest") {
  CHECK(log_grid(1) == std::vector<std::int64_t>{1});
  CHECK(log_grid(8) == std::vector<std::int64_t>{1, 2, 4, 8});
  CHECK(log_grid(100) == std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 100});
  CHECK(log_grid(0).empty());
  CHECK(log_positions(3) == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK(log_positions(0) == std::vector<std::int64_t>{0});
  CHECK(log_positions(-1).empty());
}

TEST_CASE("a grid has every combination and infinite once per gamma below one") {
  const std::vector<Alignment> alignments{Alignment::window, Alignment::infinite};
  const std::vector<double> gammas{0, 0.9, 1};
  const std::vector<std::int64_t> at{1, 2};
  const auto cells = cell_grid(alignments, gammas, at);
  CHECK(cells.size() == 3 * 2 + 2);
  CHECK(cells.back() == CellSpec{Alignment::infinite, 0.9, std::nullopt, 0});
}

TEST_CASE("equal cells are kept once") {
  const CellSpec a{Alignment::window, 0.9, 4, 0}, b{Alignment::horizon, 0.9, 4, 0},
      c{Alignment::horizon, 0.9, 4, 9};
  const Plan plan({}, {a, b, a, c, b});
  CHECK(plan.cells().size() == 3);
  CHECK(plan.index_of(b) == 1u);
  CHECK(plan.index_of(c) == 2u);
  CHECK_FALSE(plan.index_of({Alignment::window, 0.9, 5, 0}));
}

TEST_CASE("too many cells are a usage error that names the count") {
  std::vector<CellSpec> cells;
  for (std::int64_t n = 1; n <= 1024; ++n) cells.push_back({Alignment::window, 0.9, n, 0});
  CHECK_NOTHROW(Plan({}, cells));
  cells.push_back({Alignment::window, 0.9, 1025, 0});
  try {
    const Plan plan({}, cells);
    FAIL("accepted");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).find("1025") != std::string::npos);
  }
}

TEST_CASE("plans that make no sense are usage errors") {
  const auto refused = [](Settings settings, CellSpec cell) {
    CHECK_THROWS_AS(Plan(settings, {cell}), UsageError);
  };
  refused({}, {Alignment::window, -0.1, 4, 0});
  refused({}, {Alignment::window, 1.1, 4, 0});
  refused({}, {Alignment::window, std::numeric_limits<double>::quiet_NaN(), 4, 0});
  refused({}, {Alignment::window, 0.9, 0, 0});
  refused({}, {Alignment::window, 0.9, std::nullopt, 0});
  refused({}, {Alignment::horizon, 0.9, 0, 0});
  refused({}, {Alignment::position, 0.9, -1, 0});
  refused({}, {Alignment::infinite, 0.9, 3, 0});
  refused({}, {Alignment::horizon, 0.9, 3, -1});
  Settings settings;
  settings.confidence = 1.0;
  refused(settings, {Alignment::window, 0.9, 4, 0});
  settings = {};
  settings.start = Start::all;
  refused(settings, {Alignment::window, 0.9, 4, 0});
  settings.max_length = 10;
  CHECK_NOTHROW(Plan(settings, {{Alignment::window, 0.9, 4, 0}}));
  settings.max_length = 0;
  refused(settings, {Alignment::window, 0.9, 4, 0});
  settings = {};
  settings.noise_floor = -1.0;
  refused(settings, {Alignment::window, 0.9, 4, 0});
  CHECK_THROWS_AS(Plan({}, {}), UsageError);
}

TEST_CASE("the noise floor follows the dtype") {
  CHECK(noise_floor_of(std::nullopt) == 2e-6);
  CHECK(noise_floor_of("float32") == 2e-6);
  CHECK(noise_floor_of("bf16") == 3e-3);
  CHECK(noise_floor_of("bfloat16") == 3e-3);
  CHECK(noise_floor_of("float16") == 4e-4);
}
