// SPDX-License-Identifier: MIT
// Kinds of claims on logs made on the spot: the numbers against independent counts, the words.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/verdict/case.hpp"
#include "analysis/verdict/claims/judge_claims.hpp"
#include "tests/analysis/measure/logs.hpp"
#include "tests/analysis/verdict/synthetic_log.hpp"

using namespace gammascope;
using claims::Limit;
using claims::Spec;

namespace {

/// `prompts` x 4 responses of `length` tokens with independent log-ratios of mean .05 and sd `sd`.
test::Log noise_log(std::uint64_t seed, std::uint64_t prompts, std::size_t length, double sd) {
  test::Dice dice(seed);
  test::Log log;
  for (std::uint64_t p = 0; p < prompts; ++p)
    for (int j = 0; j < 4; ++j) {
      std::vector<double> delta;
      for (std::size_t t = 0; t < length; ++t) delta.push_back(0.05 + sd * dice.normal());
      log.push_back(test::response(delta, p));
    }
  return log;
}

struct Judged {
  std::vector<Verdict> verdicts;
  std::vector<Cell> cells;
};

Judged judged(const test::Log& log,
              Spec spec,
              claims::Setting setting = {},
              const measure::Settings& how = {}) {
  const auto measurement = claims::find_kind(spec).make(spec, how);
  auto cells = measurement->cells();
  if (cells.empty()) cells.push_back({Alignment::window, 0, 1});
  measure::Sweep sweep(measure::Plan(how, cells));
  for (const RolloutRecord& r : log) {
    sweep.add(r);
    if (measurement->reads_responses()) measurement->add(r);
  }
  if (setting.noise_floor == 0) setting.noise_floor = 2e-6;
  claims::Opened opened = claims::open_claim(spec, *measurement, sweep, setting, 0);
  check::adjust(opened.cases, 0.05);
  Judged all;
  all.cells = opened.cells;
  for (check::Case& c : opened.cases) {
    check::close(c, 0.05);
    all.verdicts.push_back(c.verdict);
  }
  return all;
}

Judged judged(const test::Log& log, const std::string& text) {
  return judged(log, claims::parse_claims(text)[0]);
}

Outcome outcome(const test::Log& log, const std::string& text) {
  const Judged all = judged(log, text);
  REQUIRE(all.verdicts.size() == 1);
  CHECK_FALSE(all.verdicts[0].reason.empty());
  return all.verdicts[0].outcome;
}

/// A_0 by the definition, gamma and n tokens.
double credit(const RolloutRecord& r, double gamma, std::size_t n) {
  double a = 0;
  for (std::size_t t = 0; t < n && t < r.student_logprob.size(); ++t)
    a -= std::pow(gamma, double(t)) * r.view().delta(t);
  return a;
}

/// The mean of (a - b)^2 / 2 over pairs of different prompts, pair by pair.
double pair_variance(const test::Log& log, double gamma, std::size_t n) {
  double sum = 0, pairs = 0;
  for (const auto& a : log)
    for (const auto& b : log) {
      if (a.prompt_hash == b.prompt_hash) continue;
      const double d = credit(a, gamma, n) - credit(b, gamma, n);
      sum += d * d / 2;
      pairs += 1;
    }
  return sum / pairs;
}

}  // namespace

TEST_CASE("every kind measures what an independent count finds") {
  const test::Log log = noise_log(21, 24, 12, 0.5);
  const auto value = [&](const std::string& text) { return *judged(log, text).cells[0].value; };
  const double v9 = pair_variance(log, 0.9, 8), v1 = pair_variance(log, 1, 8);
  CHECK(value("variance(gamma=0.9, window=8) <= 1") == Approx(v9).epsilon(1e-7));
  CHECK(value("ratio(gamma=1, over=0.9, window=8) <= 1") == Approx(v1 / v9).epsilon(1e-7));
  CHECK(value("growth_exponent(gamma=1, window=[4,8]) <= 1") ==
        Approx(std::log(v1 / pair_variance(log, 1, 4)) / std::log(2)).epsilon(1e-7));
  double mean = 0, square = 0, share = 0, above = 0, tokens = 0;
  for (const auto& r : log) {
    const double a = credit(r, 0.9, 8);
    mean += a / double(log.size());
    square += a * a / double(log.size());
    // b_t = A_t / (m + |A_t|), m the mean of |A_t| over the response.
    std::vector<double> tail;
    for (std::size_t t = 0; t < 12; ++t) {
      RolloutRecord rest = r;
      rest.student_logprob.erase(rest.student_logprob.begin(),
                                 rest.student_logprob.begin() + std::ptrdiff_t(t));
      rest.teacher_logprob.erase(rest.teacher_logprob.begin(),
                                 rest.teacher_logprob.begin() + std::ptrdiff_t(t));
      tail.push_back(std::fabs(credit(rest, 0.9, 12)));
    }
    double m = 0;
    for (const double x : tail) m += x / 12;
    for (const double x : tail) {
      share += x / (m + x) / 12 / double(log.size());
      above += x / (m + x) > 0.6 ? 1 : 0;
      tokens += 1;
    }
  }
  CHECK(value("mean(gamma=0.9, window=8) <= 1") == Approx(mean).epsilon(1e-6));
  CHECK(value("second_moment(gamma=0.9, window=8) <= 1") == Approx(square).epsilon(1e-7));
  CHECK(value("rbm_share(gamma=0.9) <= 0.4") == Approx(share).epsilon(1e-7));
  CHECK(value("rbm_above(gamma=0.9, size=0.6) <= 0.1") == Approx(above / tokens).epsilon(1e-7));
}

