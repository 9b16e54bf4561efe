// SPDX-License-Identifier: MIT
#include "tests/calibration/laws.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace gammascope::calibration {
namespace {

using Rows = std::vector<double>;
using std::numbers::e;

/// `value` for each of m rows, one independent of the other.
template <class Value>
Law independent(std::string name,
                Promise promise,
                double mean,
                double variance,
                Value value,
                std::size_t m = 4) {
  return {std::move(name), promise, mean, variance, [value, m](Draw& d, Rows& rows) {
            rows.resize(m);
            for (double& a : rows) a = value(d);
          }};
}

/// sqrt(icc) prompt + sqrt(1 - icc) rollout, both of variance 1.
template <class Prompt, class Rollout>
Law clustered(std::string name,
              Promise promise,
              double icc,
              Prompt prompt,
              Rollout rollout,
              std::size_t m = 4) {
  const double p = std::sqrt(icc), r = std::sqrt(1 - icc);
  return {std::move(name), promise, 0, 1, [=](Draw& d, Rows& rows) {
            const double effect = p * prompt(d);
            rows.resize(m);
            for (double& a : rows) a = effect + r * rollout(d);
          }};
}

Law pooled(std::string name,
           const std::shared_ptr<const Pool>& pool,
           std::size_t g,
           std::size_t h) {
  const std::size_t c = Pool::cell(g, h);
  return independent(std::move(name), Promise::light, 0, pool->variance[c], [pool, c](Draw& d) {
    return pool->response(d.index(pool->size()))[c];
  });
}

double normal(Draw& d) { return d.normal(); }
double unit_t5(Draw& d) { return d.student(5) / std::sqrt(5.0 / 3.0); }

Law random_rows() {  // each row present with a prompt's own probability
  return {"random rows, icc .5", Promise::light, 0, 1, [](Draw& d, Rows& rows) {
            const double present = d.uniform(), effect = std::sqrt(0.5) * d.normal();
            rows.clear();
            for (int j = 0; j < 4; ++j) {
              const double a = effect + std::sqrt(0.5) * d.normal();
              if (d.uniform() < present) rows.push_back(a);
            }
          }};
}

/// T geometric with mean 100, A | T normal with mean -.05 T and variance .25 T.
Law ragged() {
  const double p = 0.01, var_t = (1 - p) / (p * p);
  return independent("ragged geometric", Promise::light, -5, 25 + 0.0025 * var_t, [](Draw& d) {
    const double length = 1 + std::floor(std::log1p(-d.uniform()) / std::log(0.99));
    return -0.05 * length + 0.5 * std::sqrt(length) * d.normal();
  });
}

/// All windows of 32 in responses of 96 AR(1) .9 tokens at gamma .99, from a pool of responses.
Law windows(const Run& run) {
  constexpr std::size_t count = 4096, starts = 65, n = 32, tokens = 96;
  auto pool = std::make_shared<std::vector<double>>(count * starts);
  each_replicate(run, count, [&](std::uint32_t i) {
    Draw d(stream_of("pool of windows"), i);
    double x[tokens];
    x[0] = d.normal() / std::sqrt(1 - 0.81);
    for (std::size_t t = 1; t < tokens; ++t) x[t] = 0.9 * x[t - 1] + d.normal();
    for (std::size_t s = 0; s < starts; ++s) {
      double sum = 0;
      for (std::size_t k = n; k-- > 0;) sum = x[s + k] + 0.99 * sum;
      (*pool)[i * starts + s] = sum;
    }
  });
  const auto all = static_cast<double>(pool->size());
  double mean = 0, variance = 0;
  for (const double a : *pool) mean += a / all;
  for (double& a : *pool) {
    a -= mean;
    variance += a * a / all;
  }
  return {"AR .9 windows, gamma .99", Promise::light, 0, variance, [pool](Draw& d, Rows& rows) {
            rows.clear();
            for (int j = 0; j < 4; ++j) {
              const auto first =
                  pool->begin() + static_cast<std::ptrdiff_t>(d.index(count) * starts);
              rows.insert(rows.end(), first, first + starts);
            }
          }};
}

/// Like a distillation log: gamma .99, T geometric with mean 120 (cap 720); 80 % of the tokens
/// normal with sd .02, 20 % d (.35 e^{.8 Z} - .25), d = e^{.4 Z} of the prompt.
Law opd_like(const Run& run) {
  struct Parts {
    double noise, jumps;
  };
  constexpr std::size_t count = 1u << 16, chunk = 256;
  auto pool = std::make_shared<std::vector<Parts>>(count);
  each_replicate(run, count / chunk, [&](std::uint32_t part) {
    Draw d(stream_of("pool of opd-like"), part);
    for (std::size_t i = 0; i < chunk; ++i) {
      const int length = static_cast<int>(
          std::min(720.0, 1 + std::floor(std::log1p(-d.uniform()) / std::log1p(-1.0 / 120))));
      Parts sum{0, 0};
      double weight = 1;
      for (int t = 0; t < length; ++t, weight *= 0.99) {
        if (d.uniform() < 0.8)
          sum.noise += weight * 0.02 * d.normal();
        else
          sum.jumps += weight * (0.35 * std::exp(0.8 * d.normal()) - 0.25);
      }
      (*pool)[part * chunk + i] = sum;
    }
  });
  double n1 = 0, j1 = 0, n2 = 0, nj = 0, j2 = 0;
  for (const Parts& p : *pool) {
    n1 += p.noise / count;
    j1 += p.jumps / count;
    n2 += p.noise * p.noise / count;
    nj += p.noise * p.jumps / count;
    j2 += p.jumps * p.jumps / count;
  }
  const double d1 = std::exp(0.08), d2 = std::exp(0.32);  // moments of e^{.4 Z}
  const double mean = n1 + d1 * j1;
  return {"OPD-like, gamma .99",
          Promise::frozen,
          mean,
          n2 + 2 * d1 * nj + d2 * j2 - mean * mean,
          [pool](Draw& d, Rows& rows) {
            const double scale = std::exp(0.4 * d.normal());
            rows.resize(4);
            for (double& a : rows) {
              const Parts& p = (*pool)[d.index(pool->size())];
              a = p.noise + scale * p.jumps;
            }
          }};
}

}  // namespace

