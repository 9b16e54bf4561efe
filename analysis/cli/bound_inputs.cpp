// SPDX-License-Identifier: MIT
#include "analysis/cli/bound_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace gammascope::cli {

void BoundInputs::add(const RolloutRecord& r) {
  const Rollout view = r.view();
  const bool kl = r.prefix_kl.size() == view.length();
  ++rollouts_;
  if (!kl && view.length() > 0) ++without_kl_;
  const auto put = [&](stats::ExactMoments& sums, double x) {
    if (!stats::ExactMoments::in_range(x))
      beyond_ = true;
    else
      sums.add(x);
  };
  std::size_t t = 0;
  for (std::size_t i = 0; i < view.length(); ++i) {
    if (!view.counts(i)) continue;
    if (t == positions_.size()) positions_.emplace_back();
    Position& p = positions_[t++];
    const double x = -view.delta(i);
    put(p.x, x);
    max_delta_ = std::max(max_delta_.value_or(-x), -x);
    if (!kl) continue;
    if (!std::isfinite(r.prefix_kl[i])) {  // a number that is missing is no number that is small
      ++without_kl_;
      continue;
    }
    const auto kl_here = static_cast<double>(r.prefix_kl[i]);
    put(p.noise, x + kl_here);
    put(p.drift, -kl_here);
  }
}

template <class Use>
double BoundInputs::largest(std::int64_t n, Use&& use) const {
  double most = 0;
  for (std::size_t t = 0; t < positions_.size() && static_cast<std::int64_t>(t) < n; ++t)
    most = std::max(most, use(positions_[t]));
  return most;
}

std::optional<double> BoundInputs::sigma2(std::int64_t n) const {
  if (beyond_) return std::nullopt;
  std::optional<double> most;
  for (std::size_t t = 0; t < positions_.size() && static_cast<std::int64_t>(t) < n; ++t)
    if (positions_[t].x.count() >= 8)
      most = std::max(most.value_or(0), positions_[t].x.second_moment().value_or(0));
  return most;
}

std::optional<double> BoundInputs::noise_variance(std::int64_t n) const {
  if (beyond_ || without_kl_ > 0 || rollouts_ < 8) return std::nullopt;
  return largest(n,
                 [&](const Position& p) { return p.noise.second_moment().value_or(0) * alive(p); });
}

std::optional<double> BoundInputs::drift_variance(std::int64_t n) const {
  if (beyond_ || without_kl_ > 0 || rollouts_ < 8) return std::nullopt;
  return largest(n, [&](const Position& p) {
    // Responses that have ended count with D = 0: between alive and ended, mean^2 a (1 - a) is
    // added.
    const double a = alive(p), mean = p.drift.mean().value_or(0);
    const auto rows = static_cast<double>(p.drift.count());
    const double within = p.drift.variance().value_or(0) * (rows - 1.0) / rows;
    return within * a + mean * mean * a * (1.0 - a);
  });
}

}  // namespace gammascope::cli
