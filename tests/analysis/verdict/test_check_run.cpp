// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include <catch2/catch.hpp>

#include "analysis/bounds/sharp.hpp"
#include "analysis/bounds/theorem_3_3.hpp"
#include "tests/analysis/verdict/synthetic_log.hpp"

using namespace gammascope;
using check::Sigma2From;
using test::Ask;
using test::Dice;

namespace {

Ask at(std::int64_t n) {
  Ask settings;
  settings.at = {n};
  return settings;
}

Ask claimed(std::int64_t n, double sigma2) {
  auto settings = at(n);
  settings.sigma2_from = Sigma2From::claimed;
  settings.sigma2 = sigma2;
  return settings;
}

bool all_are(const std::vector<Verdict>& verdicts, Outcome outcome) {
  return std::all_of(verdicts.begin(), verdicts.end(), [&](const Verdict& v) {
    return v.outcome == outcome && !v.reason.empty();
  });
}

const Verdict& of(const std::vector<Verdict>& verdicts, std::string_view claim, double gamma) {
  for (const Verdict& v : verdicts)
    if (v.claim == claim && v.gamma == gamma) return v;
  throw std::runtime_error("no such verdict");
}

}  // namespace

TEST_CASE("Independent log-ratios pass all seven claims with sigma2 from other prompts") {
  Dice dice(101);
  const auto log = test::make_log(240, 4, [&] { return test::independent(dice, 24); });
  const auto verdicts = test::judged(log, at(24));
  REQUIRE(verdicts.size() == 7);
  for (const Verdict& v : verdicts) {
    CAPTURE(v.claim, v.gamma, v.reason);
    // At gamma = 0 the finite bound is sigma2 itself, nearly attained: nothing to pass there.
    CHECK(v.outcome == (v.gamma == 0 ? Outcome::inconclusive : Outcome::pass));
    REQUIRE(v.inputs.size() == 1);
    CHECK(v.inputs[0].name == "sigma2");
    CHECK(v.inputs[0].origin == Origin::other_prompts);
    CHECK(*v.inputs[0].value == Approx(0.0925).margin(0.04));
    CHECK(v.p_pass_adjusted >= v.p_pass);
  }
  // Holm over both directions of all seven: the smallest of 14 p-values counts 14 times.
  const auto smallest =
      std::min_element(verdicts.begin(), verdicts.end(), [](const Verdict& a, const Verdict& b) {
        return a.p_pass < b.p_pass;
      });
  CHECK(smallest->p_pass_adjusted == Approx(14 * smallest->p_pass).epsilon(1e-12));
  const Verdict& endless = of(verdicts, "theorem_3_3.infinite", 0.99);
  CHECK(*endless.bound == Approx(*endless.inputs[0].value * 1e4).epsilon(1e-12));
  const Verdict& one = of(verdicts, "theorem_3_3.finite", 1.0);
  CHECK(*one.bound == Approx(*one.inputs[0].value * 24 * 24).epsilon(1e-14));
  CHECK(*one.value == Approx(24 * 0.09).epsilon(0.25));
  CHECK(*one.lower < *one.value);
  CHECK(*one.upper < *one.bound);
}

TEST_CASE("A claimed sigma2 of half the true one fails where the bound is attained") {
  Dice dice(102);
  const auto log = test::make_log(128, 4, [&] { return test::frozen(dice, 12); });
  const auto wrong = test::judged(log, claimed(12, 0.5 * 0.25));
  CHECK(of(wrong, "theorem_3_3.finite", 1.0).outcome == Outcome::fail);
  CHECK(of(wrong, "theorem_3_3.finite", 0.0).outcome == Outcome::fail);
  CHECK(of(wrong, "theorem_3_3.finite", 1.0).inputs[0].origin == Origin::claimed);
  CHECK_FALSE(all_are(wrong, Outcome::pass));
  const auto generous = test::judged(log, claimed(12, 2 * 0.25));
  CHECK(all_are(generous, Outcome::pass));
  // The claim that is exactly true is neither, and says how many prompts would settle more.
  const auto exact = test::judged(log, claimed(12, 0.25));
  CHECK(of(exact, "theorem_3_3.finite", 1.0).outcome == Outcome::inconclusive);
}

