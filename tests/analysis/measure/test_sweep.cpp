// SPDX-License-Identifier: MIT
// Every alignment and clock against slow code that spells out the definitions (results.md; clocks:
// case B5) and shares nothing with the sweep.
#include <cmath>
#include <string>
#include <vector>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/core/errors.hpp"
#include "analysis/measure/sweep.hpp"

using namespace gammascope;
using namespace gammascope::measure;
using test::Log;

namespace {

std::vector<std::size_t> sampled(const RolloutRecord& r) {
  std::vector<std::size_t> at;
  for (std::size_t t = 0; t < r.student_logprob.size(); ++t)
    if (r.mask.empty() || r.mask[t] != 0) at.push_back(t);
  return at;
}

/// Weight of sampled token j in the sum that starts at sampled token i.
double weight(const RolloutRecord& r,
              const std::vector<std::size_t>& at,
              std::size_t i,
              std::size_t j,
              double gamma,
              Clock clock) {
  double spent = 0;
  switch (clock) {
    case Clock::skip:
      spent = static_cast<double>(j - i);
      break;
    case Clock::count:
      spent = static_cast<double>(at[j] - at[i]);
      break;
    case Clock::reset:
      for (std::size_t t = at[i]; t <= at[j]; ++t)
        if (!r.mask.empty() && r.mask[t] == 0) return 0;
      spent = static_cast<double>(j - i);
      break;
    case Clock::turn:
      for (std::size_t k = i; k < j; ++k) spent += r.turn[at[k]] != r.turn[at[k + 1]] ? 1 : 0;
      break;
  }
  return std::pow(gamma, spent);
}

struct Oracle {
  std::vector<double> rows, response_means;
  double largest = 0, largest_squares = 0;
  std::vector<double> largest_at;  ///< [k]: largest weight of a row's k-th token
};

/// All rows of a cell by definition.
Oracle oracle(const Log& log, const Settings& s, const CellSpec& cell) {
  Oracle o;
  for (const RolloutRecord& r : log) {
    const bool cut = r.finish == FinishReason::length || r.finish == FinishReason::abort;
    if (cut && s.truncated == Truncated::drop) continue;
    const auto at = sampled(r);
    const std::size_t length = at.size();
    if (length == 0 || static_cast<std::int64_t>(length) < cell.at_least) continue;
    const bool ended = r.finish == FinishReason::stop && r.masked_bad == 0;
    const auto n = static_cast<std::size_t>(cell.n.value_or(0));
    std::vector<std::pair<std::size_t, std::size_t>> sums;  // [first, last)
    switch (cell.alignment) {
      case Alignment::position:
        if (length > n) sums.emplace_back(n, length);
        break;
      case Alignment::horizon:
        if (ended && length >= n) sums.emplace_back(length - n, length);
        break;
      case Alignment::infinite:
        if (ended) sums.emplace_back(0, length);
        break;
      case Alignment::window:
        for (std::size_t t = 0; t < length; ++t) {
          if (s.start == Start::zero && t > 0) break;
          if (s.start == Start::all && (t % std::max<std::size_t>(1, n / 8) != 0 ||
                                        t + n > static_cast<std::size_t>(*s.max_length)))
            continue;
          sums.emplace_back(t, std::min(t + n, length));
        }
        break;
    }
    double mean = 0;
    for (const auto& [first, last] : sums) {
      double a = 0, weights = 0, squares = 0;
      for (std::size_t j = first; j < last; ++j) {
        const double w = weight(r, at, first, j, cell.gamma, s.clock);
        const double delta = static_cast<double>(r.student_logprob[at[j]]) -
                             static_cast<double>(r.teacher_logprob[at[j]]);
        a -= w * delta;
        weights += w;
        squares += w * w;
        if (o.largest_at.size() <= j - first) o.largest_at.resize(j - first + 1, 0);
        o.largest_at[j - first] = std::max(o.largest_at[j - first], w);
      }
      o.rows.push_back(a);
      mean += a / static_cast<double>(sums.size());
      o.largest = std::max(o.largest, weights);
      o.largest_squares = std::max(o.largest_squares, squares);
    }
    if (!sums.empty()) o.response_means.push_back(mean);
  }
  return o;
}

double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}
double variance_of(const std::vector<double>& x) {
  const double mean = mean_of(x);
  double sum = 0;
  for (const double v : x) sum += (v - mean) * (v - mean);
  return sum / static_cast<double>(x.size() - 1);
}

