// SPDX-License-Identifier: MIT
// The paper's tightness example: the credit of every token is the same random Z. It attains the
// bound of Theorem 3.3, but E Z = 0 breaks (OP), so no teacher has these log-ratios (theory 3a).
// Realisable: no. Tests: tests/simulators/families/test_closed_forms.cpp
#pragma once

#include "analysis/core/gamma.hpp"
#include "simulators/families/family.hpp"

namespace gammascope::families {

/// Z = +sigma or -sigma, each with probability 1/2, for the whole response.
struct Frozen {
  double sigma;  ///< nats

  /// sigma^2 S(gamma, n)^2; the mean is 0
  [[nodiscard]] double variance(Gamma gamma, long n) const {
    const double sum = power_sum(gamma.value(), n);
    return sigma * sigma * sum * sum;
  }
  /// sigma^2 / (1 - gamma)^2, gamma < 1
  [[nodiscard]] double variance_infinite(Gamma gamma) const {
    const double sum = 1 / (1 - gamma.value());
    return sigma * sigma * sum * sum;
  }
  [[nodiscard]] double sigma2() const { return sigma * sigma; }

  [[nodiscard]] markov::Mixture build() const {
    return markov::Mixture(markov::Process<double>(
        {0.5, 0.5}, {{{1.0, sigma, 0, 0}}, {{1.0, -sigma, 1, 0}}}, std::nullopt, 1));
  }

  [[nodiscard]] static Family family() {
    return {"frozen",
            "one random sign for the whole response; attains the bound, but is no teacher's",
            {{"sigma", 0.5, 0, 700, false, "size of the log-ratio at every token, nats"}},
            false,
            [](const Values& v) { return Frozen{v.at("sigma")}.build(); }};
  }
};

}  // namespace gammascope::families