TEST_CASE("sigma2 of the same rollouts is an identity for all seven claims") {
  Dice dice(103);
  const auto log = test::make_log(64, 4, [&] { return test::independent(dice, 16); });
  auto settings = at(16);
  settings.sigma2_from = Sigma2From::same;
  const auto verdicts = test::judged(log, settings);
  CHECK(verdicts.size() == 7);
  CHECK(all_are(verdicts, Outcome::identity));
  for (const Verdict& v : verdicts) {
    CHECK(v.inputs.at(0).origin == Origin::same_rollouts);
    CHECK(v.p_pass == 1.0);
    REQUIRE(v.bound);
    CHECK(*v.value <= *v.bound);  // as it must be
  }
}

TEST_CASE("Zero and constant log-ratios are degenerate and never pass") {
  // Case N35: D = 0; D = .1 at equal lengths, where Var(A) = 0 while sigma2 = .01.
  for (const float x : {0.0F, -0.1F})
    for (const auto from : {Sigma2From::split, Sigma2From::claimed}) {
      const auto log = test::make_log(128, 4, [&] { return std::vector<float>(16, x); });
      auto settings = at(16);
      settings.sigma2_from = from;
      if (from == Sigma2From::claimed) settings.sigma2 = 1.0;
      const auto verdicts = test::judged(log, settings);
      CHECK(all_are(verdicts, Outcome::degenerate));
      for (const Verdict& v : verdicts) CHECK(v.cell_status == CellStatus::degenerate);
    }
}

TEST_CASE("A variance below the noise floor of the engine is degenerate") {
  Dice dice(104);
  const auto log = test::make_log(64, 4, [&] {
    std::vector<float> x(8);
    for (float& one : x) one = static_cast<float>(1e-6 * dice.normal());
    return x;
  });
  CHECK(all_are(test::judged(log, claimed(8, 1.0)), Outcome::degenerate));
}

TEST_CASE("When one prompt carries the variance a pass becomes inconclusive") {
  Dice dice(105);
  auto log = test::make_log(64, 4, [&] { return test::independent(dice, 8); });
  for (std::size_t j = 0; j < 4; ++j)
    for (float& x : log.responses[j].x) x = j % 2 == 0 ? 1.5F : -1.5F;
  const auto verdicts = test::judged(log, claimed(8, 1e4));
  for (const Verdict& v : verdicts) {
    CHECK(v.outcome == Outcome::inconclusive);
    CHECK_FALSE(v.prompts_needed.has_value());
  }
}

TEST_CASE("The largest Delta seen is no c and a claimed c below it has no ground") {
  Dice dice(106);
  const auto log = test::make_log(96, 4, [&] { return test::independent(dice, 16); });
  auto settings = claimed(16, 1.0);
  settings.bounds = {"on_policy", "sharp"};
  settings.gammas = {0.9, 1.0};
  const auto unclaimed = test::judged(log, settings, {}, 1.3);
  REQUIRE(unclaimed.size() == 6);
  for (const Verdict& v : unclaimed) {
    CHECK(v.outcome == Outcome::inconclusive);
    CHECK(v.reason.find("only if Delta <= 1.3") != std::string::npos);
    CHECK(v.inputs.at(0).name == "c");
    CHECK(v.inputs.at(0).origin == Origin::same_rollouts);
    CHECK(v.bound.has_value());
  }
  settings.c = 2.0;
  CHECK(all_are(test::judged(log, settings, {}, 1.3), Outcome::pass));
  settings.c = 1.0;
  for (const Verdict& v : test::judged(log, settings, {}, 1.3)) {
    CHECK(v.outcome == Outcome::inconclusive);
    CHECK(v.reason.find("does not hold in this log") != std::string::npos);
  }
}