std::vector<CellSpec> cells() {
  const std::vector<Alignment> alignments{
      Alignment::position, Alignment::horizon, Alignment::window, Alignment::infinite};
  const std::vector<double> gammas{0, 0.5, 0.9, 0.99, 1};
  const std::vector<std::int64_t> at{1, 2, 3, 7, 16, 20, 25};
  auto all = cell_grid(alignments, gammas, at);
  for (const double g : gammas) {
    all.push_back({Alignment::position, g, 0, 0});
    all.push_back({Alignment::horizon, g, 3, 12});
    all.push_back({Alignment::window, g, 5, 12});
    all.push_back({Alignment::position, g, 4, 12});
  }
  return all;
}

}  // namespace

TEST_CASE("every cell equals its definition for all clocks and starts") {
  int compared = 0;
  for (const Clock clock : {Clock::skip, Clock::count, Clock::reset, Clock::turn})
    for (const Start start : {Start::zero, Start::all})
      for (const Truncated truncated : {Truncated::keep, Truncated::drop})
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
          const Log log = test::random_log(seed, 60, 24);
          Settings settings;
          settings.clock = clock;
          settings.start = start;
          settings.truncated = truncated;
          settings.weight = Weight::response;
          settings.max_length = 24;
          const Plan plan(settings, cells());
          const Sweep sweep = test::swept(log, plan);
          for (std::size_t c = 0; c < plan.cells().size(); ++c) {
            const CellSpec& spec = plan.cells()[c];
            CAPTURE(name(clock), name(spec.alignment), spec.gamma, spec.n.value_or(-1), seed);
            const Oracle o = oracle(log, settings, spec);
            const auto total = sweep.groups().total(c);
            REQUIRE(total.count() == static_cast<std::int64_t>(o.rows.size()));
            if (o.rows.empty()) continue;
            CHECK(*total.mean() == Approx(mean_of(o.rows)).margin(1e-9));
            const auto means = sweep.groups().total(sweep.response_mean_cell(c));
            REQUIRE(means.count() == static_cast<std::int64_t>(o.response_means.size()));
            CHECK(*means.mean() == Approx(mean_of(o.response_means)).margin(1e-9));
            double largest = 0, largest_squares = 0;
            for (const double w : o.largest_at) largest += w, largest_squares += w * w;
            CHECK(sweep.weight_sum(c) >= largest * (1 - 1e-12));
            CHECK(sweep.squared_weight_sum(c) >= largest_squares * (1 - 1e-12));
            if (clock == Clock::turn && spec.at_least == 0) {
              CHECK(sweep.weight_sum(c) == Approx(largest).epsilon(1e-12));
              CHECK(sweep.squared_weight_sum(c) == Approx(largest_squares).epsilon(1e-12));
            }
            if (clock == Clock::reset) {
              CHECK(sweep.weight_sum(c) == Approx(o.largest).epsilon(1e-12));
              CHECK(sweep.squared_weight_sum(c) == Approx(o.largest_squares).epsilon(1e-12));
            } else {
              CHECK(sweep.weight_sum(c) >= o.largest * (1 - 1e-12));
              CHECK(sweep.squared_weight_sum(c) >= o.largest_squares * (1 - 1e-12));
            }
            if (o.rows.size() < 2) continue;
            CHECK(*total.variance() == Approx(variance_of(o.rows)).margin(1e-9));
            ++compared;
          }
        }
  CHECK(compared > 3000);
}

TEST_CASE("the oracle is red when the clock is the wrong one") {
  // Planted: rows measured with one clock and checked with another must differ somewhere.
  const Log log = test::random_log(5, 60, 24);
  Settings settings;
  const CellSpec cell{Alignment::position, 0.9, 0, 0};
  const Sweep sweep = test::swept(log, Plan(settings, {cell}));
  CHECK(*sweep.groups().total(0).mean() == Approx(mean_of(oracle(log, settings, cell).rows)));
  for (const Clock wrong : {Clock::count, Clock::reset, Clock::turn}) {
    settings.clock = wrong;
    CHECK(std::fabs(*sweep.groups().total(0).mean() - mean_of(oracle(log, settings, cell).rows)) >
          1e-3);
  }
}