std::vector<Law> laws(const Pools& pools, const Run& run) {
  const double root_e = std::sqrt(e), sd_ln = std::sqrt((e - 1) * e);
  std::vector<Law> all;
  all.push_back(independent("normal", Promise::light, 0, 1, normal));
  all.push_back(pooled("t5 sum, gamma .9, 64 tokens", pools.t5, 2, 2));
  all.push_back(pooled("t5 sum, gamma .99, 256 tokens", pools.t5, 3, 4));
  all.push_back(pooled("t5 sum, gamma 1, 64 tokens", pools.t5, 4, 2));
  all.push_back(pooled("AR .9, gamma .9, 64 tokens", pools.ar, 2, 2));
  all.push_back(pooled("AR .9, gamma .99, 256 tokens", pools.ar, 3, 4));
  all.push_back(pooled("AR .9, gamma 1, 64 tokens", pools.ar, 4, 2));
  all.push_back(pooled("AR .9 t5, gamma .9, 64 tokens", pools.ar_t5, 2, 2));
  all.push_back(pooled("AR .9 t5, gamma .99, 256 tokens", pools.ar_t5, 3, 4));
  all.push_back(pooled("AR .9 t5, gamma 1, 64 tokens", pools.ar_t5, 4, 2));
  all.push_back(windows(run));
  all.push_back(clustered("icc .5", Promise::light, 0.5, normal, normal));
  all.push_back(clustered("icc .9", Promise::light, 0.9, normal, normal));
  all.push_back(ragged());
  all.push_back(random_rows());
  all.push_back(independent(
      "frozen t5", Promise::frozen, 0, 5.0 / 3.0, [](Draw& d) { return d.student(5); }));
  all.push_back(opd_like(run));
  all.push_back(
      independent("exponential", Promise::none, 1, 1, [](Draw& d) { return d.exponential(); }));
  all.push_back(clustered("icc .9, t5", Promise::none, 0.9, unit_t5, unit_t5));
  all.push_back(
      {"prompt scales e^{.6 Z}", Promise::none, 0, std::exp(0.72), [](Draw& d, Rows& rows) {
         const double scale = std::exp(0.6 * d.normal());
         rows.resize(4);
         for (double& a : rows) a = scale * d.normal();
       }});
  all.push_back(clustered(
      "exponential prompts icc .3, 16 rollouts",
      Promise::none,
      0.3,
      [](Draw& d) { return d.exponential() - 1; },
      normal,
      16));
  all.push_back(independent("log-normal tokens", Promise::none, 0, 1, [=](Draw& d) {
    return (std::exp(d.normal()) - root_e) / sd_ln;
  }));
  all.push_back(
      independent("frozen t4", Promise::none, 0, 2, [](Draw& d) { return d.student(4); }));
  all.push_back(
      independent("frozen t3", Promise::none, 0, 3, [](Draw& d) { return d.student(3); }));
  all.push_back(independent("1 % six times as large", Promise::none, 0, 1.35, [](Draw& d) {
    const double size = d.uniform() < 0.01 ? 6 : 1;
    return size * d.normal();
  }));
  all.push_back(
      independent("near-attaining, p = .01", Promise::none, -0.01, 0.01 * 0.99, [](Draw& d) {
        return d.uniform() < 0.01 ? -1.0 : 0.0;
      }));
  return all;
}

const Law& law(const std::vector<Law>& all, const std::string& name) {
  for (const Law& l : all)
    if (l.name == name) return l;
  throw std::out_of_range("no law called " + name);
}

}  // namespace gammascope::calibration
