// SPDX-License-Identifier: MIT
// Logs made on the spot, for tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/measure/sweep.hpp"

namespace gammascope::test {

using Log = std::vector<RolloutRecord>;

/// A hash with well-spread bits for small numbers (splitmix64).
[[nodiscard]] inline std::uint64_t spread(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// A response with the log-ratios `delta` (teacher -1, student -1 + delta), all tokens sampled.
[[nodiscard]] inline RolloutRecord response(const std::vector<double>& delta,
                                            std::uint64_t prompt,
                                            FinishReason finish = FinishReason::stop) {
  RolloutRecord r;
  for (const double d : delta) {
    r.teacher_logprob.push_back(-1.0F);
    r.student_logprob.push_back(static_cast<float>(-1.0 + d));
  }
  r.finish = finish;
  r.prompt_id = "p" + std::to_string(prompt);
  r.prompt_hash = spread(prompt);
  return r;
}

/// Random lengths (0 to `longest`), masks, turns, ends; about four responses a prompt. Log-ratios
/// are multiples of 2^-10, so adding a constant to both columns is exact.
[[nodiscard]] inline Log random_log(std::uint64_t seed, std::size_t rows, std::size_t longest) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.1, 0.5);
  const auto chance = [&](double p) { return static_cast<double>(random() >> 11) * 0x1p-53 < p; };
  const auto grid = [](double x) { return static_cast<float>(std::nearbyint(x * 1024) / 1024); };
  Log log(rows);
  for (RolloutRecord& r : log) {
    const std::uint64_t prompt = random() % (rows / 4 + 1);
    r.prompt_id = "p" + std::to_string(prompt);
    r.prompt_hash = spread(prompt);
    r.sample_id = static_cast<std::int64_t>(random() % 1000);
    const std::size_t length = random() % (longest + 1);
    const bool masked = chance(0.5);
    std::int32_t turn = 0;
    for (std::size_t t = 0; t < length; ++t) {
      const float teacher = grid(-2 + 0.3 * normal(random));
      r.teacher_logprob.push_back(teacher);
      r.student_logprob.push_back(grid(static_cast<double>(teacher) + normal(random)));
      if (masked) r.mask.push_back(chance(0.7) ? 1 : 0);
      turn += chance(0.2) ? 1 : 0;
      r.turn.push_back(turn);
    }
    r.finish = chance(0.6)   ? FinishReason::stop
               : chance(0.5) ? FinishReason::length
               : chance(0.5) ? FinishReason::abort
                             : FinishReason::unknown;
    r.masked_bad = chance(0.1) ? 1 : 0;
  }
  return log;
}

/// The log as a source for sweep(); the log must outlive it.
[[nodiscard]] inline std::function<bool(RolloutRecord&)> source(const Log& log) {
  return [&log, next = std::size_t{0}](RolloutRecord& record) mutable {
    if (next == log.size()) return false;
    record = log[next++];
    return true;
  };
}

[[nodiscard]] inline measure::Sweep swept(const Log& log,
                                          const measure::Plan& plan,
                                          unsigned threads = 1) {
  return measure::sweep(plan, source(log), threads);
}

}  // namespace gammascope::test
