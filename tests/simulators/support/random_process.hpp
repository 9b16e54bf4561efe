// SPDX-License-Identifier: MIT
// Random small processes for tests: integer weights, some tokens never emitted, some processes with
// an end, some with a kernel, some with a teacher that puts mass outside.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "simulators/markov/process.hpp"

namespace gammascope::test {

struct RandomProcessOptions {
  std::size_t max_states = 4, max_tokens = 3;
  bool kernel = false;
};

inline std::size_t pick(std::mt19937_64& engine, std::size_t low, std::size_t high) {
  return low + engine() % (high - low + 1);
}

inline std::vector<double> random_row(std::mt19937_64& engine, std::size_t n, bool zeros) {
  std::vector<double> row(n);
  double sum = 0;
  do {
    sum = 0;
    for (double& w : row) {
      w = zeros && engine() % 5 == 0 ? 0.0 : static_cast<double>(pick(engine, 1, 20));
      sum += w;
    }
  } while (sum == 0);
  for (double& w : row) w /= sum;
  return row;
}

inline markov::Process<double> random_process(std::mt19937_64& engine,
                                              const RandomProcessOptions& options) {
  const std::size_t states = pick(engine, 1, options.max_states);
  const std::size_t tokens = pick(engine, 2, options.max_tokens);
  const bool ends = states > 1 && engine() % 2 == 0;
  std::optional<std::uint32_t> end;
  if (ends) end = static_cast<std::uint32_t>(states - 1);
  std::vector<double> initial = random_row(engine, ends ? states - 1 : states, true);
  initial.resize(states, 0.0);
  const double teacher_share = engine() % 3 == 0 ? 0.8 : 1.0;
  std::vector<std::vector<markov::Edge<double>>> rows(states);
  for (std::size_t s = 0; s < states; ++s) {
    if (end && s == *end) continue;
    const auto student = random_row(engine, tokens, true);
    const auto teacher = random_row(engine, tokens, false);
    for (std::size_t a = 0; a < tokens; ++a) {
      if (student[a] == 0) continue;
      const double x = std::log(teacher_share * teacher[a]) - std::log(student[a]);
      const auto token = static_cast<std::uint32_t>(a);
      const auto next = static_cast<std::uint32_t>(engine() % states);
      const auto other = static_cast<std::uint32_t>(engine() % states);
      if (options.kernel && other != next) {
        rows[s].push_back({student[a] * 0.25, x, next, token});
        rows[s].push_back({student[a] * 0.75, x, other, token});
      } else {
        rows[s].push_back({student[a], x, next, token});
      }
    }
  }
  return markov::Process<double>(std::move(initial), std::move(rows), end, tokens);
}

}  // namespace gammascope::test
