// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "analysis/verdict/judge.hpp"

using namespace gammascope;

namespace {
Evidence with(double p_pass, double p_fail, CellStatus status = CellStatus::ok) {
  return {p_pass, p_fail, status, "one prompt carries it", std::nullopt, ""};
}
}  // namespace

TEST_CASE("Small p-values give pass and fail and neither gives inconclusive") {
  CHECK(judge(with(0.01, 0.99), Origin::claimed, 0.05).outcome == Outcome::pass);
  CHECK(judge(with(0.99, 0.01), Origin::claimed, 0.05).outcome == Outcome::fail);
  CHECK(judge(with(0.06, 0.94), Origin::claimed, 0.05).outcome == Outcome::inconclusive);
  CHECK(judge(with(0.05, 1), Origin::other_prompts, 0.05).outcome == Outcome::pass);
}

TEST_CASE("sigma2 of the same rollouts is an identity whatever the numbers say") {
  for (const double p : {0.0, 0.5, 1.0})
    CHECK(judge(with(p, 1 - p), Origin::same_rollouts, 0.05).outcome == Outcome::identity);
}

TEST_CASE("A degenerate cell is degenerate even where the p-values would decide") {
  CHECK(judge(with(0, 1, CellStatus::degenerate), Origin::claimed, 0.05).outcome ==
        Outcome::degenerate);
  CHECK(judge(with(1, 0, CellStatus::degenerate), Origin::other_prompts, 0.05).outcome ==
        Outcome::degenerate);
}

TEST_CASE("An unreliable cell takes back a pass and lets a fail stand") {
  const auto pass = judge(with(0, 1, CellStatus::unreliable), Origin::claimed, 0.05);
  CHECK(pass.outcome == Outcome::inconclusive);
  CHECK(pass.reason.find("one prompt carries it") != std::string::npos);
  CHECK(judge(with(1, 0, CellStatus::unreliable), Origin::claimed, 0.05).outcome == Outcome::fail);
  CHECK(judge(with(0, 1, CellStatus::tentative), Origin::claimed, 0.05).outcome == Outcome::pass);
}

TEST_CASE("A premise that nobody claimed keeps the verdict inconclusive") {
  auto evidence = with(0, 1);
  evidence.only_if = "only if Delta <= 3";
  const auto judgement = judge(evidence, Origin::claimed, 0.05);
  CHECK(judgement.outcome == Outcome::inconclusive);
  CHECK(judgement.reason == "only if Delta <= 3");
}

TEST_CASE("Where nothing above the bound can be shown the reason is given") {
  auto evidence = with(1, 0);
  evidence.cannot_fail = "too narrow";
  CHECK(judge(evidence, Origin::claimed, 0.05).outcome == Outcome::inconclusive);
  CHECK(judge(evidence, Origin::claimed, 0.05).reason == "too narrow");
}

TEST_CASE("Every word comes with a sentence") {
  for (const Origin origin : {Origin::claimed, Origin::same_rollouts})
    for (const CellStatus status : {CellStatus::ok,
                                    CellStatus::degenerate,
                                    CellStatus::unreliable,
                                    CellStatus::not_available})
      for (const double p : {0.0, 0.5, 1.0})
        CHECK_FALSE(judge(with(p, 1 - p, status), origin, 0.05).reason.empty());
}
