// SPDX-License-Identifier: MIT
// Two states that alternate at random: the variance grows linearly in the horizon (T2.9).
// Realisable: yes. Tests: tests/simulators/families/test_closed_forms.cpp
#pragma once

#include <cmath>

#include "analysis/core/gamma.hpp"
#include "simulators/families/family.hpp"

namespace gammascope::families {

/// Token 0 stays, token 1 changes the state; the student changes with probability leave0 from state
/// 0 and leave1 from state 1, the teacher with teacher0 and teacher1. Stationary start.
struct Ergodic {
  double leave0, leave1, teacher0, teacher1;

  [[nodiscard]] static double stay_ratio(double u, double w) {
    return std::log1p((u - w) / (1 - u));
  }
  [[nodiscard]] static double leave_ratio(double u, double w) { return std::log1p((w - u) / u); }
  /// E[X | state] = -KL
  [[nodiscard]] double drift(int state) const {
    const double u = state == 0 ? leave0 : leave1, w = state == 0 ? teacher0 : teacher1;
    return u * leave_ratio(u, w) + (1 - u) * stay_ratio(u, w);
  }
  /// Stationary probability of state 1.
  [[nodiscard]] double share1() const { return leave0 / (leave0 + leave1); }
  [[nodiscard]] double mean_drift() const { return drift(0) + share1() * (drift(1) - drift(0)); }
  /// Second eigenvalue of the chain.
  [[nodiscard]] double eigenvalue() const { return 1 - leave0 - leave1; }

  /// Stationary mean of the one-step variance when the state after next is worth `ahead` more in
  /// state 1 than in state 0 (discount included).
  [[nodiscard]] double step_variance(double ahead) const {
    const double gap0 = leave_ratio(leave0, teacher0) - stay_ratio(leave0, teacher0) + ahead;
    const double gap1 = leave_ratio(leave1, teacher1) - stay_ratio(leave1, teacher1) - ahead;
    return (1 - share1()) * leave0 * (1 - leave0) * gap0 * gap0 +
           share1() * leave1 * (1 - leave1) * gap1 * gap1;
  }
  /// mean_n(1) - mean_n(0) = (drift(1) - drift(0)) S(gamma eigenvalue, n)
  [[nodiscard]] double gap(Gamma gamma, long n) const {
    return (drift(1) - drift(0)) * power_sum(gamma.value() * eigenvalue(), n);
  }

  [[nodiscard]] double mean(Gamma gamma, long n) const {
    return mean_drift() * power_sum(gamma.value(), n);
  }
  /// sum_k gamma^(2k) step_variance(gamma gap(n - k - 1)) + share0 share1 gap(n)^2. Cost: O(n log
  /// n)
  [[nodiscard]] double variance(Gamma gamma, long n) const {
    const double g = gamma.value();
    double sum = 0, weight = 1;
    for (long k = 0; k < n; ++k) {
      sum += weight * step_variance(g * gap(gamma, n - k - 1));
      weight *= g * g;
    }
    const double start = gap(gamma, n);
    return sum + share1() * (1 - share1()) * start * start;
  }
  /// T2.9b, gamma < 1
  [[nodiscard]] double variance_infinite(Gamma gamma) const {
    const double g = gamma.value();
    const double gap = (drift(1) - drift(0)) / (1 - g * eigenvalue());
    return step_variance(g * gap) / (1 - g * g) + share1() * (1 - share1()) * gap * gap;
  }
  /// Var(A_N) / N as N -> infinity at gamma = 1 (T2.9a).
  [[nodiscard]] double clt_variance() const {
    return step_variance((drift(1) - drift(0)) / (1 - eigenvalue()));
  }
  /// |sd(A_N) - sqrt(N clt_variance)| <= 2 sd(h) for every N at gamma = 1 (T2.9a): this is sd(h).
  [[nodiscard]] double potential_sd() const {
    return std::sqrt(share1() * (1 - share1())) * std::abs(drift(1) - drift(0)) /
           (1 - eigenvalue());
  }

  [[nodiscard]] markov::Mixture build() const {
    return markov::Mixture(
        markov::Process<double>({1 - share1(), share1()},
                                {{{1 - leave0, stay_ratio(leave0, teacher0), 0, 0},
                                  {leave0, leave_ratio(leave0, teacher0), 1, 1}},
                                 {{1 - leave1, stay_ratio(leave1, teacher1), 1, 0},
                                  {leave1, leave_ratio(leave1, teacher1), 0, 1}}},
                                std::nullopt,
                                2));
  }

  [[nodiscard]] static Family family() {
    return {"ergodic",
            "two states that alternate at random: the variance grows linearly",
            {{"leave0", 0.1, 0, 1, false, "student's probability of leaving state 0"},
             {"leave1", 0.2, 0, 1, false, "student's probability of leaving state 1"},
             {"teacher0", 0.15, 0, 1, false, "teacher's probability of leaving state 0"},
             {"teacher1", 0.1, 0, 1, false, "teacher's probability of leaving state 1"}},
            true,
            [](const Values& v) {
              return Ergodic{v.at("leave0"), v.at("leave1"), v.at("teacher0"), v.at("teacher1")}
                  .build();
            }};
  }
};

}  // namespace gammascope::families
