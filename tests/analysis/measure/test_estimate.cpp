// SPDX-License-Identifier: MIT
// Status and reason of every kind of cell, and the fits behind them.
#include <cmath>
#include <random>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/measure/estimate.hpp"

using namespace gammascope;
using namespace gammascope::measure;
using test::Log;
using test::response;

namespace {

const CellSpec first{Alignment::position, 1, 0, 0};

/// `prompts` x 4 responses of 8 tokens with log-ratios of this sd; all ended.
Log noise_log(std::uint64_t seed, std::size_t prompts, double sd = 0.5) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.1 * sd, sd);
  Log log;
  for (std::size_t p = 0; p < prompts; ++p)
    for (int j = 0; j < 4; ++j) {
      std::vector<double> delta(8);
      for (double& d : delta) d = normal(random);
      log.push_back(response(delta, 1000 * seed + p));
    }
  return log;
}

Estimate of(const Log& log, const CellSpec& cell, Settings settings = {}, double floor = 2e-6) {
  return estimate(test::swept(log, Plan(settings, {cell})), 0, floor);
}

void check_not_available(const Cell& cell, const std::string& words) {
  CAPTURE(cell.reason);
  CHECK(cell.status == CellStatus::not_available);
  CHECK(cell.reason.find(words) != std::string::npos);
  CHECK_FALSE(cell.lower);
  CHECK_FALSE(cell.upper);
  CHECK_FALSE(cell.confidence);
}

void check_nothing(const Estimate& e, const std::string& words) {
  for (const Cell* cell : {&e.mean, &e.variance, &e.second_moment}) {
    check_not_available(*cell, words);
    CHECK_FALSE(cell->value);
  }
  CHECK_FALSE(e.variance_fit.has_limits());
}

}  // namespace

TEST_CASE("an ordinary cell has value and limits and says what it is") {
  const Log log = noise_log(1, 64);
  Settings settings;
  settings.confidence = 0.9;
  const Estimate e = of(log, first, settings);
  for (const Cell* cell : {&e.mean, &e.variance, &e.second_moment}) {
    CHECK(cell->status == CellStatus::ok);
    CHECK(cell->reason.empty());
    CHECK(cell->alignment == Alignment::position);
    CHECK(cell->gamma == 1.0);
    CHECK(cell->n == 0);
    CHECK(cell->prompts == 64);
    CHECK(cell->rollouts == 256);
    CHECK(cell->confidence == 0.9);
    CHECK(*cell->lower < *cell->value);
    CHECK(*cell->value < *cell->upper);
  }
  CHECK(e.mean.quantity == Quantity::mean);
  CHECK(e.mean.method == "t");
  CHECK(e.variance.quantity == Quantity::variance);
  CHECK(e.variance.method == "HJS");
  CHECK(e.second_moment.quantity == Quantity::second_moment);
  CHECK(*e.second_moment.value ==
        Approx(*e.variance.value + *e.mean.value * *e.mean.value).epsilon(0.02));
  CHECK(*e.variance.blind_spot == Approx(std::sqrt(*e.variance.value * 64 / 3)));
  CHECK_FALSE(e.mean.blind_spot);
  CHECK(e.weight_sum == 8.0);
  CHECK(e.variance_fit.p_pass(*e.variance.upper) == Approx(0.05).epsilon(1e-8));
}

TEST_CASE("limits need five prompts") {
  const Estimate four = of(noise_log(2, 4), first);
  check_not_available(four.variance, "5 prompts");
  CHECK(four.variance.value);  // the number itself can be had
  check_not_available(four.mean, "5 prompts");
  CHECK(of(noise_log(2, 5), first).variance.lower);
}

TEST_CASE("a single response has no variance and not the variance zero") {
  for (const Log& log :
       {Log{response({0.1, 0.2}, 1)}, Log{response({0.1}, 1), response({0.2}, 1)}}) {
    const Estimate e = of(log, first);
    check_not_available(e.variance, "prompts");
    CHECK_FALSE(e.variance.value);
    CHECK(e.mean.value);
    CHECK_FALSE(e.mean.lower);
  }
}

