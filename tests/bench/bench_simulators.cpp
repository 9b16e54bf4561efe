// SPDX-License-Identifier: MIT
// The simulator beside its random numbers; the exact solver, whose time per edge visit must not
// grow with the process.
#include <array>
#include <cstddef>
#include <memory>

#include <benchmark/benchmark.h>

#include "analysis/core/random.hpp"
#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/sampler.hpp"
#include "tests/bench/bench.hpp"

namespace gammascope::bench {
namespace {

using markov::Edge;
using markov::Process;

/// Uneven student probabilities, token a of state s leading to a state far away.
Process<double> process(std::size_t states, std::size_t tokens) {
  std::vector<std::vector<Edge<double>>> rows(states);
  double total = 0;
  for (std::size_t a = 0; a < tokens; ++a) total += 1.0 / static_cast<double>(a + 1);
  for (std::size_t s = 0; s < states; ++s)
    for (std::size_t a = 0; a < tokens; ++a)
      rows[s].push_back({1.0 / static_cast<double>(a + 1) / total,
                         a % 2 == 0 ? 0.1 : -0.2,
                         static_cast<std::uint32_t>((s * 7919 + a * 104729 + 1) % states),
                         static_cast<std::uint32_t>(a)});
  std::vector<double> initial(states, 1.0 / static_cast<double>(states));
  return {std::move(initial), std::move(rows), std::nullopt, tokens};
}

void add_sampler(Suite& suite) {
  constexpr std::size_t responses = 64, length = 2048;
  const std::string philox = "ceiling: Philox4x32-10, half a block",
                    name = "simulator, 256 states x 32 tokens";
  suite.timed.push_back({philox, "token", static_cast<double>(responses * length), [] {
                           std::uint32_t sum = 0;
                           for (std::uint32_t t = 0; t < responses * length / 2; ++t)
                             for (const std::uint32_t word : philox_block({t, 1, 2, 3}, {4, 5}))
                               sum += word;
                           benchmark::DoNotOptimize(sum);
                         }});
  const auto sampler = std::make_shared<markov::Sampler>(
      markov::Mixture(process(256, 32)), static_cast<std::int64_t>(length), 1);
  suite.timed.push_back({name,
                         "token",
                         static_cast<double>(responses * length),
                         [sampler, record = RolloutRecord{}]() mutable {
                           for (std::uint32_t i = 0; i < responses; ++i) {
                             sampler->sample({"p", 77, i}, record);
                             benchmark::DoNotOptimize(record.student_logprob.data());
                           }
                         }});
  suite.rows.push_back({name, philox, {Target::Kind::share_at_least, 0.25}});
}

void add_solver(Suite& suite) {
  const auto add = [&](std::size_t states, std::int64_t steps) {
    const std::string name = "exact variance, " + std::to_string(states) + " states";
    const auto chain = std::make_shared<Process<double>>(process(states, 8));
    suite.timed.push_back({name,
                           "edge visit",
                           static_cast<double>(chain->nonzeros()) * static_cast<double>(steps),
                           [chain, steps] {
                             const std::array gamma{Gamma(0.99)};
                             const std::array window{steps};
                             auto table = markov::window_moments<double>(
                                 *chain, gamma, std::nullopt, window, markov::WindowStart::zero);
                             benchmark::DoNotOptimize(table);
                           }});
    return name;
  };
  const std::string small = add(1000, 256);
  suite.rows.push_back({add(10000, 64), small, {Target::Kind::times_at_most, 1.5}});
  suite.rows.push_back({add(100000, 16), small, {Target::Kind::times_at_most, 1.5}});
}

}  // namespace

void add_simulators(Suite& suite) {
  add_sampler(suite);
  add_solver(suite);
}

}  // namespace gammascope::bench
