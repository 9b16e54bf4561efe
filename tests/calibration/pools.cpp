// SPDX-License-Identifier: MIT
#include <cmath>

#include "tests/calibration/laws.hpp"

namespace gammascope::calibration {
namespace {

constexpr std::size_t responses = 1u << 16;

template <class Token>
std::shared_ptr<const Pool> make(const Run& run,
                                 const std::string& name,
                                 double phi,
                                 Token&& token) {
  auto pool = std::make_shared<Pool>();
  pool->name = name;
  pool->credit.resize(responses * Pool::cells);
  constexpr std::uint32_t chunk = 256;
  each_replicate(run, static_cast<std::uint32_t>(responses / chunk), [&](std::uint32_t part) {
    Draw draw(stream_of("pool of " + name), part);
    for (std::size_t i = 0; i < chunk; ++i) {
      double* out = pool->credit.data() + (part * chunk + i) * Pool::cells;
      double sum[Pool::gammas] = {}, weight[Pool::gammas] = {1, 1, 1, 1, 1};
      double x = token(draw) / std::sqrt(1 - phi * phi);  // stationary from the start
      std::size_t h = 0;
      for (int t = 1; t <= Pool::horizon[Pool::horizons - 1]; ++t) {
        for (std::size_t g = 0; g < Pool::gammas; ++g) {
          sum[g] += weight[g] * x;
          weight[g] *= Pool::gamma[g];
        }
        if (t == Pool::horizon[h]) {
          for (std::size_t g = 0; g < Pool::gammas; ++g) out[Pool::cell(g, h)] = sum[g];
          ++h;
        }
        x = phi * x + token(draw);
      }
    }
  });
  const auto count = static_cast<double>(responses);
  for (std::size_t c = 0; c < Pool::cells; ++c) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < responses; ++i) mean += pool->credit[i * Pool::cells + c] / count;
    for (std::size_t i = 0; i < responses; ++i) {
      double& a = pool->credit[i * Pool::cells + c];
      a -= mean;
      variance += a * a / count;
    }
    pool->variance[c] = variance;
  }
  return pool;
}

}  // namespace

Pools::Pools(const Run& run)
    : normal(make(run, "normal tokens", 0, [](Draw& d) { return d.normal(); })),
      t5(make(run, "t5 tokens", 0, [](Draw& d) { return d.student(5); })),
      lognormal(make(run, "log-normal tokens", 0, [](Draw& d) { return std::exp(d.normal()); })),
      ar(make(run, "AR .9 tokens", 0.9, [](Draw& d) { return d.normal(); })),
      ar_t5(make(run, "AR .9 t5 tokens", 0.9, [](Draw& d) { return d.student(5); })) {}

}  // namespace gammascope::calibration
