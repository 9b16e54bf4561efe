// SPDX-License-Identifier: MIT
// Exact facts about single tokens, position by position, and the inputs that the bounds take from
// them (theory sections 3, 3b, 3c, 3e). Tests: tests/simulators/markov/test_token_profile.cpp
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "simulators/markov/backward_moments.hpp"
#include "simulators/markov/process.hpp"
#include "simulators/markov/state_flow.hpp"

namespace gammascope::markov {

/// Index t, 0-based, t < max_length. With X = log teacher - log student of token t, D = E[X | h_t]
/// (minus the KL at that prefix) and M = X - D; among the responses with T > t. Vectors other than
/// `alive` stop where no response can be alive.
template <class Real>
struct TokenProfile {
  std::vector<Real> alive;  ///< P(T > t); max_length entries, 0 where no response can be alive
  std::vector<Real> mean_log_ratio;  ///< E X_t = -E KL(student || teacher)(h_t), nats
  std::vector<Real> second_moment;   ///< E X_t^2: sigma2 of theory section 1
  std::vector<Real> noise_variance;  ///< E Var(X_t | h_t)
  std::vector<Real> drift_variance;  ///< Var(E[X_t | h_t]) among those alive: not a d2 for the
                                     ///< drift bound when responses can end (theory 3c)
  std::vector<Real> max_log_ratio;   ///< the largest Delta = -X that can occur, nats

  /// Positions with a response.
  [[nodiscard]] std::size_t size() const noexcept { return mean_log_ratio.size(); }
};

namespace detail {

/// What one token from a state is like.
template <class Real>
struct StateFacts {
  Real drift{0}, noise{0}, second{0}, largest{0};
};

template <class Real>
[[nodiscard]] StateFacts<Real> state_facts(std::span<const Edge<Real>> row) {
  StateFacts<Real> facts;
  if (row.empty()) return facts;
  facts.largest = -row.front().log_ratio;
  for (const Edge<Real>& e : row) {
    facts.drift += e.probability * e.log_ratio;
    facts.second += e.probability * (e.log_ratio * e.log_ratio);
    if (-e.log_ratio > facts.largest) facts.largest = -e.log_ratio;
  }
  if (is_minus_infinity(facts.drift)) {
    facts.noise = std::numeric_limits<Real>::infinity();
    return facts;
  }
  for (const Edge<Real>& e : row) {
    const Real gap = e.log_ratio - facts.drift;
    facts.noise += e.probability * (gap * gap);
  }
  return facts;
}

}  // namespace detail

/// Cost: O(max_length * nonzeros) time, O(max_length + states) memory
template <class Real>
[[nodiscard]] TokenProfile<Real> token_profile(const Process<Real>& process,
                                               std::int64_t max_length) {
  std::vector<detail::StateFacts<Real>> facts;
  std::vector<Real> drift;
  for (std::size_t s = 0; s < process.states(); ++s) {
    facts.push_back(detail::state_facts(process.row(s)));
    drift.push_back(facts.back().drift);
  }
  const std::vector<Real> none(process.states(), Real{0});
  TokenProfile<Real> profile;
  StateFlow<Real> flow(process);
  for (; flow.t() < max_length; flow.advance()) {
    profile.alive.push_back(flow.any() ? flow.alive() : Real{0});
    if (!flow.any()) continue;
    const auto& d = flow.distribution();
    Real total{0}, second{0}, noise{0};
    std::optional<Real> delta;
    for (std::size_t s = 0; s < facts.size(); ++s) {
      if (d[s] == Real{0}) continue;
      total += d[s];
      second += d[s] * facts[s].second;
      noise += d[s] * facts[s].noise;
      if (!delta || facts[s].largest > *delta) delta = facts[s].largest;
    }
    const Moments<Real> drifts = mix(d, drift, none);
    profile.mean_log_ratio.push_back(drifts.mean);
    profile.drift_variance.push_back(drifts.variance);
    profile.second_moment.push_back(second / total);
    profile.noise_variance.push_back(noise / total);
    profile.max_log_ratio.push_back(*delta);
  }
  return profile;
}

/// max over tau in [t, t + n) of `values`, as far as responses can be alive: with second_moment the
/// sigma2 of a window of n tokens from t, with max_log_ratio its c, with noise_variance its v.
/// Precondition: t < values.size(), n >= 1.
template <class Real>
[[nodiscard]] Real largest_in(const std::vector<Real>& values, std::size_t t, std::size_t n) {
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), t + n));
  return *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(t), end);
}

