// SPDX-License-Identifier: MIT
// What claims of one run share: the adjustment, and the words after it.
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/stats/hjs.hpp"
#include "analysis/stats/holm.hpp"
#include "analysis/stats/influence.hpp"
#include "analysis/verdict/case.hpp"
#include "tests/analysis/verdict/synthetic_log.hpp"

using namespace gammascope;
using check::Case;
using check::Multiplicity;

namespace {

Case with(double p_pass, double p_fail, std::size_t claim = 0) {
  Case c;
  c.verdict.p_pass = p_pass;
  c.verdict.p_fail = p_fail;
  c.claim = claim;
  return c;
}

/// `cells` cells of one claim over `prompts` prompts, all of one common part and an own one.
std::vector<Case> grid(
    std::uint64_t seed, std::size_t cells, std::size_t prompts, double common, double bound) {
  test::Dice dice(seed);
  std::vector<std::vector<stats::ClusterSums>> sums(cells);
  for (std::size_t i = 0; i < prompts; ++i) {
    std::vector<stats::ClusterSums> of(cells);
    for (int row = 0; row < 4; ++row) {
      const double shared = std::sqrt(common) * dice.normal();
      for (auto& c : of) {
        const double a = shared + std::sqrt(1 - common) * dice.normal();
        c.rows += 1;
        c.s1 += a;
        c.s2 += a * a;
      }
    }
    for (std::size_t k = 0; k < cells; ++k) sums[k].push_back(of[k]);
  }
  std::vector<Case> cases;
  for (const auto& column : sums) {
    const stats::HjsFit fit = stats::hjs_variance(column);
    Case c = with(fit.p_pass(bound), fit.p_fail(bound));
    c.influence = stats::variance_influence(column);
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace

TEST_CASE("separate claims are adjusted as Holm does it") {
  const std::vector<double> p{0.001, 0.999, 0.02, 0.98, 0.4, 0.6, 0.012, 0.9};
  std::vector<Case> cases;
  for (std::size_t i = 0; i < p.size(); i += 2) cases.push_back(with(p[i], p[i + 1], i));
  CHECK(check::adjust(cases, 0.05).empty());
  const auto expected = stats::holm_adjusted(p);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CHECK(cases[i].verdict.p_pass_adjusted == Approx(expected[2 * i]).epsilon(1e-14));
    CHECK(cases[i].verdict.p_fail_adjusted == Approx(expected[2 * i + 1]).epsilon(1e-14));
  }
}

TEST_CASE("a claim of more than eight cells is judged jointly and gains from dependence") {
  for (const std::size_t cells : {8u, 9u, 16u}) {
    auto joint = grid(1, cells, 64, 0.95, 1.6), holm = joint;
    const auto found = check::adjust(joint, 0.05, Multiplicity::automatic);
    check::adjust(holm, 0.05, Multiplicity::holm);
    REQUIRE(found.size() == (cells > 8 ? 1u : 0u));
    if (found.empty()) continue;
    CHECK(found[0].cells == cells);
    CHECK(found[0].effective < 0.8 * double(cells));
    CHECK(found[0].effective >= 0.5);
    double sum_joint = 0, sum_holm = 0;
    for (std::size_t i = 0; i < cells; ++i) {
      sum_joint += joint[i].verdict.p_pass_adjusted;
      sum_holm += holm[i].verdict.p_pass_adjusted;
      // No more than Bonferroni inside, no less than its own p-value.
      CHECK(joint[i].verdict.p_pass_adjusted >= joint[i].verdict.p_pass);
    }
    CHECK(sum_joint < sum_holm);
  }
}

TEST_CASE("maxt takes every grid that has influences and leaves the others to Holm") {
  auto cases = grid(2, 3, 64, 0.5, 1.0);
  for (Case& c : cases) c.claim = 7;
  cases.push_back(with(0.01, 0.99, 8));
  const auto joints = check::adjust(cases, 0.05, Multiplicity::maxt);
  REQUIRE(joints.size() == 1);
  CHECK(joints[0].claim == 7);
  // Weights: 2 for the joint claim, 1 for each side of the other one.
  CHECK(cases[3].verdict.p_pass_adjusted <= 0.04 + 1e-12);
  auto bare = cases;
  for (Case& c : bare) c.influence.clear();
  CHECK(check::adjust(bare, 0.05, Multiplicity::maxt).empty());
}

TEST_CASE("joint claims keep the chance of any wrong word within alpha") {
  // 400 runs of 12 cells of correlation .5 at the truth beside one claim at the truth: any word is
  // wrong. At 5 % and three binomial errors (and min-p's own 2 points, calibration 5) the chance of
  // a red test is below 0.2 %.
  int wrong = 0;
  constexpr int runs = 400;
  for (int r = 0; r < runs; ++r) {
    auto cases = grid(std::uint64_t(1000 + r), 12, 48, 0.5, 1.0);
    auto other = grid(std::uint64_t(90000 + r), 1, 48, 0.0, 1.0);
    other[0].claim = 5;
    cases.push_back(other[0]);
    check::adjust(cases, 0.05, Multiplicity::automatic);
    bool any = false;
    for (const Case& c : cases)
      any = any || c.verdict.p_pass_adjusted <= 0.05 || c.verdict.p_fail_adjusted <= 0.05;
    wrong += any ? 1 : 0;
  }
  CHECK(wrong <= 400 * 0.07 + 3 * std::sqrt(400 * 0.07 * 0.93));
}

TEST_CASE("what a case detects is asked at the level of the first step") {
  std::vector<Case> cases{with(0.5, 0.5, 0), with(0.5, 0.5, 1)};
  double asked = 0;
  cases[0].detectable = [&](double level) {
    asked = level;
    return check::Detectable{1.0, 2.0};
  };
  cases[0].prompts_needed = [&](double level) {
    CHECK(level == asked);
    return std::optional<std::int64_t>(70);
  };
  check::adjust(cases, 0.05);
  CHECK(asked == Approx(0.05 / 4));
  CHECK(cases[0].verdict.detect_pass == 1.0);
  CHECK(cases[0].verdict.detect_fail == 2.0);
  check::close(cases[0], 0.05);
  CHECK(cases[0].verdict.prompts_needed == 70);
}

TEST_CASE("a case says its own sentence for the word it gets") {
  const auto closed = [](double p_pass, double p_fail, auto&& change) {
    Case c = with(p_pass, p_fail);
    c.confirmed = "A", c.refuted = "B", c.undecided = "C", c.identity = "D", c.degenerate = "E";
    change(c);
    std::vector<Case> one{c};
    check::adjust(one, 0.05);
    check::close(one[0], 0.05);
    return std::pair(one[0].verdict.outcome, one[0].verdict.reason);
  };
  const auto nothing = [](Case&) {};
  CHECK(closed(0.001, 0.9, nothing) == std::pair(Outcome::pass, std::string("A")));
  CHECK(closed(0.9, 0.001, nothing) == std::pair(Outcome::fail, std::string("B")));
  CHECK(closed(0.3, 0.7, nothing) == std::pair(Outcome::inconclusive, std::string("C")));
  CHECK(closed(0.001, 0.9, [](Case& c) { c.origin = Origin::same_rollouts; }) ==
        std::pair(Outcome::identity, std::string("D")));
  CHECK(closed(0.001, 0.9, [](Case& c) { c.evidence.cell_status = CellStatus::degenerate; }) ==
        std::pair(Outcome::degenerate, std::string("E")));
  // A pass on unreliable limits keeps the reason of the label, a fail stands.
  const auto unreliable = [](Case& c) {
    c.evidence.cell_status = c.verdict.cell_status = CellStatus::unreliable;
    c.evidence.cell_reason = "few prompts";
  };
  const auto [outcome, reason] = closed(0.001, 0.9, unreliable);
  CHECK(outcome == Outcome::inconclusive);
  CHECK(reason.find("few prompts") != std::string::npos);
  CHECK(closed(0.9, 0.001, unreliable).first == Outcome::fail);
}
