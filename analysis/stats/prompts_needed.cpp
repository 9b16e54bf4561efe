// SPDX-License-Identifier: MIT
#include "analysis/stats/prompts_needed.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/stats/mover.hpp"

namespace gammascope::stats {
namespace {

constexpr double unlucky = 0.8416212335729143;  // normal quantile of 80 %
constexpr double most = 1e9;                    // prompts

/// Smallest k >= 1 with p(k) <= level, times the prompts there are; p falls in k.
template <class P>
std::optional<std::int64_t> search(double prompts, double level, P&& p) {
  const double largest = most / prompts;
  double high = 1.0;
  if (p(high) > level) {
    double low = high;
    do {
      low = high;
      high *= 2.0;
      if (high > largest) return std::nullopt;
    } while (p(high) > level);
    for (int i = 0; i < 30 && (high - low) * prompts > 0.5; ++i) {
      const double mid = 0.5 * (low + high);
      (p(mid) > level ? low : high) = mid;
    }
  }
  return static_cast<std::int64_t>(std::ceil(prompts * high * (1 - 1e-14) - 1e-9));
}

void require(double bound, double level, double prompts_per_cluster) {
  if (!(bound > 0.0) || !(level > 0.0 && level < 1.0))
    throw std::domain_error("prompts_needed: the bound must be positive and the level in (0, 1)");
  if (!(prompts_per_cluster >= 1.0))
    throw std::domain_error("prompts_needed: a cluster holds one prompt at least");
}

}  // namespace

std::optional<std::int64_t> prompts_needed(const HjsFit& fit,
                                           double bound,
                                           double level,
                                           double prompts_per_cluster) {
  require(bound, level, prompts_per_cluster);
  if (!fit.has_limits() || *fit.value == bound) return std::nullopt;
  const bool below = *fit.value < bound;
  return search(static_cast<double>(fit.clusters) * prompts_per_cluster, level, [&](double k) {
    HjsFit then = fit.with_clusters_times(k);
    *then.value *= std::exp(below ? unlucky * then.scale : -unlucky * then.scale);
    return below ? then.p_pass(bound) : then.p_fail(bound);
  });
}

std::optional<std::int64_t> prompts_needed(
    const HjsFit& one, const HjsFit& two, double factor, double level, double prompts_per_cluster) {
  require(factor, level, prompts_per_cluster);
  if (!one.has_limits() || !two.has_limits() || *one.value == factor * *two.value)
    return std::nullopt;
  const bool below = *one.value < factor * *two.value;
  const double prompts = static_cast<double>(one.clusters + two.clusters) * prompts_per_cluster;
  return search(prompts, level, [&](double k) {
    HjsFit then_one = one.with_clusters_times(k);
    const HjsFit then_two = two.with_clusters_times(k);
    const double shift = unlucky * std::hypot(then_one.scale, then_two.scale);
    *then_one.value *= std::exp(below ? shift : -shift);
    const MoverP p = mover_p(then_one, then_two, factor);
    return below ? p.below : p.above;
  });
}

std::optional<std::int64_t> prompts_needed(const SmoothFit& fit,
                                           double bound,
                                           double level,
                                           double prompts_per_cluster) {
  require(1.0, level, prompts_per_cluster);
  if (!fit.has_limits() || *fit.value == bound) return std::nullopt;
  const bool below = *fit.value < bound;
  return search(static_cast<double>(fit.clusters) * prompts_per_cluster, level, [&](double k) {
    SmoothFit then = fit.with_clusters_times(k);
    *then.value += below ? unlucky * then.jackknife_scale : -unlucky * then.jackknife_scale;
    return below ? then.p_below(bound) : then.p_above(bound);
  });
}

std::optional<std::int64_t> prompts_needed(const SmoothFit& one,
                                           const SmoothFit& two,
                                           double shift,
                                           double level,
                                           double prompts_per_cluster) {
  require(1.0, level, prompts_per_cluster);
  if (!one.has_limits() || !two.has_limits() || *one.value == *two.value + shift)
    return std::nullopt;
  const bool below = *one.value < *two.value + shift;
  const double prompts = static_cast<double>(one.clusters + two.clusters) * prompts_per_cluster;
  return search(prompts, level, [&](double k) {
    SmoothFit then_one = one.with_clusters_times(k);
    const SmoothFit then_two = two.with_clusters_times(k);
    const double away = unlucky * std::hypot(then_one.jackknife_scale, then_two.jackknife_scale);
    *then_one.value += below ? away : -away;
    const MoverP p = mover_p(then_one, then_two, shift);
    return below ? p.below : p.above;
  });
}

}  // namespace gammascope::stats
