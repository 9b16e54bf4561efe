// SPDX-License-Identifier: MIT
// Do the limits hold the exact value as often as they say? 1000 logs of 128 prompts x 4 of a
// process whose moments are known exactly (simulators share no code with what is judged).
#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/measure/estimate.hpp"
#include "simulators/families/clustered.hpp"
#include "simulators/families/ergodic.hpp"
#include "simulators/families/ragged.hpp"
#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/horizon_moments.hpp"
#include "simulators/markov/infinite_horizon.hpp"
#include "simulators/markov/sampler.hpp"

using namespace gammascope;
using namespace gammascope::measure;
using Moments = markov::Moments<double>;

namespace {

constexpr int logs = 1000;
constexpr std::uint64_t prompts = 128;
constexpr std::uint32_t samples = 4;

/// One cell, its exact moments, and how often limits missed them.
struct Judged {
  CellSpec spec;
  Moments truth;
  struct Misses {
    int below = 0, above = 0;  // truth below the lower, above the upper limit
    int wrong = 0;             // truth x 1.5 outside
    int without = 0;           // no limits
  };
  std::array<Misses, 3> misses{};  // mean, variance, second moment
  double rows = 0;                 // mean number of rows a log
};

void judge(Judged& cell, const Sweep& sweep, std::size_t place) {
  const Estimate e = estimate(sweep, place, 2e-6);
  const std::array<double, 3> truth{
      cell.truth.mean, cell.truth.variance, cell.truth.second_moment()};
  const std::array<const Cell*, 3> cells{&e.mean, &e.variance, &e.second_moment};
  cell.rows += static_cast<double>(e.variance.rollouts) / logs;
  for (std::size_t q = 0; q < 3; ++q) {
    Judged::Misses& m = cell.misses[q];
    if (!cells[q]->lower) {
      ++m.without;
      continue;
    }
    const double lower = *cells[q]->lower, upper = *cells[q]->upper;
    m.below += truth[q] < lower ? 1 : 0;
    m.above += truth[q] > upper ? 1 : 0;
    const double wrong = 1.5 * truth[q];
    m.wrong += wrong < lower || wrong > upper ? 1 : 0;
  }
}

/// Draws the logs and judges all cells of one plan after the other.
void run(const markov::Mixture& mixture,
         std::int64_t cut,
         const Settings& settings,
         std::uint64_t seed,
         std::vector<Judged>& cells) {
  std::vector<CellSpec> specs;
  for (const Judged& cell : cells) specs.push_back(cell.spec);
  const Sweep empty(Plan(settings, specs));
  const markov::Sampler sampler(mixture, cut, seed);
  RolloutRecord record;
  for (std::uint64_t log = 0; log < logs; ++log) {
    Sweep sweep = empty;
    for (std::uint64_t p = 0; p < prompts; ++p) {
      const std::uint64_t prompt = log * prompts + p;
      for (std::uint32_t j = 0; j < samples; ++j) {
        sampler.sample({std::to_string(prompt), test::spread(prompt), j}, record);
        sweep.add(record);
      }
    }
    for (std::size_t c = 0; c < cells.size(); ++c) judge(cells[c], sweep, c);
  }
}

/// 2 to 8 % of the logs outside both, at most 5.5 % beyond either limit. At a true 5 % (2.5 % a
/// side) the first fails with probability 4e-5, the second with 1e-7 a line; HJS is a little
/// conservative by design (3 to 6 % measured), so neither is likely at any seed.
void check(const std::string& what, const std::vector<Judged>& cells) {
  const std::array<std::string, 3> names{"mean", "variance", "second moment"};
  std::cout << std::fixed << std::setprecision(1);
  for (const Judged& cell : cells)
    for (std::size_t q = 0; q < 3; ++q) {
      const Judged::Misses& m = cell.misses[q];
      const std::string line = what + ", " + std::string(name(cell.spec.alignment)) +
                               (cell.spec.n ? " " + std::to_string(*cell.spec.n) : "") +
                               ", gamma " + std::to_string(cell.spec.gamma).substr(0, 4) + ", " +
                               names[q];
      std::cout << std::left << std::setw(58) << line << " outside "
                << 100.0 * (m.below + m.above) / logs << " % (" << 100.0 * m.below / logs << " / "
                << 100.0 * m.above / logs << ")\n";
      CAPTURE(line, m.below, m.above, m.without);
      CHECK(m.without == 0);
      CHECK(m.below + m.above >= 0.02 * logs);
      CHECK(m.below + m.above <= 0.08 * logs);
      CHECK(m.below <= 0.055 * logs);
      CHECK(m.above <= 0.055 * logs);
    }
}

/// The gate is red for a truth that is 1.5 times too large.
void check_wrong_truth_is_seen(const std::vector<Judged>& cells) {
  for (const Judged& cell : cells) {
    CAPTURE(name(cell.spec.alignment), cell.spec.gamma);
    CHECK(cell.misses[1].wrong >= 0.9 * logs);
  }
}

const std::vector<double> gammas{0.9, 0.99, 1.0};
std::vector<Gamma> as_gammas() { return {Gamma(0.9), Gamma(0.99), Gamma(1.0)}; }

std::vector<Judged> position_and_window(const markov::Process<double>& process,
                                        std::int64_t cut,
                                        std::int64_t position,
                                        std::int64_t window) {
  const auto by_position = markov::position_moments<double>(
      process, as_gammas(), cut, std::vector<std::int64_t>{position});
  const auto by_window = markov::window_moments<double>(
      process, as_gammas(), cut, std::vector<std::int64_t>{window}, markov::WindowStart::zero);
  std::vector<Judged> cells;
  for (std::size_t g = 0; g < gammas.size(); ++g) {
    cells.push_back({{Alignment::position, gammas[g], position, 0}, by_position[g][0].value()});
    cells.push_back({{Alignment::window, gammas[g], window, 0}, by_window[g][0].value()});
  }
  return cells;
}

std::vector<Judged> all_windows(const markov::Process<double>& process,
                                std::int64_t cut,
                                std::int64_t window) {
  const auto moments = markov::window_moments<double>(
      process, as_gammas(), cut, std::vector<std::int64_t>{window}, markov::WindowStart::all);
  std::vector<Judged> cells;
  for (std::size_t g = 0; g < gammas.size(); ++g)
    cells.push_back({{Alignment::window, gammas[g], window, 0}, moments[g][0].value()});
  return cells;
}

const markov::Mixture ending = families::Ragged{0.03, 0.5, 0.8}.build();
const markov::Mixture clustered = families::Clustered{4, 0.45, 0.03}.build();
const markov::Mixture ergodic = families::Ergodic{0.1, 0.2, 0.15, 0.1}.build();
constexpr std::int64_t cut = 96;

Settings all_starts() {
  Settings settings;
  settings.start = Start::all;
  settings.max_length = cut;
  return settings;
}

}  // namespace

