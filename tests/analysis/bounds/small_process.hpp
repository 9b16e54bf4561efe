// SPDX-License-Identifier: MIT
// Small Markov token processes with the exact variance of A and every number that a bound takes,
// by recursions of their own (not those of simulators/, checked against tests/data/reference). All
// in nats; t and states 0-based. Extended precision: (OP) and the recursions hold to 1e-19, so
// that a ratio of 1 + 1e-12 means something.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace gammascope::test {

using Real = long double;

struct SmallProcess {
  struct Token {
    Real p;  ///< student probability
    Real x;  ///< log teacher - log student
    std::size_t next;
  };
  std::vector<std::vector<Token>> rows;  ///< [state]; the end state has none
  std::vector<Real> initial;
  std::optional<std::size_t> end;

  [[nodiscard]] std::size_t states() const { return rows.size(); }
};

using Distribution = std::vector<Real>;

/// Mass of the states one token later, the end state's mass removed.
inline Distribution step(const SmallProcess& process, const Distribution& d) {
  Distribution after(process.states(), 0.0);
  for (std::size_t s = 0; s < process.states(); ++s)
    for (const auto& token : process.rows[s]) after[token.next] += d[s] * token.p;
  if (process.end) after[*process.end] = 0.0;
  return after;
}

inline Real mass(const Distribution& d) {
  Real sum = 0;
  for (const Real p : d) sum += p;
  return sum;
}

inline Distribution normalised(Distribution d) {
  const Real sum = mass(d);
  for (Real& p : d) p /= sum;
  return d;
}

/// States before token t among responses alive there.
inline Distribution alive_at(const SmallProcess& process, std::size_t t) {
  Distribution d = process.initial;
  if (process.end) d[*process.end] = 0.0;
  for (std::size_t k = 0; k < t; ++k) d = step(process, d);
  return normalised(d);
}

/// States before the start when starts 0 … last count alike: a mixture with weights P(T > t).
inline Distribution alive_at_all(const SmallProcess& process, std::size_t last) {
  Distribution d = process.initial, sum(process.states(), 0.0);
  if (process.end) d[*process.end] = 0.0;
  for (std::size_t t = 0; t <= last; ++t, d = step(process, d))
    for (std::size_t s = 0; s < d.size(); ++s) sum[s] += d[s];
  return normalised(sum);
}

/// What the bounds take, without gamma: largest over the N positions of the sum, in the population
/// alive at its start, with everything 0 after the end.
struct Claims {
  Real sigma2 = 0, v = 0, d2 = 0;
  Real d2_among_alive = 0;  ///< the wrong d2 of theory 3c
  Real c = 0;               ///< largest Delta of any token that can be drawn, at least 0
};

inline Claims claims(const SmallProcess& process, Distribution d, std::size_t n) {
  Claims claims;
  for (const auto& row : process.rows)
    for (const auto& token : row) claims.c = std::max(claims.c, -token.x);
  for (std::size_t k = 0; k < n; ++k, d = step(process, d)) {
    Real second = 0, noise = 0, drift_mean = 0;
    std::vector<Real> drift(process.states(), 0.0);
    for (std::size_t s = 0; s < process.states(); ++s) {
      for (const auto& token : process.rows[s]) drift[s] += token.p * token.x;
      for (const auto& token : process.rows[s]) {
        second += d[s] * token.p * token.x * token.x;
        noise += d[s] * token.p * (token.x - drift[s]) * (token.x - drift[s]);
      }
      drift_mean += d[s] * drift[s];
    }
    const Real alive = mass(d);
    Real stopped = (1.0 - alive) * drift_mean * drift_mean, among_alive = 0;
    for (std::size_t s = 0; s < process.states(); ++s) {
      stopped += d[s] * (drift[s] - drift_mean) * (drift[s] - drift_mean);
      if (alive > 0) {
        const Real gap = drift[s] - drift_mean / alive;
        among_alive += d[s] / alive * gap * gap;
      }
    }
    claims.sigma2 = std::max(claims.sigma2, second);
    claims.v = std::max(claims.v, noise);
    claims.d2 = std::max(claims.d2, stopped);
    claims.d2_among_alive = std::max(claims.d2_among_alive, among_alive);
  }
  return claims;
}

/// Mean and variance of the sum of at most n tokens from d, and the largest -A there is.
struct Sum {
  Real mean = 0, variance = 0, largest_loss = 0;
};