TEST_CASE("The on-policy family is judged with sigma2 of other prompts too") {
  Dice dice(107);
  const auto log = test::make_log(128, 4, [&] { return test::independent(dice, 16); });
  auto settings = at(16);
  settings.bounds = {"on_policy", "sharp", "theorem_3_3.finite"};
  settings.gammas = {1.0};
  settings.c = 2.0;
  const auto verdicts = test::judged(log, settings, {}, 1.3);
  CHECK(all_are(verdicts, Outcome::pass));
  const auto w = bounds::weight_sums(Gamma(1.0), Horizon(16));
  for (const Verdict& v : verdicts) {
    double sigma2 = 0;
    for (const auto& input : v.inputs)
      if (input.name == "sigma2") sigma2 = *input.value;
    if (v.claim == "sharp_d")
      CHECK(*v.bound == Approx(bounds::sharp_d(bounds::Sigma2(sigma2), 2.0, w)).epsilon(1e-14));
    if (v.claim == "sharp_v1")
      CHECK(*v.bound == Approx(bounds::sharp_v1(bounds::Sigma2(sigma2), 2.0, w)).epsilon(1e-14));
  }
}

TEST_CASE("The drift bound is judged with claimed noise and drift") {
  Dice dice(108);
  const auto log = test::make_log(128, 4, [&] { return test::independent(dice, 16); });
  auto settings = at(16);
  settings.bounds = {"drift"};
  settings.gammas = {0.9, 1.0};
  settings.v = 2 * 0.09, settings.d2 = 0.0;
  CHECK(all_are(test::judged(log, settings), Outcome::pass));
  settings.v = 0.5 * 0.09;
  CHECK(all_are(test::judged(log, settings), Outcome::fail));
}

TEST_CASE("The KL form fails on credit that no student draws and never passes") {
  Dice dice(109);
  auto settings = at(4);
  settings.bounds = {"kl"};
  settings.gammas = {1.0};
  settings.big_c = 10.0;
  std::optional<double> largest_delta;
  const auto verdict_of = [&](const test::SyntheticLog& log, std::optional<double> big_c) {
    settings.big_c = big_c;
    const auto plan = settings.plan({}, log.longest());
    const auto sweep = log.sweep(plan, {});
    check::Extras extras;
    extras.kl = check::kl_evalues(plan, sweep);
    extras.largest_delta = largest_delta;
    for (const auto& r : log.responses) {
      double a = 0;
      for (const float x : r.x) a += double(x);
      extras.kl.at(0).add(r.prompt, a);
    }
    return check::judge_run(plan, sweep, 2e-6, extras).at(0);
  };
  const auto symmetric = test::make_log(
      512, 4, [&] { return std::vector<float>(4, dice.uniform() < 0.5 ? 0.5F : -0.5F); });
  const auto red = verdict_of(symmetric, 10.0);
  CAPTURE(red.reason, red.p_fail, red.p_fail_adjusted);
  CHECK(red.outcome == Outcome::fail);
  CHECK(red.p_pass == 1.0);
  // On policy: X in {-1, e}, E e^X = 1.
  const double p = 0.1, e = std::log1p(-p * std::exp(-1.0)) - std::log1p(-p);
  const auto on_policy = test::make_log(256, 4, [&] {
    std::vector<float> x(4);
    for (float& one : x) one = static_cast<float>(dice.uniform() < p ? -1.0 : e);
    return x;
  });
  const auto quiet = verdict_of(on_policy, 10.0);
  CHECK(quiet.outcome == Outcome::inconclusive);
  CHECK(quiet.inputs.at(0).name == "C");
  CHECK(quiet.inputs.at(1).name == "L");
  CHECK(quiet.inputs.at(1).origin == Origin::same_rollouts);
  // A claimed C that the log itself exceeds.
  CHECK(verdict_of(symmetric, 1.5).reason.find("does not hold in this log") != std::string::npos);
  // C = c G where only c is claimed, and the smaller of the two where both are.
  settings.c = 1.0;
  CHECK(*verdict_of(on_policy, std::nullopt).inputs.at(0).value == 4.0);
  CHECK(*verdict_of(on_policy, 3.5).inputs.at(0).value == 3.5);
  CHECK(*verdict_of(on_policy, 30.0).inputs.at(0).value == 4.0);
  // A C that is c G has no ground where the log refutes c; a C claimed by itself keeps its own.
  largest_delta = 1.5;
  CHECK(verdict_of(on_policy, std::nullopt).reason.find("claimed Delta <= 1 ") !=
        std::string::npos);
  CHECK(verdict_of(on_policy, 3.5).reason.find("claimed Delta") == std::string::npos);
  // A loss that is C up to rounding does not refute it.
  largest_delta = std::nullopt;
  settings.c = std::nullopt;
  CHECK(verdict_of(symmetric, 2.0 - 1e-9).reason.find("no ground") == std::string::npos);
  // Without prompt_id the prompts are not known to be independent.
  auto unknown = symmetric;
  unknown.has_prompt_id = false;
  CHECK(verdict_of(unknown, 10.0).outcome == Outcome::inconclusive);
}

