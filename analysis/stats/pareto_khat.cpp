// SPDX-License-Identifier: MIT
#include "analysis/stats/pareto_khat.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gammascope::stats {
namespace {
constexpr std::size_t min_tail = 5;
constexpr double prior_weight = 10.0, prior_shape = 0.5;  // Vehtari et al., appendix
}  // namespace

// Zhang & Stephens: a quasi-Bayesian mean over a grid of theta = -k / sigma, whose profile
// likelihood has k in closed form. The sign of k is that of Vehtari et al. (positive: heavy).
std::optional<double> pareto_shape(std::span<const double> excess) {
  const std::size_t n = excess.size();
  if (n < min_tail) return std::nullopt;
  std::vector<double> x(excess.begin(), excess.end());
  std::sort(x.begin(), x.end());
  if (!(x.front() > 0) || !std::isfinite(x.back())) return std::nullopt;
  const auto count = static_cast<double>(n);
  const double quartile = x[static_cast<std::size_t>(std::floor(count / 4.0 + 0.5)) - 1];
  const auto points = 30 + static_cast<std::size_t>(std::sqrt(count));
  const auto shape_at = [&](double theta) {  // mean log(1 - theta x) = k
    double sum = 0, product = 1;
    for (std::size_t i = 0; i < n; ++i) {  // one logarithm for eight factors
      product *= 1.0 - theta * x[i];
      if (i % 8 == 7) {
        sum += std::log(product);
        product = 1;
      }
    }
    return (sum + std::log(product)) / count;
  };
  std::vector<double> theta(points), loglik(points);
  for (std::size_t j = 0; j < points; ++j) {
    const double place = static_cast<double>(points) / (static_cast<double>(j) + 0.5);
    theta[j] = 1.0 / x.back() + (1.0 - std::sqrt(place)) / (3.0 * quartile);
    const double k = shape_at(theta[j]);
    loglik[j] = count * (std::log(-theta[j] / k) - k - 1.0);
  }
  double mean_theta = 0, weights = 0;
  const double best = *std::max_element(loglik.begin(), loglik.end());
  for (std::size_t j = 0; j < points; ++j) {
    const double w = std::exp(loglik[j] - best);
    weights += w;
    mean_theta += w * theta[j];
  }
  const double k = shape_at(mean_theta / weights);
  return std::isfinite(k) ? std::optional(k) : std::nullopt;
}

std::optional<double> pareto_khat(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const auto tail =
      static_cast<std::size_t>(std::ceil(std::min(0.2 * count, 3.0 * std::sqrt(count))));
  if (tail < min_tail || tail >= values.size()) return std::nullopt;
  std::vector<double> x(values.begin(), values.end());
  std::sort(x.begin(), x.end(), std::greater<>());
  const double cutoff = x[tail];
  // Ties at the top, or a tail that starts in a tie: no continuous law, no index.
  if (!(x[0] > x[1]) || !(x[tail - 1] > cutoff)) return std::nullopt;
  std::vector<double> excess(tail);
  for (std::size_t i = 0; i < tail; ++i) excess[i] = x[i] - cutoff;
  const auto k = pareto_shape(excess);
  if (!k) return std::nullopt;
  const auto n = static_cast<double>(tail);
  return (n * *k + prior_weight * prior_shape) / (n + prior_weight);
}

std::optional<double> second_moment_khat(std::span<const ClusterSums> clusters) {
  std::vector<double> moments;
  moments.reserve(clusters.size());
  for (const ClusterSums& c : clusters)
    if (c.rows > 0) moments.push_back(c.s2 / c.rows);
  return pareto_khat(moments);
}

}  // namespace gammascope::stats
