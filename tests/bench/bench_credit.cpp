// SPDX-License-Identifier: MIT
// Credit: one gamma from float columns to a float column, and sixteen gammas with nothing stored.
#include <cmath>
#include <cstddef>
#include <memory>

#include <benchmark/benchmark.h>

#include "analysis/core/gamma.hpp"
#include "analysis/core/random.hpp"
#include "analysis/credit/credit_path.hpp"
#include "tests/bench/bench.hpp"

namespace gammascope::bench {
namespace {

/// A batch of rows laid end to end.
struct Batch {
  std::vector<float> student, teacher, advantage;
  std::vector<std::uint8_t> mask;     // empty: all ones
  std::vector<std::int32_t> turn;     // empty: not recorded
  std::vector<std::size_t> start{0};  // (rows + 1)

  void finish() {
    student = logprobs(start.back(), 1);
    teacher = logprobs(start.back(), 2);
    advantage.resize(start.back());
  }
  [[nodiscard]] std::size_t rows() const { return start.size() - 1; }
  [[nodiscard]] Rollout row(std::size_t r) const {
    const std::size_t from = start[r], length = start[r + 1] - from;
    Rollout rollout;
    rollout.student_logprob = std::span(student).subspan(from, length);
    rollout.teacher_logprob = std::span(teacher).subspan(from, length);
    if (!mask.empty()) rollout.mask = std::span(mask).subspan(from, length);
    if (!turn.empty()) rollout.turn = std::span(turn).subspan(from, length);
    return rollout;
  }
};

std::shared_ptr<Batch> equal_rows(std::size_t rows, std::size_t length) {
  auto batch = std::make_shared<Batch>();
  for (std::size_t r = 0; r < rows; ++r) batch->start.push_back(batch->start.back() + length);
  batch->finish();
  return batch;
}

std::shared_ptr<Batch> exponential_rows(std::size_t tokens, double mean) {
  auto batch = std::make_shared<Batch>();
  for (std::uint64_t r = 0; batch->start.back() < tokens; ++r) {
    const double length = 1 - mean * std::log1p(-uniform_pair(3, r, 0, 0)[0]);
    batch->start.push_back(batch->start.back() + static_cast<std::size_t>(length));
  }
  batch->finish();
  return batch;
}

/// Turns of 96 sampled tokens followed by 32 of the environment.
std::shared_ptr<Batch> masked_rows(std::size_t rows, std::size_t length) {
  auto batch = equal_rows(rows, length);
  for (std::size_t i = 0; i < rows * length; ++i) {
    batch->mask.push_back(i % 128 < 96);
    batch->turn.push_back(static_cast<std::int32_t>(i % length / 128));
  }
  return batch;
}

void one_gamma(Suite& suite,
               const std::string& name,
               std::shared_ptr<Batch> batch,
               Clock clock,
               double target) {
  const auto tokens = static_cast<double>(batch->start.back());
  suite.timed.push_back(
      {name,
       "token",
       tokens,
       [batch, clock, path = CreditPath{}, state = std::vector<double>{}]() mutable {
         const double gamma = 0.99;
         for (std::size_t r = 0; r < batch->rows(); ++r) {
           const Rollout rollout = batch->row(r);
           path.assign(rollout, clock);
           float* const out = batch->advantage.data() + batch->start[r];
           if (rollout.mask.empty()) {
             scan_credit(path,
                         std::span(&gamma, 1),
                         state,
                         [out](std::size_t t, std::span<const double> a) {
                           out[t] = static_cast<float>(a[0]);
                         });
           } else {
             std::size_t at = rollout.length();
             scan_credit(
                 path, std::span(&gamma, 1), state, [&](std::size_t, std::span<const double> a) {
                   do --at;
                   while (!rollout.counts(at));
                   out[at] = static_cast<float>(a[0]);
                 });
           }
         }
         benchmark::DoNotOptimize(batch->advantage.data());
         benchmark::ClobberMemory();
       }});
  suite.rows.push_back({name, stream_ceiling, {Target::Kind::share_at_least, target}});
}

}  // namespace

void add_credit(Suite& suite) {
  constexpr std::size_t tokens = std::size_t{1} << 22;
  one_gamma(suite, "credit 1 gamma, rows of 16384", equal_rows(256, 16384), Clock::skip, 0.75);
  one_gamma(suite, "credit 1 gamma, rows of 16000", equal_rows(256, 16000), Clock::skip, 0.75);
  one_gamma(suite,
            "credit 1 gamma, exponential rows of mean 200",
            exponential_rows(tokens, 200),
            Clock::skip,
            0.50);
  const auto masked = masked_rows(256, 16384);
  for (const Clock clock : {Clock::skip, Clock::count, Clock::reset, Clock::turn})
    one_gamma(suite,
              "credit 1 gamma, masked, clock " + std::string(gammascope::name(clock)),
              masked,
              clock,
              0.50);

  // Sixteen gammas, the last state kept so that the scan is not optimised away.
  const auto batch = equal_rows(64, 16384);
  std::vector<double> gammas;
  for (int i = 0; i < 16; ++i) gammas.push_back(1.0 - std::ldexp(0.5, -i));
  const std::string name = "credit 16 gammas, nothing stored";
  suite.timed.push_back(
      {name,
       "multiply+add",
       16.0 * static_cast<double>(batch->start.back()),
       [batch,
        grid = GammaGrid(gammas),
        path = CreditPath{},
        state = std::vector<double>{}]() mutable {
         for (std::size_t r = 0; r < batch->rows(); ++r) {
           path.assign(batch->row(r), Clock::skip);
           scan_credit(path, grid.padded(), state, [](std::size_t, std::span<const double>) {});
           benchmark::DoNotOptimize(state.data());
         }
       }});
  suite.rows.push_back({name, arithmetic_ceiling, {Target::Kind::share_at_least, 0.40}});
}

}  // namespace gammascope::bench