TEST_CASE("A Delta at the claimed c up to float rounding does not refute it") {
  Dice dice(206);
  const auto log = test::make_log(96, 4, [&] { return test::independent(dice, 16); });
  auto settings = claimed(16, 1.0);
  settings.bounds = {"on_policy"};
  settings.gammas = {1.0};
  settings.c = 1.3;
  const double at_clamp = 1.3 + 2e-7;
  CHECK(all_are(test::judged(log, settings, {}, at_clamp), Outcome::pass));
  CHECK(all_are(test::judged(log, settings, {}, 1.3001), Outcome::inconclusive));
}

TEST_CASE("With the clock turn G counts the largest weight at each token") {
  // 41 tokens, gamma 1/2. Half of the rows have turns of 1 + 40 tokens, half of 20 + 1 + 1 + ….
  // The first kind carries sqrt(2) Z on its last 21 tokens, the second on its first 20, so E X^2 is
  // 1 at every k while Var A = (2 (21/2)^2 + 2 20^2)/2 = 510.25. A row's own weights sum to 21 at
  // most, and 441 would be refuted; sum_k max w_k = 20 + 21/2 = 30.5.
  Dice dice(201);
  test::SyntheticLog log;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const bool first = i % 2 == 0;
    const auto z = static_cast<float>(std::sqrt(2.0) * dice.normal());
    test::SyntheticLog::Response r{test::prompt_hash(i), {}, FinishReason::stop, {}};
    for (int t = 0; t < 41; ++t) {
      r.x.push_back((t >= 20) == first ? z : 0.0F);
      r.turn.push_back(first ? (t > 0 ? 1 : 0) : std::max(0, t - 19));
    }
    log.responses.push_back(std::move(r));
  }
  measure::Settings turn;
  turn.clock = Clock::turn;
  auto settings = claimed(41, 1.0);
  settings.gammas = {0.5};
  settings.bounds = {"theorem_3_3.finite"};
  for (const Alignment alignment : {Alignment::window, Alignment::position, Alignment::horizon}) {
    settings.alignments = {alignment};
    settings.at = {alignment == Alignment::position ? 0 : 41};
    const Verdict v = test::judged(log, settings, turn).at(0);
    CHECK(*v.bound == Approx(30.5 * 30.5).epsilon(1e-12));
    CHECK(*v.value == Approx(510.25).epsilon(0.1));
    CHECK(v.outcome == Outcome::pass);
  }
}

TEST_CASE("Without prompt_id neither halves nor a claimed sigma2 show anything") {
  Dice dice(202);
  auto log = test::make_log(400, 1, [&] { return test::independent(dice, 12); });
  log.has_prompt_id = false;
  auto settings = at(12);
  settings.gammas = {1.0};
  settings.bounds = {"theorem_3_3.finite"};
  for (const Verdict& v : test::judged(log, settings)) {
    CHECK(v.outcome == Outcome::inconclusive);
    CHECK(v.reason == "without prompt_id the halves may share prompts; claim sigma2");
    CHECK(v.p_pass == 1.0);
  }
  // Far above the claimed bound, but the limits are too narrow.
  auto low = claimed(12, 1e-4);
  low.gammas = {1.0};
  low.bounds = {"theorem_3_3.finite"};
  const Verdict v = test::judged(log, low).at(0);
  CHECK(v.outcome == Outcome::inconclusive);
  CHECK(v.reason.find("too narrow for a fail") != std::string::npos);
  log.has_prompt_id = true;
  CHECK(test::judged(log, low).at(0).outcome == Outcome::fail);
}

