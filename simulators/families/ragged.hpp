// SPDX-License-Identifier: MIT
// Independent tokens with the same KL at every prefix, and a geometric length. All growth beyond
// the noise comes from the length: the drift among those alive does not vary, the stopped one does
// (theory 3c). Realisable: yes. Tests: tests/simulators/families/test_closed_forms.cpp
#pragma once

#include <cmath>

#include "analysis/core/gamma.hpp"
#include "simulators/families/family.hpp"

namespace gammascope::families {

/// Each token is one of two kinds, student (u, 1 - u), teacher (w, 1 - w), and independently the
/// last one with probability `stop`, for both alike. Tokens 0 and 1 go on, 2 and 3 end.
struct Ragged {
  double stop;
  double student;  ///< u
  double teacher;  ///< w

  /// Log-ratios of the two kinds, nats.
  [[nodiscard]] double first() const { return std::log1p((teacher - student) / student); }
  [[nodiscard]] double second() const { return std::log1p((student - teacher) / (1 - student)); }
  /// KL(student || teacher) at every prefix.
  [[nodiscard]] double kl() const { return -(student * first() + (1 - student) * second()); }
  /// Var(X | h) at every prefix.
  [[nodiscard]] double noise() const {
    const double gap = first() - second();
    return student * (1 - student) * gap * gap;
  }
  [[nodiscard]] double sigma2() const { return noise() + kl() * kl(); }
  /// P(T > t)
  [[nodiscard]] double alive(long t) const { return std::pow(1 - stop, static_cast<double>(t)); }

  /// Window of n tokens (or n left until the cut), from any t: -kl S(gamma r, n), r = 1 - stop
  [[nodiscard]] double mean(Gamma gamma, long n) const {
    return -kl() * power_sum(gamma.value() * (1 - stop), n);
  }
  /// noise S(gamma^2 r, n) + kl^2 Var(W), W = the sum of the weights of min(T, n) tokens, with
  /// Var(W) = sum_{j,k=1}^{n-1} gamma^(j+k) (P(T > max) - P(T > j) P(T > k)). Cost: O(n)
  [[nodiscard]] double variance(Gamma gamma, long n) const {
    const double g = gamma.value(), r = 1 - stop;
    double weights = 0, below = 0;  // below = sum_{0 < j < k} g^j (1 - r^j)
    double gk = 1, rk = 1;
    for (long k = 1; k < n; ++k) {
      gk *= g;
      rk *= r;
      weights += rk * gk * (gk * (1 - rk) + 2 * below);
      below += gk * (1 - rk);
    }
    return noise() * power_sum(g * g * r, n) + kl() * kl() * weights;
  }
  /// No cut, any gamma: noise / (1 - gamma^2 r) + kl^2 gamma^2 r stop / ((1 - gamma r)^2 (1 -
  /// gamma^2 r)); at gamma = 1 this is noise E T + kl^2 Var T.
  [[nodiscard]] double variance_infinite(Gamma gamma) const {
    const double g = gamma.value(), r = 1 - stop;
    const double weights = g * g * r * stop / ((1 - g * r) * (1 - g * r) * (1 - g * g * r));
    return noise() / (1 - g * g * r) + kl() * kl() * weights;
  }
  /// Exactly n tokens left, then the end: the length no longer varies.
  [[nodiscard]] double horizon_mean(Gamma gamma, long n) const {
    return -kl() * power_sum(gamma.value(), n);
  }
  [[nodiscard]] double horizon_variance(Gamma gamma, long n) const {
    return noise() * power_sum(gamma.value() * gamma.value(), n);
  }

  [[nodiscard]] markov::Process<double> process() const {
    const double go = 1 - stop;
    return {{1.0, 0.0},
            {{{student * go, first(), 0, 0},
              {(1 - student) * go, second(), 0, 1},
              {student * stop, first(), 1, 2},
              {(1 - student) * stop, second(), 1, 3}},
             {}},
            1u,
            4};
  }
  [[nodiscard]] markov::Mixture build() const { return markov::Mixture(process()); }

  [[nodiscard]] static Family family() {
    return {"ragged",
            "independent tokens, constant KL, geometric length: the length makes the variance grow",
            {{"stop", 0.01, 0, 1, false, "probability that a token is the last"},
             {"student", 0.5, 0, 1, false, "student's probability of the first kind of token"},
             {"teacher", 0.4, 0, 1, false, "teacher's"}},
            true,
            [](const Values& v) {
              return Ragged{v.at("stop"), v.at("student"), v.at("teacher")}.build();
            }};
  }
};

}  // namespace gammascope::families
