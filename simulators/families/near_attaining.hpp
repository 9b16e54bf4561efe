// SPDX-License-Identifier: MIT
// The pair that comes as near as one likes to the bound of Theorem 3.3 without attaining it (theory
// 3a). Realisable: yes. Tests: tests/simulators/families/test_closed_forms.cpp
#pragma once

#include <cmath>

#include "analysis/core/gamma.hpp"
#include "simulators/families/family.hpp"

namespace gammascope::families {

/// With probability p the response is in state b for ever: one token, student 1, teacher exp(-c)
/// (the rest on a token that the student never emits); else in state o, where both agree.
/// So X = -c or 0 for the whole response, whatever t.
struct NearAttaining {
  double p;
  double c;  ///< nats

  /// -p c S(gamma, n)
  [[nodiscard]] double mean(Gamma gamma, long n) const {
    return -p * c * power_sum(gamma.value(), n);
  }
  /// p (1 - p) c^2 S(gamma, n)^2, theory 3a: sigma2 S^2 (1 - p)
  [[nodiscard]] double variance(Gamma gamma, long n) const {
    const double sum = power_sum(gamma.value(), n);
    return p * (1 - p) * c * c * sum * sum;
  }
  /// The same without a cut, gamma < 1.
  [[nodiscard]] double variance_infinite(Gamma gamma) const {
    const double sum = 1 / (1 - gamma.value());
    return p * (1 - p) * c * c * sum * sum;
  }
  /// E X^2 = p c^2
  [[nodiscard]] double sigma2() const { return p * c * c; }

  [[nodiscard]] markov::Mixture build() const {
    return markov::Mixture(markov::Process<double>(
        {p, 1 - p}, {{{1.0, -c, 0, 0}}, {{1.0, 0.0, 1, 0}}}, std::nullopt, 2));
  }

  [[nodiscard]] static Family family() {
    return {"near_attaining",
            "a rare response that the teacher dislikes at every token; nears the bound as p -> 0",
            {{"p", 0.01, 0, 1, false, "probability of the rare response"},
             {"c", 5, 0, 700, false, "its log-ratio Delta at every token, nats"}},
            true,
            [](const Values& v) {
              return NearAttaining{v.at("p"), v.at("c")}.build();
            }};
  }
};

}  // namespace gammascope::families
