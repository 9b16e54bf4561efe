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
  std::size_t t = 0;
  for (std::size_t i = 0; i < view.length(); ++i) {
    if (!view.counts(i)) continue;
    if (t == positions_.size()) positions_.emplace_back();
    Position& p = positions_[t++];
    const double x = -view.delta(i);
    ++p.rows;
    p.squares += x * x;
    max_delta_ = std::max(max_delta_.value_or(-x), -x);
    if (!kl) continue;
    if (!std::isfinite(r.prefix_kl[i])) {  // a number that is missing is no number that is small
      ++without_kl_;
      continue;
    }
    const double drift = -double(r.prefix_kl[i]), d = drift - p.drift_mean;
    p.noise += (x - drift) * (x - drift);
    ++p.drift_rows;
    p.drift_mean += d / static_cast<double>(p.drift_rows);
    p.drift_m2 += d * (drift - p.drift_mean);
  }
}

std::optional<double> BoundInputs::sigma2(std::int64_t n) const {
  std::optional<double> most;
  for (std::size_t t = 0; t < positions_.size() && static_cast<std::int64_t>(t) < n; ++t)
    if (positions_[t].rows >= 8)
      most = std::max(most.value_or(0),
                      positions_[t].squares / static_cast<double>(positions_[t].rows));
  return most;
}

std::optional<double> BoundInputs::noise_variance(std::int64_t n) const {
  if (without_kl_ > 0 || rollouts_ < 8) return std::nullopt;
  double most = 0;
  for (std::size_t t = 0; t < positions_.size() && static_cast<std::int64_t>(t) < n; ++t)
    most = std::max(most, positions_[t].noise / static_cast<double>(rollouts_));
  return most;
}

std::optional<double> BoundInputs::drift_variance(std::int64_t n) const {
  if (without_kl_ > 0 || rollouts_ < 8) return std::nullopt;
  double most = 0;
  const auto all = static_cast<double>(rollouts_);
  for (std::size_t t = 0; t < positions_.size() && static_cast<std::int64_t>(t) < n; ++t) {
    // Responses that have ended count with D = 0: between alive and ended, mean^2 a (1 - a) is
    // added.
    const double alive = static_cast<double>(positions_[t].drift_rows) / all;
    most =
        std::max(most,
                 positions_[t].drift_m2 / all +
                     positions_[t].drift_mean * positions_[t].drift_mean * alive * (1.0 - alive));
  }
  return most;
}

}  // namespace gammascope::cli
