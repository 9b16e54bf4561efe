// SPDX-License-Identifier: MIT
// The recursions against the definition: every trajectory, summed in long double. 200 random
// processes, every alignment, 1e-12.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "simulators/markov/enumerate.hpp"
#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/horizon_moments.hpp"
#include "simulators/markov/token_profile.hpp"
#include "tests/simulators/support/random_process.hpp"

namespace {

using namespace gammascope;
using namespace gammascope::markov;

constexpr std::array gamma_values{0.0, 0.25, 0.9, 1.0};

enum class Kind { position, window, window_all, horizon, horizon_second };
using Cell = std::tuple<Kind, std::size_t, std::int64_t, std::int64_t>;  // kind, gamma, n, k

struct Sums {
  long double weight = 0, first = 0, second = 0;  // second: about the mean, in the second pass
};

/// Mean, variance and total probability of every cell, from all trajectories in two passes.
struct Truth {
  std::map<Cell, Sums> cells;

  Truth(const Process<double>& process, std::int64_t length) {
    for (const bool second : {false, true}) {
      enumerate<double>(
          process, length, [&](const Trajectory<double>& y) { add_rows(y, length, second); });
      if (!second)
        for (auto& [cell, sums] : cells) sums.first /= sums.weight;
    }
  }

  void add(const Cell& cell, long double p, long double a, bool second) {
    Sums& sums = cells[cell];
    if (second) {
      sums.second += p * (a - sums.first) * (a - sums.first);
    } else {
      sums.weight += p;
      sums.first += p * a;
    }
  }

  void add_rows(const Trajectory<double>& y, std::int64_t length, bool second) {
    const auto p = static_cast<long double>(y.probability);
    const auto tokens = static_cast<std::int64_t>(y.log_ratio.size());
    for (std::size_t g = 0; g < gamma_values.size(); ++g) {
      for (std::int64_t t = 0; t < tokens; ++t) {
        long double sum = 0, weight = 1;
        for (std::int64_t n = 1; n <= length; ++n) {
          if (t + n <= tokens) {
            sum +=
                weight * static_cast<long double>(y.log_ratio[static_cast<std::size_t>(t + n - 1)]);
            weight *= static_cast<long double>(gamma_values[g]);
          }
          const std::int64_t stride = std::max<std::int64_t>(1, n / 8);
          if (t == 0) add({Kind::window, g, n, 0}, p, sum, second);
          if (t + n <= length && t % stride == 0) add({Kind::window_all, g, n, 0}, p, sum, second);
        }
        add({Kind::position, g, t, 0}, p, sum, second);
        if (y.ended) add({Kind::horizon, g, tokens - t, 0}, p, sum, second);
      }
    }
    if (!y.ended) return;
    for (std::int64_t n = 1; n <= tokens; ++n)
      for (std::int64_t k = 1; k <= n; ++k) {
        const auto x = static_cast<long double>(y.log_ratio[static_cast<std::size_t>(tokens - k)]);
        add({Kind::horizon_second, 0, n, k}, p, x * x, second);
      }
  }

  [[nodiscard]] const Sums* find(const Cell& cell) const {
    const auto it = cells.find(cell);
    return it == cells.end() ? nullptr : &it->second;
  }
};

/// Largest error of a table against the truth: variance relative, mean relative to the root mean
/// square. A cell that only one side has counts as 1.
double worst_error(const MomentTable<double>& table,
                   const std::vector<std::int64_t>& n,
                   const Truth& truth,
                   Kind kind) {
  double worst = 0;
  for (std::size_t g = 0; g < table.size(); ++g)
    for (std::size_t i = 0; i < n.size(); ++i) {
      const Sums* sums = truth.find({kind, g, n[i], 0});
      if ((sums != nullptr) != table[g][i].has_value()) return 1;
      if (sums == nullptr) continue;
      const auto mean = static_cast<double>(sums->first);
      const auto variance = static_cast<double>(sums->second / sums->weight);
      const double size = std::sqrt(variance + mean * mean);
      worst = std::max(worst, std::abs(table[g][i]->mean - mean) / std::max(size, 1e-3));
      worst =
          std::max(worst, std::abs(table[g][i]->variance - variance) / std::max(variance, 1e-6));
    }
  return worst;
}

std::vector<Gamma> all_gammas() {
  std::vector<Gamma> result;
  for (const double g : gamma_values) result.emplace_back(g);
  return result;
}

/// The longest cut with at most `limit` trajectories, at least 1 and at most 20.
std::int64_t length_for(const Process<double>& process, double limit) {
  std::vector<double> paths(process.states(), 1.0);
  for (std::int64_t n = 1; n <= 20; ++n) {
    auto next = paths;
    double total = 0;
    for (std::size_t s = 0; s < paths.size(); ++s) {
      if (process.is_end(s)) continue;
      next[s] = 0;
      for (const auto& e : process.row(s)) next[s] += paths[e.next];
      total += next[s];
    }
    if (total > limit) return std::max<std::int64_t>(1, n - 1);
    paths = next;
  }
  return 20;
}

}  // namespace