TEST_CASE("G2 keeps its digits for gamma near one") {
  const Log log{test::response(std::vector<double>(10, 0.1), 1)};
  const double e = 0x1p-40;  // gamma^2 = 1 - 2 e + e^2, rounded, is 1 - 2 e
  const Plan plan({}, {{Alignment::infinite, 1 - e, std::nullopt, 0}});
  const Sweep sweep = test::swept(log, plan);
  CHECK(sweep.squared_weight_sum(0) == Approx(1 / (2 * e) * (1 + e / 2)).epsilon(1e-15));
  const double small = 1 - 0x1p-30 + 0x1p-53;  // its square needs 60 bits more than a double has
  const Plan window({}, {{Alignment::window, small, std::int64_t{1} << 40, 0}});
  const double d = 1 - small;
  const Sweep far = test::swept(log, window);
  CHECK(far.squared_weight_sum(0) == Approx(1 / (d * (2 - d))).epsilon(1e-15));
}

TEST_CASE("G is geo of the horizon for skip and count") {
  const Log log{test::response(std::vector<double>(10, 0.1), 1),
                test::response(std::vector<double>(4, 0.1), 2)};
  Settings settings;
  const Plan plan(settings,
                  {{Alignment::window, 0.5, 3, 0},
                   {Alignment::horizon, 0.5, 2, 0},
                   {Alignment::position, 1, 4, 0},
                   {Alignment::infinite, 0.75, std::nullopt, 0}});
  const Sweep sweep = test::swept(log, plan);
  CHECK(sweep.weight_sum(0) == Approx(1.75));
  CHECK(sweep.squared_weight_sum(0) == Approx(1 + 0.25 + 0.0625));
  CHECK(sweep.weight_sum(1) == Approx(1.5));
  CHECK(sweep.weight_sum(2) == Approx(6));  // the longest response has 10
  CHECK(sweep.weight_sum(3) == Approx(4));
  CHECK(sweep.squared_weight_sum(3) == Approx(1 / (1 - 0.5625)));
  settings.max_length = 20;
  CHECK(test::swept(log, Plan(settings, {{Alignment::position, 1, 4, 0}})).weight_sum(0) ==
        Approx(16));
  CHECK_THROWS_AS(sweep.weight_sum(4), std::out_of_range);
}

TEST_CASE("counts say what was met") {
  Log log;
  log.push_back(test::response({0.1, 0.1}, 1));
  log.push_back(test::response({}, 1));
  log.push_back(test::response({0.1, 0.1, 0.1}, 2, FinishReason::length));
  log.push_back(test::response({0.1}, 2, FinishReason::abort));
  log.push_back(test::response({0.1}, 3, FinishReason::unknown));
  log.push_back(test::response({0.1, 0.2}, 3));
  log.back().masked_bad = 1;
  log.push_back(test::response({0.1}, 4));
  log.back().prompt_id.reset();
  Settings settings;
  const CellSpec cell{Alignment::window, 0.9, 2, 0};
  Counts n = test::swept(log, Plan(settings, {cell})).counts();
  CHECK(n == Counts{7, 10, 1, 2, 0, 1, 1, 4, 1, 3});
  settings.truncated = Truncated::drop;
  n = test::swept(log, Plan(settings, {cell})).counts();
  CHECK(n == Counts{7, 10, 1, 2, 2, 1, 1, 2, 1, 2});
}

TEST_CASE("credit beyond the range is bad data naming response and gamma") {
  Log log{test::response({0.1, 0.2}, 1), test::response({0.1, 2e6, 0.3}, 7)};
  log[1].sample_id = 3;
  const Plan plan({}, {{Alignment::position, 0.99, 0, 0}});
  try {
    (void)test::swept(log, plan);
    FAIL("accepted");
  } catch (const BadData& error) {
    const std::string text = error.what();
    CAPTURE(text);
    CHECK(text.find("\"p7\" sample 3") != std::string::npos);
    CHECK(text.find("gamma 0.99") != std::string::npos);
    CHECK(text.find("2^20") != std::string::npos);
  }
  log[1].student_logprob[1] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(test::swept(log, plan), BadData);
  log[1].mask = {1, 0, 1};  // masked: never read
  CHECK_NOTHROW(test::swept(log, plan));
}

TEST_CASE("the clock turn without the column is bad data") {
  Settings settings;
  settings.clock = Clock::turn;
  const Plan plan(settings, {{Alignment::window, 0.9, 2, 0}});
  CHECK_THROWS_AS(test::swept({test::response({0.1, 0.2}, 1)}, plan), BadData);
}

TEST_CASE("sweeps of different plans are not merged") {
  Sweep a(Plan({}, {{Alignment::window, 0.9, 2, 0}}));
  const Sweep b(Plan({}, {{Alignment::window, 0.9, 3, 0}}));
  CHECK_THROWS_AS(a.merge(b), std::invalid_argument);
}