TEST_CASE("A split pass rests on the labels of the halves too") {
  // One prompt carries the second moment of every position in one half, with signs that cancel in
  // the sum: the variance of the whole is carried by many.
  Dice dice(203);
  const auto log_with = [&](float outlier) {
    auto log = test::make_log(64, 4, [&] { return test::independent(dice, 8); });
    for (auto& r : log.responses)
      if (r.prompt == log.responses[0].prompt)
        for (std::size_t k = 0; k < r.x.size(); ++k) r.x[k] = k % 2 == 0 ? outlier : -outlier;
    return log;
  };
  auto settings = at(8);
  settings.gammas = {1.0};
  settings.bounds = {"theorem_3_3.finite"};
  CHECK(test::judged(log_with(0.1F), settings).at(0).outcome == Outcome::pass);
  const Verdict v = test::judged(log_with(1.5F), settings).at(0);
  CAPTURE(v.reason, v.p_pass);
  CHECK(v.outcome == Outcome::inconclusive);
  CHECK(v.reason.find("half") != std::string::npos);
}

TEST_CASE("A log without the law of prefixes leaves on-policy claims undecided and others alone") {
  Dice dice(204);
  const auto log = test::make_log(128, 4, [&] { return test::independent(dice, 16); });
  auto settings = claimed(16, 1.0);
  settings.bounds = {"theorem_3_3.finite", "on_policy", "drift"};
  settings.gammas = {1.0};
  settings.c = 3, settings.v = 1, settings.d2 = 0.1;
  CHECK(all_are(test::judged(log, settings, {}, 1.3), Outcome::pass));
  const auto without = test::judged(log, settings, {}, 1.3, "2 tokens were masked");
  const Verdict& plain = of(without, "theorem_3_3.finite", 1.0);
  CHECK(plain.outcome == Outcome::pass);
  for (const char* claim : {"on_policy", "drift"}) {
    const Verdict& v = of(without, claim, 1.0);
    CHECK(v.outcome == Outcome::inconclusive);
    CHECK(v.reason == "2 tokens were masked");
    // What can get no word takes no part in Holm's order.
    CHECK(v.p_pass == 1.0);
    CHECK(v.p_fail == 1.0);
  }
}

TEST_CASE("Huge numbers give huge bounds and no error") {
  Dice dice(205);
  const auto log = test::make_log(96, 4, [&] { return test::independent(dice, 16); });
  for (const double huge : {1e150, 1e300, 1e308}) {
    auto settings = claimed(16, huge);
    settings.bounds = {"theorem_3_3.finite", "sharp", "on_policy", "drift"};
    settings.gammas = {1.0};
    settings.c = 1e6, settings.v = huge, settings.d2 = huge;
    for (const Verdict& v : test::judged(log, settings, {}, 1.3)) {
      CAPTURE(v.claim, huge, v.reason);
      CHECK(v.outcome == Outcome::pass);
      if (v.bound) CHECK(std::isfinite(*v.bound));
      if (!v.bound) CHECK(v.reason.find("beyond the range") != std::string::npos);
    }
  }
}

TEST_CASE("Prompts that are needed are counted in prompts and not in groups") {
  Dice dice(112);
  const auto log = test::make_log(24, 2, [&] { return test::independent(dice, 8); });
  auto settings = claimed(8, 1.25 * 0.72 / 64);
  settings.gammas = {1.0};
  settings.bounds = {"theorem_3_3.finite"};
  const auto as_groups = test::judged(log, settings).at(0).prompts_needed;
  const auto as_prompts =
      test::judged(log, settings, {}, std::nullopt, "", 240).at(0).prompts_needed;
  REQUIRE(as_groups);
  REQUIRE(as_prompts);
  CHECK(std::fabs(double(*as_prompts) - 10.0 * double(*as_groups)) <= 10.0);
}

