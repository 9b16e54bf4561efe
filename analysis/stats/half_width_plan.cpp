// SPDX-License-Identifier: MIT
#include "analysis/stats/half_width_plan.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/stats/student.hpp"

namespace gammascope::stats {
namespace {
constexpr std::int64_t most_prompts = 1'000'000'000;
}

std::optional<SquareSpread> square_spread(std::span<const ClusterSums> clusters,
                                          const RowPowers& powers) {
  double g = 0, m = 0, m2 = 0, t1 = 0, t2 = 0;
  for (const ClusterSums& c : clusters) {
    if (!(c.rows > 0)) continue;
    g += 1;
    m += c.rows;
    m2 += c.rows * c.rows;
    t1 += c.s1;
    t2 += c.s2;
  }
  if (g < 2 || !(m > g)) return std::nullopt;
  const double mu = t1 / m;
  SquareSpread spread;
  spread.theta = t2 / m - mu * mu;
  if (!(spread.theta > 0)) return std::nullopt;
  double ss_between = 0, squares = 0;  // of v = (a - mu)^2; squares = sum_i (sum_j v_ij)^2 / m_i
  for (const ClusterSums& c : clusters) {
    if (!(c.rows > 0)) continue;
    const double v = c.s2 - mu * (2.0 * c.s1 - c.rows * mu);
    const double off = v - c.rows * spread.theta;
    ss_between += off * off / c.rows;
    squares += v * v / c.rows;
  }
  const double ss_within = std::max(0.0, fourth_power_about_mean(clusters, powers) - squares);
  const double ms_within = ss_within / (m - g), ms_between = ss_between / (g - 1.0);
  const double m0 = (m - m2 / m) / (g - 1.0);  // rows a cluster, were they equal
  spread.within = ms_within;
  spread.between = std::max(0.0, (ms_between - ms_within) / m0);
  return spread;
}

double planned_half_width(const SquareSpread& spread,
                          std::int64_t prompts,
                          double rollouts,
                          double confidence) {
  if (prompts < 2 || !(rollouts >= 1.0) || !(confidence > 0.0 && confidence < 1.0))
    throw std::domain_error(
        "a plan needs two prompts, one rollout and a confidence between 0 and 1");
  const auto g = static_cast<double>(prompts);
  const double se = std::sqrt((spread.between + spread.within / rollouts) / g);
  return student_quantile(g - 1.0, 0.5 * (1.0 + confidence)) * se / spread.theta;
}

std::optional<std::int64_t> prompts_for_half_width(const SquareSpread& spread,
                                                   double half_width,
                                                   double rollouts,
                                                   double confidence) {
  if (!(half_width > 0.0)) throw std::domain_error("a half-width must be positive");
  const auto wide = [&](std::int64_t prompts) {
    return planned_half_width(spread, prompts, rollouts, confidence) > half_width;
  };
  std::int64_t low = 1, high = 2;  // wide(low), if low >= 2
  while (wide(high)) {
    low = high;
    high *= 2;
    if (high > most_prompts) return std::nullopt;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (wide(middle) ? low : high) = middle;
  }
  return high;
}

}  // namespace gammascope::stats