TEST_CASE("a claim passes fails or stays open by where its number lies") {
  const test::Log log = noise_log(22, 64, 8, 0.5);  // Var(A) at gamma 1: 8 * .25 = 2
  CHECK(outcome(log, "variance(gamma=1, window=8) <= 4") == Outcome::pass);
  CHECK(outcome(log, "variance(gamma=1, window=8) <= 1") == Outcome::fail);
  CHECK(outcome(log, "variance(gamma=1, window=8) <= 2.05") == Outcome::inconclusive);
  CHECK(outcome(log, "variance(gamma=1, window=8) >= 1") == Outcome::pass);
  CHECK(outcome(log, "variance(gamma=1, window=8) >= 4") == Outcome::fail);
  CHECK(outcome(log, "variance(gamma=1, window=8) within 50% of 2") == Outcome::pass);
  CHECK(outcome(log, "variance(gamma=1, window=8) within 10% of 4") == Outcome::fail);
  CHECK(outcome(log, "variance(gamma=1, window=8) within 1% of 2") == Outcome::inconclusive);
  CHECK(outcome(log, "mean(gamma=1, window=8) <= 0") == Outcome::pass);  // -.4
  CHECK(outcome(log, "mean(gamma=1, window=8) >= 0") == Outcome::fail);
  CHECK(outcome(log, "ratio(gamma=1, over=0, window=8) within 60% of 8") == Outcome::pass);
  CHECK(outcome(log, "growth_exponent(gamma=1, window=[2,4,8]) <= 1.5") == Outcome::pass);
  CHECK(outcome(log, "growth_exponent(gamma=1, window=[2,4,8]) >= 1.5") == Outcome::fail);
}

TEST_CASE("the sentence of a failed claim has the number its limits and the bound") {
  const Judged all = judged(noise_log(23, 64, 8, 0.5), "variance(gamma=1, window=8) <= 1");
  const Verdict& v = all.verdicts[0];
  CHECK(v.reason.rfind("the variance of A is ", 0) == 0);
  CHECK(v.reason.find("95 % limits") != std::string::npos);
  CHECK(v.reason.find("shown to be above the 1 that is claimed") != std::string::npos);
  CHECK(v.claim == "variance(gamma=1, window=8) <= 1");
  REQUIRE(v.detect_fail);
  CHECK(*v.detect_fail > 1);
  CHECK(*v.detect_pass < 1);
}

TEST_CASE("what a theorem grants is an identity whatever the data") {
  const test::Log log = noise_log(24, 32, 8, 0.5);
  CHECK(outcome(log, "rbm_share(gamma=0.9) <= 0.5") == Outcome::identity);
  CHECK(outcome(log, "rbm_share(gamma=0.9) <= 0.49") == Outcome::pass);
  CHECK(outcome(log, "rbm_above(gamma=0.9, size=1) <= 0") == Outcome::identity);
  CHECK(outcome(log, "rbm_above(gamma=0.9, size=0.6) <= 0.7") == Outcome::identity);  // 1/(4 .36)
  CHECK(outcome(log, "rbm_above(gamma=0.9, size=0.6) <= 0.69") == Outcome::pass);
}

TEST_CASE("a number of the same log is an identity and one of another log is not") {
  const test::Log log = noise_log(25, 64, 8, 0.5);
  Spec spec = claims::parse_claims("variance(gamma=1, window=8) within 50% of 2")[0];
  spec.limit.kind = Limit::Kind::baseline;
  claims::Setting setting;
  setting.log_hash = "0123";
  setting.baseline_hash = "0123";
  const Verdict same = judged(log, spec, setting).verdicts[0];
  CHECK(same.outcome == Outcome::identity);
  CHECK(same.inputs[0].origin == Origin::same_rollouts);
  CHECK(same.p_pass == 1);
  setting.baseline_hash = "4567";
  CHECK(judged(log, spec, setting).verdicts[0].outcome == Outcome::pass);
  // Without a hash nothing can be told: the number counts as claimed.
  setting.baseline_hash.clear();
  CHECK(judged(log, spec, setting).verdicts[0].outcome == Outcome::pass);
}