TEST_CASE("the solver equals the enumeration of all trajectories on 200 random processes") {
  std::mt19937_64 engine(20260924);
  const std::vector<Gamma> gammas = all_gammas();
  int with_end = 0, with_kernel = 0;
  for (int k = 0; k < 200; ++k) {
    const bool kernel = k % 4 == 3;
    const Process<double> process = gammascope::test::random_process(
        engine, {.max_states = 4, .max_tokens = 3, .kernel = kernel});
    const std::int64_t length = length_for(process, k % 100 == 0 ? 1e5 : 1e3);
    INFO("process " << k << ", length " << length);
    const Truth truth(process, length);
    std::vector<std::int64_t> positions, sizes;
    for (std::int64_t t = 0; t < length; ++t) {
      positions.push_back(t);
      sizes.push_back(t + 1);
    }
    CHECK(worst_error(position_moments<double>(process, gammas, length, positions),
                      positions,
                      truth,
                      Kind::position) < 1e-12);
    CHECK(worst_error(window_moments<double>(process, gammas, length, sizes, WindowStart::zero),
                      sizes,
                      truth,
                      Kind::window) < 1e-12);
    CHECK(worst_error(window_moments<double>(process, gammas, length, sizes, WindowStart::all),
                      sizes,
                      truth,
                      Kind::window_all) < 1e-12);
    const auto horizon = horizon_moments<double>(process, gammas, length, sizes);
    CHECK(worst_error(horizon.moments, sizes, truth, Kind::horizon) < 1e-12);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const Sums* sums = truth.find({Kind::horizon, 0, sizes[i], 0});
      const double p = sums == nullptr ? 0.0 : static_cast<double>(sums->weight);
      CHECK(horizon.probability[i] == Approx(p).epsilon(1e-12).margin(1e-15));
      const auto second = horizon_second_moments<double>(process, length, sizes[i]);
      CHECK(second.empty() == (sums == nullptr));
      for (std::size_t j = 0; j < second.size(); ++j) {
        const Sums* x2 =
            truth.find({Kind::horizon_second, 0, sizes[i], static_cast<std::int64_t>(j) + 1});
        REQUIRE(x2 != nullptr);
        CHECK(second[j] == Approx(static_cast<double>(x2->first)).epsilon(1e-12).margin(1e-15));
      }
    }
    const auto profile = token_profile(process, length);
    for (std::int64_t t = 0; t < length; ++t) {
      const Sums* sums = truth.find({Kind::position, 0, t, 0});
      const double alive = sums == nullptr ? 0.0 : static_cast<double>(sums->weight);
      const auto i = static_cast<std::size_t>(t);
      CHECK(profile.alive[i] == Approx(alive).epsilon(1e-12).margin(1e-15));
      if (sums == nullptr) continue;
      // gamma = 0: A is X itself
      CHECK(profile.second_moment[i] ==
            Approx(static_cast<double>(sums->second / sums->weight + sums->first * sums->first))
                .epsilon(1e-12)
                .margin(1e-15));
    }
    with_end += process.end_state() ? 1 : 0;
    with_kernel += kernel ? 1 : 0;
  }
  CHECK(with_end > 50);
  CHECK(with_kernel == 50);
}

TEST_CASE("the comparison with the enumeration goes red on planted faults") {
  std::mt19937_64 engine(7);
  Process<double> process = gammascope::test::random_process(engine, {});
  while (!process.end_state() || process.nonzeros() < 4)
    process = gammascope::test::random_process(engine, {});
  const std::int64_t length = std::min<std::int64_t>(6, length_for(process, 3e3));
  const Truth truth(process, length);
  const std::vector<Gamma> gammas = all_gammas();
  const std::vector<std::int64_t> sizes{1, 2, 3};
  // Windows from the first token are no windows from all starts, horizons no windows.
  const auto zero = window_moments<double>(process, gammas, length, sizes, WindowStart::zero);
  CHECK(worst_error(zero, sizes, truth, Kind::window) < 1e-12);
  CHECK(worst_error(zero, sizes, truth, Kind::window_all) > 1e-6);
  CHECK(worst_error(zero, sizes, truth, Kind::horizon) > 1e-6);
  // A log-ratio off by one part in 1e9.
  std::vector<std::vector<Edge<double>>> rows(process.states());
  for (std::size_t s = 0; s < rows.size(); ++s) {
    rows[s].assign(process.row(s).begin(), process.row(s).end());
    for (auto& e : rows[s]) e.log_ratio *= 1 + 1e-9;
  }
  const Process<double> other(process.initial(), rows, process.end_state(), process.vocabulary());
  const auto off = window_moments<double>(other, gammas, length, sizes, WindowStart::zero);
  CHECK(worst_error(off, sizes, truth, Kind::window) > 1e-10);
}