TEST_CASE("an empty population says why it is empty") {
  check_nothing(of({}, first), "no response");
  check_nothing(of({response({}, 1), response({}, 2)}, first), "every response is empty");
  check_nothing(of(noise_log(3, 8), {Alignment::position, 1, 8, 0}), "reaches this position");
  check_nothing(of(noise_log(3, 8), {Alignment::horizon, 1, 9, 0}), "is this long");
  check_nothing(of(noise_log(3, 8), {Alignment::infinite, 1, std::nullopt, 0}), "below 1");
  Log log = noise_log(3, 8);
  for (RolloutRecord& r : log) r.finish = FinishReason::length;
  check_nothing(of(log, {Alignment::horizon, 1, 4, 0}), "known to have ended");
  check_nothing(of(log, {Alignment::infinite, 0.9, std::nullopt, 0}),
                "32 of 32 responses were cut");
  Settings settings;
  settings.start = Start::all;
  settings.max_length = 8;
  check_nothing(of(log, {Alignment::window, 1, 9, 0}, settings), "no window");
}

TEST_CASE("the whole response needs a log without cuts") {
  const CellSpec infinite{Alignment::infinite, 0.9, std::nullopt, 0};
  Log log = noise_log(4, 16);
  CHECK(of(log, infinite).variance.status == CellStatus::ok);
  CHECK_FALSE(of(log, infinite).variance.n);
  log[7].finish = FinishReason::abort;
  check_nothing(of(log, infinite), "1 of 64 responses were cut");
  Settings drop;
  drop.truncated = Truncated::drop;
  check_nothing(of(log, infinite, drop), "1 of 64 responses were cut");
  log[7].finish = FinishReason::unknown;
  check_nothing(of(log, infinite), "not recorded");
  log[7].finish = FinishReason::stop;
  log[7].masked_bad = 2;  // damaged: left out, the rest stands
  CHECK(of(log, infinite).variance.rollouts == 63);
}

TEST_CASE("a variance of zero is degenerate") {
  Log log;
  for (std::uint64_t p = 0; p < 20; ++p) log.push_back(response({0.25, 0.5}, p));
  const Estimate e = of(log, first);
  CHECK(e.variance.status == CellStatus::degenerate);
  CHECK(*e.variance.value == 0.0);
  CHECK_FALSE(e.variance.lower);
  CHECK(e.mean.status == CellStatus::degenerate);
  CHECK(*e.mean.value == -0.75);
  CHECK(e.second_moment.status ==
        CellStatus::not_available);  // proportional: no spread to judge by
  CHECK(*e.second_moment.value == 0.5625);
  CHECK(e.variance_fit.p_pass(1.0) == 1.0);
}

TEST_CASE("a variance below the noise floor is degenerate and just above it is not") {
  const Log log = noise_log(5, 64, 1e-3);  // Var A_0 near 8e-6 over 8 tokens at gamma 1
  const double variance = *of(log, first).variance.value;
  const double sd = std::sqrt(variance / 8);
  const Estimate below = of(log, first, {}, 1.01 * sd);
  CHECK(below.variance.status == CellStatus::degenerate);
  CHECK(*below.variance.value == variance);
  CHECK_FALSE(below.variance.lower);
  CHECK(below.variance.reason.find("engine noise") != std::string::npos);
  CHECK_FALSE(below.variance_fit.has_limits());
  CHECK(below.variance_fit.p_pass(1.0) == 1.0);
  CHECK(of(log, first, {}, 0.99 * sd).variance.lower);
  Settings settings;
  settings.noise_floor = 0.0;  // the plan's own floor goes first
  CHECK(of(log, first, settings, 1.0).variance.lower);
}

TEST_CASE("without prompt ids limits are unreliable") {
  Log log = noise_log(6, 32);
  log[3].prompt_id.reset();
  const Estimate e = of(log, first);
  for (const Cell* cell : {&e.mean, &e.variance, &e.second_moment}) {
    CHECK(cell->status == CellStatus::unreliable);
    CHECK(cell->reason.find("prompt_id") != std::string::npos);
    CHECK(cell->lower);
  }
}