TEST_CASE("A planted violation turns the split halves red") {
  // Frozen credit attains the bound. Planted fault: sigma2 is read at a ninth position, behind the
  // sum, where the log-ratios are a third as large, so the bound is a ninth of the true one.
  Dice dice(110);
  const auto log = test::make_log(160, 4, [&] {
    auto x = test::frozen(dice, 9);
    x[8] /= 3.0F;
    return x;
  });
  auto settings = at(8);
  settings.gammas = {0.9, 1.0};
  settings.bounds = {"theorem_3_3.finite"};
  auto plan = settings.plan({}, log.longest());
  CHECK(all_are(check::judge_run(plan, log.sweep(plan, {}), 2e-6), Outcome::inconclusive));
  const measure::CellSpec behind{Alignment::position, 0.0, 8, 0};
  plan.cells.push_back(behind);
  for (auto& claim : plan.claims) claim.sigma2_cells = {behind};
  const auto red = check::judge_run(plan, log.sweep(plan, {}), 2e-6);
  CHECK(all_are(red, Outcome::fail));
  for (const Verdict& v : red) CHECK(*v.value > 4 * *v.bound);
  // The same without the right to fail: not every position of the sum is a candidate.
  for (auto& claim : plan.claims) claim.every_position = false;
  for (const Verdict& v : check::judge_run(plan, log.sweep(plan, {}), 2e-6)) {
    CHECK(v.outcome == Outcome::inconclusive);
    CHECK(v.reason.find("claim sigma2") != std::string::npos);
  }
}

TEST_CASE("By horizon and by position Theorem 3.3 is judged in its own population") {
  Dice dice(111);
  const auto log = test::make_log(128, 4, [&] {
    return test::independent(dice, 4 + static_cast<std::size_t>(12 * dice.uniform()));
  });
  auto settings = at(6);
  settings.gammas = {0.9};
  for (const Alignment alignment : {Alignment::horizon, Alignment::position, Alignment::infinite}) {
    settings.alignments = {alignment};
    const auto verdicts = test::judged(log, settings);
    CAPTURE(name(alignment), verdicts[0].reason);
    CHECK(all_are(verdicts, Outcome::pass));
  }
}

TEST_CASE("An inconclusive claim says how many prompts would probably settle it") {
  Dice dice(112);
  const auto log = test::make_log(24, 2, [&] { return test::independent(dice, 8); });
  // True variance at gamma 1: .72; bound a quarter above.
  const auto verdicts = test::judged(log, claimed(8, 1.25 * 0.72 / 64));
  const Verdict& v = of(verdicts, "theorem_3_3.finite", 1.0);
  REQUIRE(v.outcome == Outcome::inconclusive);
  REQUIRE(v.prompts_needed);
  CHECK(*v.prompts_needed > 24);
}

TEST_CASE("Too few prompts in a half are said to be") {
  Dice dice(113);
  const auto log = test::make_log(10, 4, [&] { return test::independent(dice, 8); });
  for (const Verdict& v : test::judged(log, at(8))) {
    CHECK(v.outcome == Outcome::inconclusive);
    CHECK(v.reason.find("8 prompts in each half") != std::string::npos);
  }
}

TEST_CASE("Clean logs at the very bound get a wrong word in at most one run in twenty") {
  // Frozen credit: Var(A) = sigma2 G^2 exactly, so pass and fail are both wrong for the finite
  // claims (the infinite one is truly below, a pass is right there and not counted). 400 runs at 95
  // %: with a true rate of 5 % more than 42 wrong runs have probability 3e-6; measured rates are
  // far below, Holm and the larger p of two exchanges being conservative.
  int wrong_fail = 0, wrong_pass = 0;
  for (int run = 0; run < 400; ++run) {
    Dice dice(5000 + static_cast<std::uint64_t>(run));
    const auto log = test::make_log(48, 4, [&] { return test::frozen(dice, 6); });
    auto settings = at(6);
    settings.gammas = {0.9, 1.0};
    bool failed = false, passed = false;
    for (const Verdict& v : test::judged(log, settings)) {
      failed = failed || v.outcome == Outcome::fail;
      passed = passed || (v.outcome == Outcome::pass && v.claim == "theorem_3_3.finite");
    }
    wrong_fail += failed, wrong_pass += passed;
  }
  CAPTURE(wrong_fail, wrong_pass);
  CHECK(wrong_fail <= 42);
  CHECK(wrong_pass <= 42);
}
