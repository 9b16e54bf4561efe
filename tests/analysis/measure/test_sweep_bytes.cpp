// SPDX-License-Identifier: MIT
// The same responses give the same bits: threads, order, shards, padding, a constant on both sides.
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <random>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/core/errors.hpp"
#include "analysis/core/interrupt.hpp"
#include "analysis/measure/estimate.hpp"

using namespace gammascope;
using namespace gammascope::measure;
using test::Log;

namespace {

Plan plan_of(Clock clock, Weight weight = Weight::row) {
  Settings settings;
  settings.clock = clock;
  settings.start = Start::all;
  settings.weight = weight;
  settings.max_length = 40;
  const std::vector<Alignment> alignments{
      Alignment::position, Alignment::horizon, Alignment::window, Alignment::infinite};
  const std::vector<double> gammas{0, 0.9, 0.99, 1};
  const std::vector<std::int64_t> at{1, 4, 17};
  return Plan(settings, cell_grid(alignments, gammas, at));
}

/// Every number of every cell, as bits.
std::vector<std::uint64_t> bits_of(const Sweep& sweep) {
  std::vector<std::uint64_t> bits;
  const auto put = [&](const std::optional<double>& x) {
    bits.push_back(x ? std::bit_cast<std::uint64_t>(*x) : 0x7ff8dead00000000u);
  };
  for (std::size_t c = 0; c < sweep.plan().cells().size(); ++c) {
    const Estimate e = estimate(sweep, c, 2e-6);
    for (const Cell* cell : {&e.mean, &e.variance, &e.second_moment}) {
      put(cell->value);
      put(cell->lower);
      put(cell->upper);
      put(cell->blind_spot);
    }
    put(e.weight_sum);
  }
  return bits;
}

void require_same(const Sweep& a, const Sweep& b) {
  CHECK(a == b);
  CHECK(bits_of(a) == bits_of(b));
}

const std::vector<Clock> clocks{Clock::skip, Clock::count, Clock::reset, Clock::turn};

}  // namespace

TEST_CASE("one two and eight threads give the same bytes") {
  const Log log = test::random_log(1, 3000, 40);  // 750 prompts: groups are merged
  for (const Clock clock : clocks) {
    const Plan plan = plan_of(clock, Weight::response);
    const Sweep one = test::swept(log, plan, 1);
    require_same(one, test::swept(log, plan, 2));
    require_same(one, test::swept(log, plan, 8));
  }
}

TEST_CASE("three shuffled shards merged in any order give the same bytes") {
  const Log log = test::random_log(2, 2400, 40);
  const Plan plan = plan_of(Clock::skip, Weight::prompt);
  const Sweep whole = test::swept(log, plan);
  std::vector<std::size_t> order(log.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(3);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<Sweep> shards(3, Sweep(plan));
  for (const std::size_t i : order) shards[random() % 3].add(log[i]);
  std::vector<std::size_t> merge_order{0, 1, 2};
  do {
    Sweep merged = shards[merge_order[0]];
    merged.merge(shards[merge_order[1]]);
    merged.merge(shards[merge_order[2]]);
    require_same(whole, merged);
  } while (std::next_permutation(merge_order.begin(), merge_order.end()));
}

TEST_CASE("padding with masked NaN changes no bit") {
  const Log log = test::random_log(4, 400, 40);
  Log padded = log;
  for (RolloutRecord& r : padded) {
    const std::size_t length = r.student_logprob.size();
    if (r.mask.empty()) r.mask.assign(length, 1);
    r.student_logprob.resize(2 * length, std::numeric_limits<float>::quiet_NaN());
    r.teacher_logprob.resize(2 * length, std::numeric_limits<float>::quiet_NaN());
    r.mask.resize(2 * length, 0);
    r.turn.resize(2 * length, 99);
  }
  for (const Clock clock : clocks)
    require_same(test::swept(log, plan_of(clock)), test::swept(padded, plan_of(clock)));
}

TEST_CASE("a constant added to both columns changes no bit") {
  const Log log = test::random_log(5, 400, 40);
  Log shifted = log;
  for (RolloutRecord& r : shifted)
    for (auto* column : {&r.student_logprob, &r.teacher_logprob})
      for (float& x : *column) x -= 8.0F;  // on the grid of 2^-10: exact in float
  for (const Clock clock : clocks)
    require_same(test::swept(log, plan_of(clock)), test::swept(shifted, plan_of(clock)));
}

TEST_CASE("a grid of gammas gives the same bits as one gamma alone") {
  const Log log = test::random_log(6, 200, 40);
  const Plan all = plan_of(Clock::count);
  const Sweep together = test::swept(log, all);
  for (std::size_t c = 0; c < all.cells().size(); ++c) {
    const Sweep alone = test::swept(log, Plan(all.settings(), {all.cells()[c]}));
    CHECK(alone.groups().total(0) == together.groups().total(c));
  }
}

TEST_CASE("a change of one log-ratio by a millionth is seen") {
  const Log log = test::random_log(7, 100, 40);
  Log changed = log;
  const auto it = std::find_if(changed.begin(), changed.end(), [](const RolloutRecord& r) {
    return r.mask.empty() && !r.student_logprob.empty();
  });
  REQUIRE(it != changed.end());
  it->student_logprob[0] -= 1e-6F;
  const Plan plan = plan_of(Clock::skip);
  CHECK_FALSE(test::swept(log, plan) == test::swept(changed, plan));
}

TEST_CASE("the first bad response is named whatever the threads") {
  Log log = test::random_log(8, 1000, 40);
  for (RolloutRecord& r : log) r.mask.clear();
  for (const std::size_t bad : {613u, 617u, 700u, 990u}) {
    log[bad] = test::response({5e6}, 100000 + bad);
  }
  const Plan plan = plan_of(Clock::skip);
  for (const unsigned threads : {1u, 2u, 8u})
    for (int trial = 0; trial < 5; ++trial) try {
        (void)test::swept(log, plan, threads);
        FAIL("accepted");
      } catch (const BadData& error) {
        CHECK(std::string(error.what()).find("\"p100613\"") != std::string::npos);
      }
}

TEST_CASE("an error of the source comes through unless an earlier response is bad") {
  Log log = test::random_log(9, 300, 10);
  const Plan plan = plan_of(Clock::skip);
  const auto failing = [&](std::size_t at) {
    return [&log, at, next = std::size_t{0}](RolloutRecord& r) mutable {
      if (next == at) throw NoInput("gone");
      r = log[next++];
      return true;
    };
  };
  for (const unsigned threads : {1u, 4u}) {
    CHECK_THROWS_AS(sweep(plan, failing(200), threads), NoInput);
    CHECK_THROWS_AS(sweep(plan, failing(0), threads), NoInput);
  }
  log[195] = test::response({5e6}, 1);
  for (const unsigned threads : {1u, 4u})
    CHECK_THROWS_AS(sweep(plan, failing(200), threads), BadData);
}

TEST_CASE("an interrupt stops a sweep") {
  const Log log = test::random_log(10, 100, 10);
  interrupt_flag() = true;
  CHECK_THROWS_AS(test::swept(log, plan_of(Clock::skip), 2), Interrupted);
  interrupt_flag() = false;
  CHECK_NOTHROW(test::swept(log, plan_of(Clock::skip), 2));
}
