// SPDX-License-Identifier: MIT
#include <limits>
#include <string>

#include <catch2/catch.hpp>

#include "analysis/core/errors.hpp"
#include "analysis/verdict/check.hpp"
#include "tests/analysis/verdict/synthetic_log.hpp"

using namespace gammascope;
using measure::CellSpec;
using test::Ask;

namespace {

Ask at(std::int64_t n) {
  Ask settings;
  settings.at = {n};
  return settings;
}

std::string refusal(const Ask& settings,
                    const measure::Settings& measure = {},
                    std::int64_t longest = 100) {
  try {
    (void)settings.plan(measure, longest);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A plain check makes seven claims on one window and asks for its positions") {
  const auto plan = at(20).plan({}, 100);
  REQUIRE(plan.claims.size() == 7);
  int finite = 0, infinite = 0;
  for (const auto& claim : plan.claims) {
    finite += claim.bound->claim == "theorem_3_3.finite";
    infinite += claim.bound->claim == "theorem_3_3.infinite";
    CHECK(claim.cell.alignment == Alignment::window);
    CHECK(claim.cell.n == 20);
    // At gamma 0 the sum is its first token alone.
    const std::int64_t positions = claim.cell.gamma == 0.0 ? 1 : 20;
    CHECK(claim.sigma2_cells.size() == static_cast<std::size_t>(positions));
    CHECK(claim.every_position);
    CHECK(claim.sigma2_cells.back() == CellSpec{Alignment::position, 0.0, positions - 1, 0});
  }
  CHECK(finite == 4);
  CHECK(infinite == 3);
  CHECK(plan.cells.size() == 4 + 20);
}

TEST_CASE("More than 64 positions are thinned and said to be") {
  const auto plan = at(80).plan({}, 100);
  CHECK(plan.claims.back().sigma2_cells.size() == 64);
  CHECK_FALSE(plan.claims.back().every_position);
}

TEST_CASE("A window longer than every response has positions without prompts") {
  const auto plan = at(30).plan({}, 20);
  CHECK(plan.claims.back().sigma2_cells.size() == 20);
  CHECK_FALSE(plan.claims.back().every_position);
}

TEST_CASE("By position the sum begins there and runs to the largest length") {
  auto settings = at(5);
  settings.alignments = {Alignment::position};
  measure::Settings measure;
  measure.max_length = 40;
  const auto to_end = settings.plan(measure, 40);
  CHECK(to_end.claims.back().sigma2_cells.front().n == 5);
  CHECK(to_end.claims.back().sigma2_cells.back().n == 39);
  CHECK(to_end.claims.back().every_position);
  CHECK_FALSE(settings.plan(measure, 30).claims.back().every_position);
}

TEST_CASE("By horizon sigma2 is that of responses that ended with that many tokens") {
  auto settings = at(12);
  settings.alignments = {Alignment::horizon};
  const auto plan = settings.plan({}, 100);
  const auto& cells = plan.claims.back().sigma2_cells;
  REQUIRE(cells.size() == 12);
  CHECK(cells.front() == CellSpec{Alignment::horizon, 0.0, 1, 12});
  CHECK(cells.back() == CellSpec{Alignment::horizon, 0.0, 12, 12});
}

TEST_CASE("Without a cut only the infinite form is claimed and only below one") {
  Ask settings;
  settings.alignments = {Alignment::infinite};
  const auto plan = settings.plan({}, 10);
  CHECK(plan.claims.size() == 3);
  for (const auto& claim : plan.claims) {
    CHECK(claim.bound->claim == "theorem_3_3.infinite");
    CHECK_FALSE(claim.cell.n.has_value());
  }
  settings.gammas = {1.0};
  CHECK_FALSE(refusal(settings).empty());
  auto turn = at(10);
  measure::Settings measure;
  measure.clock = Clock::turn;
  turn.sigma2_from = check::Sigma2From::claimed;
  turn.sigma2 = 1.0;
  CHECK(turn.plan(measure, 10).claims.size() == 4);
}

TEST_CASE("Bounds that use the on-policy property are refused where the future selects") {
  for (const std::string bound : {"on_policy", "sharp", "sharp_v1", "sharp_d", "drift", "kl"}) {
    auto settings = at(10);
    settings.bounds = {bound};
    settings.c = 2, settings.v = 1, settings.d2 = 0.1, settings.big_c = 9;
    CAPTURE(bound);
    CHECK(refusal(settings).empty());
    measure::Settings drop;
    drop.truncated = measure::Truncated::drop;
    CHECK(says(refusal(settings, drop), "--truncated drop"));
    settings.alignments = {Alignment::position};
    CHECK(refusal(settings).empty());
    for (const Alignment alignment : {Alignment::horizon, Alignment::infinite}) {
      settings.alignments = {Alignment::window, alignment};
      CHECK(says(refusal(settings), "may not be claimed by " + std::string(name(alignment))));
    }
  }
  auto plain = at(10);
  plain.alignments = {Alignment::horizon};
  measure::Settings drop;
  drop.truncated = measure::Truncated::drop;
  CHECK(refusal(plain, drop).empty());  // Theorem 3.3 may be claimed there
}

TEST_CASE("With the clock turn sigma2 must be claimed") {
  // A cell of gamma 0 is the sum of a turn there: its second moment is no E X^2.
  auto settings = at(10);
  measure::Settings turn;
  turn.clock = Clock::turn;
  for (const auto from : {check::Sigma2From::split, check::Sigma2From::same}) {
    settings.sigma2_from = from;
    CHECK(refusal(settings, turn) ==
          "--clock turn: sigma2 cannot be taken from the log; claim it with --sigma2");
  }
  settings.sigma2_from = check::Sigma2From::claimed;
  settings.sigma2 = 0.3;
  CHECK(refusal(settings, turn).empty());
}

TEST_CASE("The KL form is refused with windows from every start") {
  auto settings = at(10);
  settings.bounds = {"kl"};
  settings.big_c = 5;
  measure::Settings all;
  all.start = measure::Start::all;
  all.max_length = 100;
  CHECK(says(refusal(settings, all), "--start 0"));
}

TEST_CASE("Numbers that are missing or no numbers are named by their option") {
  auto settings = at(10);
  settings.bounds = {"drift"};
  CHECK(says(refusal(settings), "--noise-variance"));
  settings.bounds = {"kl"};
  CHECK(says(refusal(settings), "--max-loss"));
  settings.bounds = {"theorem_9"};
  CHECK(says(refusal(settings), "no such bound: theorem_9"));
  settings.bounds = {};
  CHECK_FALSE(refusal(settings).empty());
  settings = at(10);
  settings.c = -1;
  CHECK(says(refusal(settings), "--max-delta"));
  settings = at(10);
  settings.sigma2_from = check::Sigma2From::claimed;
  CHECK(says(refusal(settings), "--sigma2"));
  settings.sigma2 = std::numeric_limits<double>::quiet_NaN();
  CHECK(says(refusal(settings), "--sigma2"));
  settings.sigma2 = 0.5;
  CHECK(refusal(settings).empty());
  CHECK_FALSE(refusal(Ask{}).empty());  // a window without a length
}

TEST_CASE(
    "A bound named alone that has no cell left is an error and a repeated name is one claim") {
  auto settings = at(10);
  settings.gammas = {1.0};
  settings.bounds = {"theorem_3_3.infinite"};
  CHECK(says(refusal(settings), "theorem_3_3.infinite"));
  settings.bounds = {"theorem_3_3", "theorem_3_3.finite"};
  CHECK(settings.plan({}, 100).claims.size() == 1);
}

TEST_CASE("A claimed sigma2 needs no cells of its own") {
  auto settings = at(20);
  settings.sigma2_from = check::Sigma2From::claimed;
  settings.sigma2 = 0.3;
  CHECK(settings.plan({}, 100).cells.size() == 4);
}
