// SPDX-License-Identifier: MIT
// Independent tokens with a power-law tail of rare, large log-ratios on the negative side, where
// all growth of the variance is (T2.1). Realisable: yes.
// Tests: tests/simulators/families/test_closed_forms.cpp
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "analysis/core/gamma.hpp"
#include "simulators/families/family.hpp"

namespace gammascope::families {

/// Level k = 1, …, levels has Delta = scale 2^(k-1) and student probability proportional to
/// 2^(-tail (k-1)), `rate` in total: P(Delta >= x) falls like x^-tail up to the last level. The
/// teacher's mass taken there goes to token 0, so teacher and student both sum to 1.
struct HeavyTailed {
  double rate, tail;
  double scale;  ///< nats
  int levels;

  [[nodiscard]] double probability(int level) const {
    const double step = std::exp2(-tail);
    return rate * std::pow(step, level - 1) / power_sum(step, levels);
  }
  [[nodiscard]] double log_ratio(int level) const {
    if (level > 0) return -scale * std::exp2(level - 1);
    double moved = 0;
    for (int k = 1; k <= levels; ++k) moved -= probability(k) * std::expm1(log_ratio(k));
    return std::log1p(moved / (1 - rate));
  }
  /// E X of one token, nats.
  [[nodiscard]] double drift() const {
    double sum = (1 - rate) * log_ratio(0);
    for (int k = 1; k <= levels; ++k) sum += probability(k) * log_ratio(k);
    return sum;
  }
  /// Var X of one token, nats^2.
  [[nodiscard]] double noise() const {
    const double m = drift();
    double sum = (1 - rate) * (log_ratio(0) - m) * (log_ratio(0) - m);
    for (int k = 1; k <= levels; ++k)
      sum += probability(k) * (log_ratio(k) - m) * (log_ratio(k) - m);
    return sum;
  }
  [[nodiscard]] double mean(Gamma gamma, long n) const {
    return drift() * power_sum(gamma.value(), n);
  }
  [[nodiscard]] double variance(Gamma gamma, long n) const {
    return noise() * power_sum(gamma.value() * gamma.value(), n);
  }

  [[nodiscard]] markov::Mixture build() const {
    std::vector<markov::Edge<double>> row{{1 - rate, log_ratio(0), 0, 0}};
    for (int k = 1; k <= levels; ++k)
      row.push_back({probability(k), log_ratio(k), 0, static_cast<std::uint32_t>(k)});
    std::vector<std::vector<markov::Edge<double>>> rows{std::move(row)};
    return markov::Mixture(markov::Process<double>(
        {1.0}, std::move(rows), std::nullopt, static_cast<std::size_t>(levels) + 1));
  }

  [[nodiscard]] static Family family() {
    return {"heavy_tailed",
            "independent tokens, rare large log-ratios with a power-law tail",
            {{"rate", 0.05, 0, 1, false, "student's probability of a token of the tail"},
             {"tail",
              2.5,
              0,
              20,
              false,
              "tail exponent; below 2 the largest level carries most of the variance"},
             {"scale", 0.5, 0, 10, false, "smallest log-ratio of the tail, nats"},
             {"levels", 8, 0, 16, true, "levels, each twice the size of the one before"}},
            true,
            [](const Values& v) {
              return HeavyTailed{
                  v.at("rate"), v.at("tail"), v.at("scale"), static_cast<int>(v.at("levels"))}
                  .build();
            }};
  }
};

}  // namespace gammascope::families
