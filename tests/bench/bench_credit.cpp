// SPDX-License-Identifier: MIT
// Credit: one gamma from float columns to a float column, and sixteen gammas with nothing stored.
#include <cmath>
#include <cstddef>
#include <memory>

#include <benchmark/benchmark.h>

#include "analysis/core/gamma.hpp"
#include "analysis/core/random.hpp"
#include "analysis/credit/advantage_batch.hpp"
#include "analysis/credit/credit_path.hpp"
#include "tests/bench/bench.hpp"

namespace gammascope::bench {
namespace {

/// How the shared columns are cut into rows.
struct Cut {
  std::vector<std::size_t> start{0};  // (rows + 1)
  std::vector<std::uint8_t> mask;     // empty: all ones
  std::vector<std::int32_t> turn;     // empty: not recorded

  [[nodiscard]] std::size_t rows() const { return start.size() - 1; }
  [[nodiscard]] std::size_t tokens() const { return start.back(); }
};

std::shared_ptr<Cut> equal_rows(std::size_t rows, std::size_t length) {
  auto cut = std::make_shared<Cut>();
  for (std::size_t r = 0; r < rows; ++r) cut->start.push_back(cut->start.back() + length);
  return cut;
}

std::shared_ptr<Cut> exponential_rows(double mean) {
  auto cut = std::make_shared<Cut>();
  for (std::uint64_t r = 0;; ++r) {
    const double length = 1 - mean * std::log1p(-uniform_pair(3, r, 0, 0)[0]);
    const std::size_t end = cut->start.back() + static_cast<std::size_t>(length);
    if (end > Columns::rows * Columns::length) return cut;
    cut->start.push_back(end);
  }
}

/// Turns of 96 sampled tokens followed by 32 of the environment.
std::shared_ptr<Cut> masked_rows(std::size_t rows, std::size_t length) {
  auto cut = equal_rows(rows, length);
  for (std::size_t i = 0; i < cut->tokens(); ++i) {
    cut->mask.push_back(i % 128 < 96);
    cut->turn.push_back(static_cast<std::int32_t>(i % length / 128));
  }
  return cut;
}

void one_gamma(Suite& suite,
               const std::string& name,
               const std::shared_ptr<Cut>& cut,
               Clock clock,
               double target) {
  suite.timed.push_back({name, "token", static_cast<double>(cut->tokens()), [cut, clock] {
                           Columns& all = columns();
                           const std::size_t tokens = cut->tokens();
                           discounted_advantage(FlatBatch{std::span(all.student).first(tokens),
                                                          std::span(all.teacher).first(tokens),
                                                          cut->mask,
                                                          cut->turn,
                                                          cut->start},
                                                Gamma(0.99),
                                                clock,
                                                std::span(all.advantage).first(tokens));
                           benchmark::DoNotOptimize(all.advantage.data());
                           benchmark::ClobberMemory();
                         }});
  suite.rows.push_back({name, stream_ceiling, {Target::Kind::share_at_least, target}});
}

}  // namespace

void add_credit(Suite& suite) {
  one_gamma(suite, "credit 1 gamma, rows of 16384", equal_rows(1024, 16384), Clock::skip, 0.75);
  one_gamma(suite, "credit 1 gamma, rows of 16000", equal_rows(1024, 16000), Clock::skip, 0.75);
  one_gamma(suite,
            "credit 1 gamma, exponential rows of mean 200",
            exponential_rows(200),
            Clock::skip,
            0.50);
  const auto masked = masked_rows(1024, 16384);
  for (const Clock clock : {Clock::skip, Clock::count, Clock::reset, Clock::turn})
    one_gamma(suite,
              "credit 1 gamma, masked, clock " + std::string(gammascope::name(clock)),
              masked,
              clock,
              0.50);

  // Sixteen gammas; the last state is read, so that the scan is not optimised away.
  constexpr std::size_t rows = 64;
  const std::string name = scan_row;
  std::vector<double> gammas;
  for (int i = 0; i < 16; ++i) gammas.push_back(1.0 - std::ldexp(0.5, -i));
  suite.timed.push_back(
      {name,
       "multiply+add",
       16.0 * static_cast<double>(rows * Columns::length),
       [grid = GammaGrid(gammas), path = CreditPath{}, state = std::vector<double>{}]() mutable {
         for (std::size_t r = 0; r < rows; ++r) {
           Rollout row;
           const auto from = r * Columns::length;
           row.student_logprob = std::span(columns().student).subspan(from, Columns::length);
           row.teacher_logprob = std::span(columns().teacher).subspan(from, Columns::length);
           path.assign(row, Clock::skip);
           scan_credit(path, grid.padded(), state, [](std::size_t, std::span<const double>) {});
           benchmark::DoNotOptimize(state.data());
         }
       }});
  suite.rows.push_back({name, arithmetic_ceiling, {Target::Kind::share_at_least, 0.40}});
}

}  // namespace gammascope::bench
