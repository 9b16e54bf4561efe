// SPDX-License-Identifier: MIT
#include "simulators/markov/gradient_variance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gammascope::markov {

const char* name(GradientBaseline baseline) noexcept {
  switch (baseline) {
    case GradientBaseline::position:
      return "position";
    case GradientBaseline::value:
      return "value";
    case GradientBaseline::none:
      break;
  }
  return "none";
}

GradientScores gradient_scores(const GradientMoments<double>& at_gamma,
                               const GradientMoments<double>& at_one,
                               double batch) {
  if (!(batch > 0)) throw std::invalid_argument("a batch has at least one response");
  if (at_gamma.mean.size() != at_one.mean.size())
    throw std::invalid_argument("gradients of different processes");
  double inner = 0, bias2 = 0;
  for (std::size_t i = 0; i < at_gamma.mean.size(); ++i) {
    inner += at_gamma.mean[i] * at_one.mean[i];
    const double gap = at_gamma.mean[i] - at_one.mean[i];
    bias2 += gap * gap;
  }
  const double here = at_gamma.norm2(), one = at_one.norm2();
  const double noise = at_gamma.trace_cov / batch;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const double kept = std::max(0.0, inner);
  GradientScores scores{};
  scores.bias2 = bias2;
  scores.cosine = here > 0 && one > 0 ? inner / (std::sqrt(here) * std::sqrt(one)) : nan;
  scores.alignment = one > 0 ? (here + noise > 0 ? kept / one * (kept / (here + noise)) : 0) : nan;
  scores.mse = bias2 + noise;
  return scores;
}

}  // namespace gammascope::markov