/// sigma2 = max_t E[X_t^2 | T > t], the sigma2 of Theorem 3.3 by position, window and infinite.
template <class Real>
[[nodiscard]] Real sigma2_max(const TokenProfile<Real>& profile) {
  return largest_in(profile.second_moment, 0, profile.size());
}

/// Var(D_tau 1[T > tau] | T > t), the population of theory 3c, where alive_tau / alive_t = a:
/// a Var(D | T > tau) + a (1 - a) E[D | T > tau]^2. Precondition: t <= tau < profile.size().
template <class Real>
[[nodiscard]] Real stopped_drift_variance(const TokenProfile<Real>& profile,
                                          std::size_t t,
                                          std::size_t tau) {
  const Real a = profile.alive[t] > Real{0} ? Real(profile.alive[tau] / profile.alive[t]) : Real{1};
  const Real& mean = profile.mean_log_ratio[tau];
  if (is_minus_infinity(mean)) return std::numeric_limits<Real>::infinity();
  return a * profile.drift_variance[tau] + a * (Real{1} - a) * (mean * mean);
}

/// d2 of the drift bound (theory 3c) for the credit of token t over n tokens: the largest stopped
/// drift variance over tau in [t, t + n). Precondition: t < profile.size(). Cost: O(n)
template <class Real>
[[nodiscard]] Real stopped_drift_variance_from(const TokenProfile<Real>& profile,
                                               std::size_t t,
                                               std::size_t n) {
  Real largest{0};
  for (std::size_t tau = t; tau < std::min(profile.size(), t + n); ++tau)
    largest = std::max(largest, stopped_drift_variance(profile, t, tau));
  return largest;
}

/// The same over every t <= tau: a d2 that serves all positions and windows. For one tau the value
/// is concave in a = alive_tau / alive_t, which grows with t, so it is largest beside a* =
/// (V + m^2) / (2 m^2): one binary search a tau. Cost: O(max_length log max_length)
template <class Real>
[[nodiscard]] Real stopped_drift_variance_max(const TokenProfile<Real>& profile) {
  Real largest{0};
  for (std::size_t tau = 0; tau < profile.size(); ++tau) {
    const Real& mean = profile.mean_log_ratio[tau];
    if (is_minus_infinity(mean)) return std::numeric_limits<Real>::infinity();
    std::size_t low = 0, high = tau;  // the first t whose a is at or beyond a*, tau if none
    while (low < high) {
      const std::size_t t = low + (high - low) / 2;
      const Real beyond = Real{2} * (mean * mean) * profile.alive[tau];
      const Real top = (profile.drift_variance[tau] + mean * mean) * profile.alive[t];
      if (beyond >= top)
        high = t;
      else
        low = t + 1;
    }
    largest = std::max(largest, stopped_drift_variance(profile, low, tau));
    if (low > 0) largest = std::max(largest, stopped_drift_variance(profile, low - 1, tau));
  }
  return largest;
}

/// Sum of X over the tokens of all responses / their number: minus the KL per token that a log
/// shows. Cost: O(max_length)
template <class Real>
[[nodiscard]] Real mean_token_log_ratio(const TokenProfile<Real>& profile) {
  Real sum{0}, tokens{0};
  for (std::size_t t = 0; t < profile.size(); ++t) {
    if (profile.alive[t] == Real{0}) continue;
    sum += profile.alive[t] * profile.mean_log_ratio[t];
    tokens += profile.alive[t];
  }
  return sum / tokens;
}

/// max over reachable states of E[exp(X) | h_t]: at most 1 for every student-teacher pair (OP,
/// theory 3a), so a larger value says that no teacher has these log-ratios. Floating Real only.
template <class Real>
[[nodiscard]] Real largest_teacher_mass(const Process<Real>& process) {
  using std::exp;
  const std::vector<bool> reachable = reachable_states(process);
  Real largest{0};
  for (std::size_t s = 0; s < process.states(); ++s) {
    if (!reachable[s]) continue;
    Real mass{0};
    for (const Edge<Real>& e : process.row(s)) mass += e.probability * exp(e.log_ratio);
    if (mass > largest) largest = mass;
  }
  return largest;
}

}  // namespace gammascope::markov
