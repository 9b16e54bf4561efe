// SPDX-License-Identifier: MIT
#include "analysis/stats/growth_exponent.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/stats/holm.hpp"

namespace gammascope::stats {
namespace {

constexpr double trusted_clusters = 5.0;  // neff

/// Weights of log Var_k in the least-squares slope over x[from..to], 0 elsewhere.
std::vector<double> slope_weights(const std::vector<double>& x, std::size_t from, std::size_t to) {
  double mean = 0;
  for (std::size_t k = from; k <= to; ++k) mean += x[k] / static_cast<double>(to - from + 1);
  double square = 0;
  for (std::size_t k = from; k <= to; ++k) square += (x[k] - mean) * (x[k] - mean);
  std::vector<double> w(x.size(), 0.0);
  for (std::size_t k = from; k <= to; ++k) w[k] = (x[k] - mean) / square;
  return w;
}

std::optional<SlopeChange> largest_change(const std::vector<double>& x,
                                          std::span<const double> n,
                                          std::span<const JackknifeLog> variances) {
  std::vector<SlopeChange> candidates;
  std::vector<double> p;
  const std::size_t last = x.size() - 1;
  for (std::size_t k = 1; k < last; ++k) {
    const auto before = slope_weights(x, 0, k), after = slope_weights(x, k, last);
    std::vector<double> difference(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) difference[j] = after[j] - before[j];
    SlopeChange change;
    change.n = n[k];
    change.difference = hjs2_linear(variances, difference);
    if (!change.difference.has_limits()) continue;
    change.before = hjs2_linear(variances, before);
    change.after = hjs2_linear(variances, after);
    p.push_back(std::min(
        1.0, 2.0 * std::min(change.difference.p_below(0.0), change.difference.p_above(0.0))));
    candidates.push_back(std::move(change));
  }
  if (candidates.empty()) return std::nullopt;
  const std::vector<double> adjusted = holm_adjusted(p);
  const auto at = static_cast<std::size_t>(std::min_element(p.begin(), p.end()) - p.begin());
  candidates[at].p_adjusted = adjusted[at];
  return candidates[at];
}

}  // namespace

GrowthExponent growth_exponent(std::span<const double> n, std::span<const JackknifeLog> variances) {
  if (n.size() != variances.size() || n.size() < 2)
    throw std::invalid_argument("growth exponent: two horizons at least, one variance for each");
  std::vector<double> x;
  for (const double tokens : n) {
    if (!(tokens > 0) || (!x.empty() && !(std::log(tokens) > x.back())))
      throw std::invalid_argument("growth exponent: horizons must be positive and ascend");
    x.push_back(std::log(tokens));
  }
  GrowthExponent growth;
  growth.slope = hjs2_linear(variances, slope_weights(x, 0, x.size() - 1));
  for (std::size_t k = 0; k + 1 < x.size(); ++k)
    growth.local.push_back({n[k], n[k + 1], hjs2_linear(variances, slope_weights(x, k, k + 1))});
  if (x.size() >= 3) growth.change = largest_change(x, n, variances);
  for (std::size_t k = 0; k < x.size() && !growth.first_trusted; ++k)
    if (variances[k].fit.effective_clusters >= trusted_clusters) growth.first_trusted = k;
  return growth;
}

}  // namespace gammascope::stats