TEST_CASE("one prompt that carries the variance is named by the label") {
  Log log = noise_log(7, 64);
  for (int j = 0; j < 4; ++j)
    log.push_back(response(std::vector<double>(8, j % 2 ? 1.2 : -1.2), 9));
  const Estimate e = of(log, first);
  CHECK(e.variance.status == CellStatus::unreliable);
  CHECK(e.variance.reason.find("one prompt carries") != std::string::npos);
}

TEST_CASE("halves are the prompts by the top bit of their hash") {
  const Log log = noise_log(8, 64);
  Log first_half, second_half;
  for (const RolloutRecord& r : log)
    (r.prompt_hash >> 63 != 0 ? second_half : first_half).push_back(r);
  const Plan plan({}, {first});
  const Sweep all = test::swept(log, plan);
  const Sweep one = test::swept(first_half, plan), two = test::swept(second_half, plan);
  CHECK(variance_fit(all, 0, Half::first).value == variance_fit(one, 0, Half::both).value);
  CHECK(variance_fit(all, 0, Half::second).limits(0.95)->upper ==
        variance_fit(two, 0, Half::both).limits(0.95)->upper);
  CHECK(second_moment_fit(all, 0, Half::second).limits(0.95)->lower ==
        second_moment_fit(two, 0, Half::both).limits(0.95)->lower);
  CHECK(variance_fit(all, 0, Half::first).clusters + variance_fit(all, 0, Half::second).clusters ==
        64);
  CHECK(variance_fit(all, 0, Half::both).value == estimate(all, 0, 0).variance.value);
  CHECK_FALSE(variance_fit(test::swept({}, plan), 0, Half::first).value);
}

TEST_CASE("weights change means only") {
  Log log = noise_log(9, 32);
  log.resize(log.size() - 3);  // prompts of unequal size
  const Estimate row = of(log, first);
  Settings settings;
  settings.weight = Weight::prompt;
  const Estimate prompt = of(log, first, settings);
  CHECK(prompt.variance.value == row.variance.value);
  CHECK(prompt.second_moment.value == row.second_moment.value);
  CHECK(prompt.mean.value != row.mean.value);
  CHECK(prompt.mean.prompts == 32);
  CHECK(prompt.mean.rollouts == 125);
  settings.by_prompt = false;  // weight prompt keeps what it needs
  CHECK(of(log, first, settings).mean.value == prompt.mean.value);
  settings.weight = Weight::response;  // one row a response: the same as rows
  CHECK(of(log, first, settings).mean.value == row.mean.value);
}

TEST_CASE("means by prompt are not available when they would not be exact") {
  Settings settings;
  settings.weight = Weight::prompt;
  Log log = noise_log(10, 10);
  log[0].prompt_id.reset();
  check_not_available(of(log, first, settings).mean, "prompt_id");
  Log many;
  for (std::uint64_t p = 0; p < 1025; ++p) many.push_back(response({0.001 * double(p)}, p));
  check_not_available(of(many, first, settings).mean, "1024");
  many.pop_back();
  CHECK(of(many, first, settings).mean.status == CellStatus::ok);
}

TEST_CASE("the split between and within prompts says why it is missing") {
  const Plan plan({}, {first});
  const auto reason = [&](const Log& log, const Plan& p) {
    const auto cells = prompt_split_cells(test::swept(log, p), 0);
    REQUIRE(cells.size() == 2);
    CHECK(cells[0].quantity == Quantity::between_prompts);
    CHECK(cells[1].quantity == Quantity::within_prompts);
    CHECK_FALSE(cells[0].lower);
    return cells[0].reason;
  };
  Log log = noise_log(11, 10);
  CHECK(prompt_split_cells(test::swept(log, plan), 0)[1].value);
  CHECK(reason({}, plan).find("no response") != std::string::npos);
  Settings settings;
  settings.by_prompt = false;
  CHECK(reason(log, Plan(settings, {first})).find("not kept") != std::string::npos);
  log[0].prompt_id.reset();
  CHECK(reason(log, plan).find("prompt_id") != std::string::npos);
  CHECK(reason({response({1}, 1), response({2}, 2)}, plan).find("two rows") != std::string::npos);
}
