// SPDX-License-Identifier: MIT
#include "analysis/stats/growth_exponent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
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

/// y less its least-squares fit by a constant and x.
std::vector<double> residual(const std::vector<double>& y, const std::vector<double>& x) {
  const double count = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / count;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double xx = 0, xy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    xy += (x[k] - mean_x) * (y[k] - mean_y);
  }
  std::vector<double> r(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) r[k] = y[k] - mean_y - xy / xx * (x[k] - mean_x);
  return r;
}

/// Weights of the least-squares coefficient of `y` beside a constant and `x`.
std::vector<double> beside(const std::vector<double>& y, const std::vector<double>& x) {
  std::vector<double> w = residual(y, x);
  const double square = std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
  for (double& v : w) v /= square;
  return w;
}

/// Constant + slope x + bend max(0, x - x_k) for every interior k; the best fit wins.
std::optional<SlopeChange> best_bend(const std::vector<double>& x,
                                     std::span<const double> n,
                                     std::span<const JackknifeLog> variances) {
  std::vector<SlopeChange> candidates;
  std::vector<double> p;
  std::size_t best = 0;
  double most = -1;
  for (std::size_t k = 1; k + 1 < x.size(); ++k) {
    std::vector<double> hinge(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) hinge[j] = std::max(0.0, x[j] - x[k]);
    const auto bend = beside(hinge, x), before = beside(x, hinge);
    std::vector<double> after(x.size());
    double coefficient = 0, square = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      after[j] = before[j] + bend[j];
      coefficient += bend[j] * variances[j].log_value;
      square += bend[j] * bend[j];
    }
    SlopeChange change;
    change.n = n[k];
    change.difference = hjs2_linear(variances, bend);
    if (!change.difference.has_limits()) continue;
    change.before = hjs2_linear(variances, before);
    change.after = hjs2_linear(variances, after);
    p.push_back(std::min(
        1.0, 2.0 * std::min(change.difference.p_below(0.0), change.difference.p_above(0.0))));
    candidates.push_back(change);
    const double explained = coefficient * coefficient / square;  // of the sum of squares
    if (explained > most) {
      most = explained;
      best = candidates.size() - 1;
    }
  }
  if (candidates.empty()) return std::nullopt;
  candidates[best].p_adjusted = holm_adjusted(p)[best];
  return candidates[best];
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
  if (x.size() >= 3) growth.change = best_bend(x, n, variances);
  for (std::size_t k = 0; k < x.size() && !growth.first_trusted; ++k)
    if (variances[k].fit.effective_clusters >= trusted_clusters) growth.first_trusted = k;
  return growth;
}

}  // namespace gammascope::stats