TEST_CASE("the spread of a baseline counts") {
  const test::Log log = noise_log(26, 64, 8, 0.5);
  Spec spec = claims::parse_claims("variance(gamma=1, window=8) within 40% of 2")[0];
  const double exact = judged(log, spec).verdicts[0].p_pass;
  spec.limit.kind = Limit::Kind::baseline;
  spec.limit.spread = Spread{0.09, 0.2, 0.2, 63, 40};
  CHECK(judged(log, spec).verdicts[0].p_pass > 2 * exact);
}

TEST_CASE("every kind is degenerate on a log that holds nothing") {
  test::Log log;
  for (std::uint64_t p = 0; p < 20; ++p)
    for (int j = 0; j < 2; ++j) {
      log.push_back(test::response(std::vector<double>(8, 0.0), p));
      log.back().step = j;
    }
  for (const std::string text : {"variance(gamma=1, window=8) <= 1",
                                 "second_moment(gamma=1, window=8) <= 1",
                                 "mean(gamma=1, window=8) <= 1",
                                 "ratio(gamma=1, over=0.9, window=8) <= 2",
                                 "growth_exponent(gamma=1, window=[4,8]) <= 2",
                                 "rbm_share(gamma=1) <= 0.4",
                                 "rbm_above(gamma=1, size=0.8) <= 0.1",
                                 "equal_at_step(step=0)"}) {
    CAPTURE(text);
    CHECK(outcome(log, text) == Outcome::degenerate);
  }
}

TEST_CASE("a frozen process has a growth exponent that is exact and shows nothing") {
  test::Dice dice(27);
  test::Log log;
  for (std::uint64_t p = 0; p < 20; ++p)
    for (int j = 0; j < 4; ++j) {
      // Multiples of 2^-10, so that A over n tokens is exactly n X.
      const double x = std::nearbyint(1024 * 0.5 * dice.normal()) / 1024;
      log.push_back(test::response(std::vector<double>(16, x), p));
    }
  CHECK(outcome(log, "growth_exponent(gamma=1, window=[4,8,16]) <= 1.9") == Outcome::degenerate);
}

TEST_CASE("equality at a step is within the noise floor there and not at a later step") {
  test::Dice dice(28);
  test::Log log;
  for (std::uint64_t p = 0; p < 20; ++p)
    for (int step = 0; step < 2; ++step) {
      std::vector<double> delta;
      for (int t = 0; t < 8; ++t) delta.push_back(step == 0 ? 1e-7 * dice.normal() : dice.normal());
      log.push_back(test::response(delta, p));
      log.back().step = step;
    }
  CHECK(outcome(log, "equal_at_step(step=0)") == Outcome::pass);
  CHECK(outcome(log, "equal_at_step(step=1)") == Outcome::fail);
  CHECK(outcome(log, "equal_at_step(step=1) <= 2") == Outcome::pass);
  CHECK(outcome(log, "equal_at_step(step=7)") == Outcome::inconclusive);
  for (RolloutRecord& r : log) r.step.reset();
  const Judged none = judged(log, "equal_at_step(step=0)");
  CHECK(none.verdicts[0].outcome == Outcome::inconclusive);
  CHECK(none.verdicts[0].reason.find("step is not recorded") != std::string::npos);
}

TEST_CASE("equality to the last bit at a step passes when later steps differ") {
  test::Dice dice(29);
  test::Log log;
  for (std::uint64_t p = 0; p < 20; ++p)
    for (int step = 0; step < 2; ++step) {
      log.push_back(test::response(std::vector<double>(8, step == 0 ? 0.0 : dice.normal()), p));
      log.back().step = step;
    }
  CHECK(outcome(log, "equal_at_step(step=0)") == Outcome::pass);
}

TEST_CASE("without prompt ids nothing is shown to be broken and nothing passes") {
  test::Log log = noise_log(30, 64, 8, 0.5);
  std::uint64_t i = 0;
  for (RolloutRecord& r : log) {
    r.prompt_id.reset();
    r.prompt_hash = test::spread(1000 + i++);
  }
  for (const std::string text : {"variance(gamma=1, window=8) <= 1",
                                 "variance(gamma=1, window=8) <= 9",
                                 "mean(gamma=1, window=8) >= 0",
                                 "rbm_share(gamma=1) <= 0.1",
                                 "ratio(gamma=1, over=0, window=8) <= 2"}) {
    CAPTURE(text);
    CHECK(outcome(log, text) == Outcome::inconclusive);
  }
}

TEST_CASE("few prompts give no limits and say so") {
  const test::Log log = noise_log(31, 4, 8, 0.5);
  for (const std::string text : {"variance(gamma=1, window=8) <= 100",
                                 "mean(gamma=1, window=8) <= 100",
                                 "ratio(gamma=1, over=0, window=8) <= 100",
                                 "growth_exponent(gamma=1, window=[4,8]) <= 10",
                                 "rbm_share(gamma=1) <= 0.4"}) {
    CAPTURE(text);
    const Judged all = judged(log, text);
    CHECK(all.verdicts[0].outcome == Outcome::inconclusive);
    CHECK(all.verdicts[0].reason.find("prompts") != std::string::npos);
  }
}