TEST_CASE("limits by position and window cover the truth of a process that ends") {
  auto cells = position_and_window(markov::unite(ending), cut, 0, 32);
  run(ending, cut, {}, 1, cells);
  check("ending", cells);
  check_wrong_truth_is_seen(cells);
}

TEST_CASE("limits by window from all starts cover the truth of a process that ends") {
  auto cells = all_windows(markov::unite(ending), cut, 32);
  run(ending, cut, all_starts(), 2, cells);
  check("ending, all starts", cells);
  check_wrong_truth_is_seen(cells);
}

TEST_CASE("limits cover the truth when prompts differ strongly") {
  auto cells = position_and_window(markov::unite(clustered), cut, 0, 32);
  run(clustered, cut, {}, 7, cells);
  check("clustered", cells);
  auto windows = all_windows(markov::unite(clustered), cut, 32);
  run(clustered, cut, all_starts(), 8, windows);
  check("clustered, all starts", windows);
}

TEST_CASE("limits by position and window cover the truth of an ergodic process") {
  auto cells = position_and_window(markov::unite(ergodic), cut, 0, 32);
  run(ergodic, cut, {}, 3, cells);
  check("ergodic", cells);
  check_wrong_truth_is_seen(cells);
}

TEST_CASE("limits by window from all starts cover the truth of an ergodic process") {
  auto cells = all_windows(markov::unite(ergodic), cut, 32);
  run(ergodic, cut, all_starts(), 4, cells);
  check("ergodic, all starts", cells);
  check_wrong_truth_is_seen(cells);
}

TEST_CASE("limits by horizon cover the truth") {
  constexpr std::int64_t n = 40;
  const auto table = markov::horizon_moments<double>(
      markov::unite(ending), as_gammas(), cut, std::vector<std::int64_t>{n});
  std::vector<Judged> cells;
  for (std::size_t g = 0; g < gammas.size(); ++g)
    cells.push_back({{Alignment::horizon, gammas[g], n, 0}, table.moments[g][0].value()});
  REQUIRE(table.probability[0] * samples >= 0.7);  // rows a prompt
  run(ending, cut, {}, 5, cells);
  CHECK(cells[0].rows / prompts == Approx(table.probability[0] * samples).epsilon(0.02));
  check("ending", cells);
}

TEST_CASE("limits without a cut cover the truth") {
  std::vector<Judged> cells;
  cells.push_back({{Alignment::infinite, 0.9, std::nullopt, 0},
                   markov::infinite_moments(markov::unite(ending), Gamma(0.9))});
  run(ending, std::int64_t{1} << 20, {}, 6, cells);
  check("ending", cells);
}
