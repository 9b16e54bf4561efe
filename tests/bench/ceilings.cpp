// SPDX-License-Identifier: MIT
// What the machine can do at best: the stream and the arithmetic that the rows are held against.
#include <cstddef>

#include <benchmark/benchmark.h>

#include "analysis/core/random.hpp"
#include "tests/bench/bench.hpp"

namespace gammascope::bench {

Columns& columns() {
  static Columns all = [] {
    constexpr std::size_t tokens = Columns::rows * Columns::length;
    Columns made{
        std::vector<float>(tokens), std::vector<float>(tokens), std::vector<float>(tokens)};
    for (std::size_t i = 0; i < tokens; ++i) {
      const PhiloxBlock block = philox_block({static_cast<std::uint32_t>(i / 2), 0, 0, 0}, {1, 0});
      made.student[i] = -8.0f * static_cast<float>(block[i % 2]) * 0x1p-32f;
      made.teacher[i] = -8.0f * static_cast<float>(block[2 + i % 2]) * 0x1p-32f;
    }
    return made;
  }();
  return all;
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
  suite.timed.push_back(
      {stream_ceiling, "token", static_cast<double>(Columns::rows * Columns::length), [] {
         const float* const s = columns().student.data();
         const float* const t = columns().teacher.data();
         float* const a = columns().advantage.data();
         for (std::size_t i = 0; i < Columns::rows * Columns::length; ++i) a[i] = t[i] - s[i];
         benchmark::DoNotOptimize(a);
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