inline Sum exact_sum(const SmallProcess& process,
                     const Distribution& d,
                     Real gamma,
                     std::size_t n) {
  const std::size_t states = process.states();
  std::vector<Real> mean(states, 0.0), variance(states, 0.0), loss(states, 0.0);
  auto mean_before = mean, variance_before = variance, loss_before = loss;
  for (std::size_t k = 0; k < n; ++k) {
    mean_before.swap(mean), variance_before.swap(variance), loss_before.swap(loss);
    for (std::size_t s = 0; s < states; ++s) {
      Real m = 0, v = 0, worst = process.rows[s].empty() ? Real{0} : Real{-1e300};
      for (const auto& token : process.rows[s]) {
        m += token.p * (token.x + gamma * mean_before[token.next]);
        worst = std::max(worst, -token.x + gamma * loss_before[token.next]);
      }
      for (const auto& token : process.rows[s]) {
        const Real gap = token.x + gamma * mean_before[token.next] - m;
        v += token.p * (gap * gap + gamma * gamma * variance_before[token.next]);
      }
      mean[s] = m, variance[s] = v, loss[s] = worst;
    }
  }
  Sum sum;
  for (std::size_t s = 0; s < states; ++s) {
    sum.mean += d[s] * mean[s];
    if (d[s] > 0) sum.largest_loss = std::max(sum.largest_loss, loss[s]);
  }
  for (std::size_t s = 0; s < states; ++s)
    sum.variance += d[s] * (variance[s] + (mean[s] - sum.mean) * (mean[s] - sum.mean));
  return sum;
}

/// By horizon: the token with exactly n tokens left before the end, over all starts (responses of
/// at most max_length tokens). Its variance, and the sigma2 of that population: max over k <= n of
/// E[X^2 of the token with k left | such a token exists, ended].
struct HorizonFacts {
  Real probability = 0, variance = 0, sigma2 = 0;
};

inline HorizonFacts by_horizon(const SmallProcess& process,
                               Real gamma,
                               std::size_t n,
                               std::size_t max_length) {
  const std::size_t states = process.states();
  // ends[k][s]: probability to end with exactly k more tokens.
  std::vector<std::vector<Real>> ends(n + 1, std::vector<Real>(states, 0.0));
  ends[0][process.end.value()] = 1.0;
  for (std::size_t k = 1; k <= n; ++k)
    for (std::size_t s = 0; s < states; ++s)
      for (const auto& token : process.rows[s]) ends[k][s] += token.p * ends[k - 1][token.next];
  std::vector<Real> mean(states, 0.0), variance(states, 0.0);
  for (std::size_t k = 1; k <= n; ++k) {
    std::vector<Real> m(states, 0.0), v(states, 0.0);
    for (std::size_t s = 0; s < states; ++s) {
      if (!(ends[k][s] > 0)) continue;
      for (const auto& token : process.rows[s])
        m[s] +=
            token.p * ends[k - 1][token.next] / ends[k][s] * (token.x + gamma * mean[token.next]);
      for (const auto& token : process.rows[s]) {
        const Real gap = token.x + gamma * mean[token.next] - m[s];
        v[s] += token.p * ends[k - 1][token.next] / ends[k][s] *
                (gap * gap + gamma * gamma * variance[token.next]);
      }
    }
    mean.swap(m), variance.swap(v);
  }
  Distribution d = process.initial, weight(states, 0.0);
  d[*process.end] = 0.0;
  for (std::size_t t = 0; t + n <= max_length; ++t, d = step(process, d))
    for (std::size_t s = 0; s < states; ++s) weight[s] += d[s] * ends[n][s];
  HorizonFacts facts;
  facts.probability = mass(weight);
  if (!(facts.probability > 0)) return facts;
  weight = normalised(weight);
  Real grand = 0;
  for (std::size_t s = 0; s < states; ++s) grand += weight[s] * mean[s];
  for (std::size_t s = 0; s < states; ++s)
    facts.variance += weight[s] * (variance[s] + (mean[s] - grand) * (mean[s] - grand));
  for (std::size_t k = n; k >= 1; --k) {
    Distribution after(states, 0.0);
    Real second = 0;
    for (std::size_t s = 0; s < states; ++s) {
      if (!(weight[s] > 0)) continue;
      for (const auto& token : process.rows[s]) {
        const Real p = weight[s] * token.p * ends[k - 1][token.next] / ends[k][s];
        second += p * token.x * token.x;
        after[token.next] += p;
      }
    }
    facts.sigma2 = std::max(facts.sigma2, second);
    weight = after;
  }
  return facts;
}

}  // namespace gammascope::test
