// SPDX-License-Identifier: MIT
// Measuring beside the bare scan, windows beside the arithmetic, limits beside their own sums.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

#include <benchmark/benchmark.h>

#include "analysis/core/random.hpp"
#include "analysis/measure/sweep.hpp"
#include "analysis/stats/hjs.hpp"
#include "tests/bench/bench.hpp"

namespace gammascope::bench {
namespace {

using namespace gammascope::measure;

std::vector<double> sixteen_gammas() {
  std::vector<double> gammas;
  for (int i = 0; i < 16; ++i) gammas.push_back(1.0 - std::ldexp(0.5, -i));
  return gammas;
}

/// `count` horizons from 1 to the whole row, evenly on the log scale, all different.
std::vector<std::int64_t> log_spaced(std::size_t count, std::size_t largest) {
  std::vector<std::int64_t> grid;
  for (std::size_t i = 0; grid.size() < count; ++i) {
    const double x = std::pow(static_cast<double>(largest),
                              static_cast<double>(i) / static_cast<double>(count - 1));
    const auto n = std::max<std::int64_t>(grid.empty() ? 1 : grid.back() + 1, std::llrint(x));
    grid.push_back(n);
  }
  return grid;
}

/// The first rows of the shared columns, eight responses a prompt, all ended.
void sweep_rows(Sweep& sweep, std::size_t rows) {
  for (std::size_t r = 0; r < rows; ++r) {
    Rollout row;
    const std::size_t from = r * Columns::length;
    row.student_logprob = std::span(columns().student).subspan(from, Columns::length);
    row.teacher_logprob = std::span(columns().teacher).subspan(from, Columns::length);
    row.prompt = r / 8 * 0x9E3779B97F4A7C15u;
    row.finish = FinishReason::stop;
    sweep.add(row);
  }
}

void add_horizons(Suite& suite) {
  constexpr std::size_t rows = 64;
  const std::string name = "measure 16 gammas x 38 horizons, with limits";
  const Alignment alignment[] = {Alignment::horizon};
  const auto plan = std::make_shared<Plan>(
      Settings{}, cell_grid(alignment, sixteen_gammas(), log_spaced(38, Columns::length)));
  suite.timed.push_back({name, "token", static_cast<double>(rows * Columns::length), [plan] {
                           Sweep sweep(*plan);
                           sweep_rows(sweep, rows);
                           benchmark::DoNotOptimize(&sweep);
                         }});
  suite.rows.push_back({name, scan_row, {Target::Kind::times_at_most, 1.3}, 16});
}

void add_windows(Suite& suite) {
  constexpr std::size_t rows = 4, window = 1024;
  const std::string name = "windows of 1024, starts every 128 tokens";
  const Alignment alignment[] = {Alignment::window};
  const std::int64_t at[] = {window};
  Settings settings;
  settings.start = Start::all;
  settings.max_length = Columns::length;
  const auto plan = std::make_shared<Plan>(settings, cell_grid(alignment, sixteen_gammas(), at));
  constexpr std::size_t starts = (Columns::length - window) / (window / 8) + 1;
  suite.timed.push_back(
      {name, "multiply+add", static_cast<double>(rows * starts * window * 16), [plan] {
         Sweep sweep(*plan);
         sweep_rows(sweep, rows);
         benchmark::DoNotOptimize(&sweep);
       }});
  suite.rows.push_back({name, arithmetic_ceiling, {Target::Kind::share_at_least, 0.30}});
}

/// 512 clusters of 4 rows. The ceiling stops before the quantiles.
void add_limits(Suite& suite) {
  const auto clusters = std::make_shared<std::vector<stats::ClusterSums>>();
  for (std::uint32_t i = 0; i < 512; ++i) {
    stats::ClusterSums sums;
    for (std::uint32_t j = 0; j < 4; ++j) {
      const double x = 2 * uniform_pair(7, i, j, 0)[0] - 1;
      sums.rows += 1;
      sums.s1 += x;
      sums.s2 += x * x;
    }
    clusters->push_back(sums);
  }
  const std::string sums = "ceiling: HJS arithmetic, no quantiles",
                    name = "limits (HJS), 512 groups";
  suite.timed.push_back({sums, "cell", 1, [clusters] {
                           auto fit = stats::hjs_variance(*clusters);
                           benchmark::DoNotOptimize(fit);
                         }});
  suite.timed.push_back({name, "cell", 1, [clusters] {
                           auto limits = stats::hjs_variance(*clusters).limits(0.95);
                           benchmark::DoNotOptimize(limits);
                         }});
  suite.rows.push_back({name, sums, {Target::Kind::share_at_least, 0.50}});
}

}  // namespace

void add_measure(Suite& suite) {
  add_horizons(suite);
  add_windows(suite);
  add_limits(suite);
}

}  // namespace gammascope::bench
