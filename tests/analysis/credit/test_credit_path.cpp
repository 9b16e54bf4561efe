// SPDX-License-Identifier: MIT
#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include "analysis/core/geo.hpp"
#include "analysis/credit/credit_path.hpp"
#include "analysis/credit/discounted_advantage.hpp"

using namespace gammascope;

namespace {

RolloutRecord random_record(std::mt19937& rng, std::size_t length, bool masks) {
  std::normal_distribution<float> normal;
  RolloutRecord r;
  for (std::size_t t = 0; t < length; ++t) {
    r.student_logprob.push_back(-std::fabs(normal(rng)));
    r.teacher_logprob.push_back(-std::fabs(normal(rng)));
    if (masks) r.mask.push_back(rng() % 4 != 0);
    r.turn.push_back(static_cast<std::int32_t>(t / 7));
  }
  return r;
}

}  // namespace

TEST_CASE("a grid of gammas gives the bits of each gamma alone") {
  std::mt19937 rng(1);
  const std::vector<double> grid{0.0, 0.5, 0.9, 0.99, 1.0};
  for (const Clock clock : {Clock::skip, Clock::count, Clock::reset, Clock::turn}) {
    const RolloutRecord r = random_record(rng, 300, true);
    CreditPath path;
    path.assign(r.view(), clock);
    std::vector<double> state;
    std::vector<std::vector<double>> all(path.length());
    scan_credit(path, grid, state, [&](std::size_t t, std::span<const double> a) {
      all[t].assign(a.begin(), a.end());
    });
    for (std::size_t i = 0; i < grid.size(); ++i)
      scan_credit(path,
                  std::span<const double>(&grid[i], 1),
                  state,
                  [&](std::size_t t, std::span<const double> a) { REQUIRE(a[0] == all[t][i]); });
  }
}

TEST_CASE("a window is the credit of the response cut at its end") {
  std::mt19937 rng(2);
  const double gamma = 0.93;
  for (const Clock clock : {Clock::skip, Clock::count, Clock::reset, Clock::turn}) {
    const RolloutRecord r = random_record(rng, 120, true);
    CreditPath path;
    path.assign(r.view(), clock);
    std::vector<double> state;
    for (const std::size_t first : {0u, 3u, 40u})
      for (const std::size_t last : {41u, 60u, 80u}) {
        scan_credit(path,
                    first,
                    last,
                    std::span<const double>(&gamma, 1),
                    state,
                    [](std::size_t, std::span<const double>) {});
        double sum = 0, weight = 1;  // the definition, forwards, with powers: close, not equal
        for (std::size_t t = first; t < last; ++t) {
          sum -= weight * path.delta[t];
          if (path.spend[t] == CreditPath::cut) break;
          weight *= std::pow(gamma, path.spend[t]);
        }
        CHECK(std::fabs(state[0] - sum) < 1e-12);
      }
  }
}

TEST_CASE(
    "the sum of weights is geo for plain rows and the longest segment or the turns for the "
    "others") {
  RolloutRecord r;
  r.student_logprob.assign(6, -1.0f);
  r.teacher_logprob.assign(6, -1.0f);
  r.mask = {1, 1, 0, 1, 1, 1};
  r.turn = {0, 0, 0, 1, 1, 3};
  CreditPath path;
  path.assign(r.view(), Clock::skip);
  CHECK(std::fabs(weight_sum(path, 0, 5, 0.9) - geo(Gamma(0.9), Horizon{5})) < 1e-14);
  path.assign(r.view(), Clock::reset);
  CHECK(std::fabs(weight_sum(path, 0, 5, 0.9) - 1.9) < 1e-15);
  CHECK(std::fabs(weight_sum(path, 2, 5, 0.9) - 2.71) < 1e-15);
  path.assign(r.view(), Clock::turn);
  CHECK(std::fabs(weight_sum(path, 0, 5, 0.9) - (2 + 2 * 0.9 + 0.81)) < 1e-15);
}

TEST_CASE("an empty or fully masked response has no credit") {
  RolloutRecord r;
  CreditPath path;
  path.assign(r.view(), Clock::skip);
  CHECK(path.length() == 0);
  r.student_logprob = {-1.0f};
  r.teacher_logprob = {-1.0f};
  r.mask = {0};
  path.assign(r.view(), Clock::count);
  CHECK(path.length() == 0);
}
