// SPDX-License-Identifier: MIT
// What the machine can do at best: the stream and the arithmetic that the rows are held against.
#include <cstddef>

#include <benchmark/benchmark.h>

#include "analysis/core/random.hpp"
#include "tests/bench/bench.hpp"

namespace gammascope::bench {

std::vector<float> logprobs(std::size_t count, std::uint64_t seed) {
  std::vector<float> column(count);
  for (std::size_t i = 0; i < count; i += 2) {
    const auto u = uniform_pair(seed, i, 0, 0);
    column[i] = static_cast<float>(-8.0 * u[0]);
    if (i + 1 < count) column[i + 1] = static_cast<float>(-8.0 * u[1]);
  }
  return column;
}

namespace {

/// Multiply and add on independent chains, in registers, as wide as this machine goes; not fused,
/// as everything in this project. 32 chains hide the latency of both.
constexpr std::size_t chains = 32;
constexpr std::size_t rounds = 65536;

[[gnu::always_inline]] inline void multiply_add(double* a, double g, double d) {
  typedef double Vector __attribute__((vector_size(32)));
  Vector v[chains / 4];
  for (std::size_t i = 0; i < chains; ++i) v[i / 4][i % 4] = a[i];
  for (std::size_t round = 0; round < rounds; ++round)
    for (Vector& x : v) x = x * g - d;
  for (std::size_t i = 0; i < chains; ++i) a[i] = v[i / 4][i % 4];
}
[[gnu::target("avx2")]] void multiply_add_avx2(double* a, double g, double d) {
  multiply_add(a, g, d);
}
void multiply_add_plain(double* a, double g, double d) { multiply_add(a, g, d); }

}  // namespace

void add_ceilings(Suite& suite) {
  // 1024 x 16384 would only repeat the same traffic: 2^22 tokens are 48 MiB, beyond the caches.
  constexpr std::size_t tokens = std::size_t{1} << 22;
  suite.timed.push_back({stream_ceiling,
                         "token",
                         static_cast<double>(tokens),
                         [s = logprobs(tokens, 1),
                          t = logprobs(tokens, 2),
                          a = std::vector<float>(tokens)]() mutable {
                           for (std::size_t i = 0; i < tokens; ++i) a[i] = t[i] - s[i];
                           benchmark::DoNotOptimize(a.data());
                           benchmark::ClobberMemory();
                         }});
  suite.timed.push_back({arithmetic_ceiling,
                         "multiply+add",
                         static_cast<double>(chains * rounds),
                         [a = std::vector<double>(chains, 0.5)]() mutable {
                           if (__builtin_cpu_supports("avx2"))
                             multiply_add_avx2(a.data(), 0.99, 0.01);
                           else
                             multiply_add_plain(a.data(), 0.99, 0.01);
                           benchmark::DoNotOptimize(a.data());
                           benchmark::ClobberMemory();
                         }});
}

}  // namespace gammascope::bench
