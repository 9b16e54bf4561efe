// SPDX-License-Identifier: MIT
// Formulas: calibration 7, in its order and with its names.
#include "analysis/stats/hjs2.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "analysis/stats/pair_sums.hpp"
#include "analysis/stats/student.hpp"

namespace gammascope::stats {
namespace {

constexpr std::int64_t min_clusters = 5;
constexpr double no_skewness = 1e-6;      // below it the cubic is the identity
constexpr double jackknife_floor = 1e-3;  // as in HJS
constexpr double log_resolution = 1e-10;  // of a log variance

double corrected(double x, double g) {  // H
  if (std::fabs(g) < no_skewness) return x;
  return 3.0 / g * (std::cbrt(1.0 + g * (x - g / 6.0)) - 1.0);
}
double cubic(double x, double g) {  // h, its inverse
  return x + g * x * x / 3.0 + g * g * x * x * x / 27.0 + g / 6.0;
}

}  // namespace

SmoothFit hjs2(double value, std::span<const double> without, double resolution) {
  SmoothFit fit;
  fit.value = value;
  fit.clusters = static_cast<std::int64_t>(without.size());
  if (fit.clusters < min_clusters) return fit;
  const auto g_count = static_cast<double>(without.size());
  const double mean = std::accumulate(without.begin(), without.end(), 0.0) / g_count;
  double d2 = 0, d3 = 0, d4 = 0;
  for (const double l : without) {
    const double d = l - mean, square = d * d;
    d2 += square;
    d3 += square * d;
    d4 += square * square;
  }
  fit.jackknife_scale = std::sqrt((g_count - 1.0) / g_count * d2);
  if (!(fit.jackknife_scale > resolution)) {
    fit.availability = Availability::proportional;
    return fit;
  }
  fit.skewness = -d3 / std::pow(d2, 1.5);
  fit.effective_clusters = d2 * d2 / d4;
  const double spare = 1.0 / fit.effective_clusters - 1.0 / g_count;
  fit.df = spare > 0 ? std::clamp(2.0 / spare, 1.0, g_count - 1.0) : g_count - 1.0;
  const double larger = fit.skewness * (1.0 + 1.0 / fit.effective_clusters);
  fit.skewness_lower = fit.skewness < 0 ? larger : fit.skewness;
  fit.skewness_upper = fit.skewness > 0 ? larger : fit.skewness;
  fit.availability = Availability::available;
  return fit;
}

std::optional<double> SmoothFit::lower_limit(double error) const {
  if (!(error > 0.0 && error < 1.0))
    throw std::domain_error("an error level must lie between 0 and 1");
  if (!has_limits()) return std::nullopt;
  return *value - jackknife_scale * corrected(student_quantile(df, 1.0 - error), skewness_lower);
}

std::optional<double> SmoothFit::upper_limit(double error) const {
  if (!(error > 0.0 && error < 1.0))
    throw std::domain_error("an error level must lie between 0 and 1");
  if (!has_limits()) return std::nullopt;
  return *value - jackknife_scale * corrected(student_quantile(df, error), skewness_upper);
}

std::optional<Limits> SmoothFit::limits(double confidence) const {
  const double error = 0.5 * (1.0 - confidence);
  if (!(error > 0.0 && error < 0.5)) throw std::domain_error("confidence must lie between 0 and 1");
  if (!has_limits()) return std::nullopt;
  return Limits{*lower_limit(error), *upper_limit(error)};
}

double SmoothFit::p_below(double bound) const {
  if (!has_limits()) return 1.0;
  return student_cdf(df, cubic((*value - bound) / jackknife_scale, skewness_upper));
}

double SmoothFit::p_above(double bound) const {
  if (!has_limits()) return 1.0;
  return student_tail(df, cubic((*value - bound) / jackknife_scale, skewness_lower));
}

SmoothFit SmoothFit::with_clusters_times(double k) const {
  SmoothFit fit = *this;
  if (!has_limits()) return fit;
  const double shrink = 1.0 / std::sqrt(k), g_count = static_cast<double>(clusters) * k;
  fit.clusters = static_cast<std::int64_t>(std::llround(g_count));
  fit.jackknife_scale *= shrink;
  fit.skewness *= shrink;
  fit.skewness_lower *= shrink;
  fit.skewness_upper *= shrink;
  fit.effective_clusters *= k;
  fit.df = std::min(df * k, g_count - 1.0);
  return fit;
}

SmoothFit smooth(const MeanFit& mean) {
  SmoothFit fit;
  fit.value = mean.value;
  fit.availability = mean.availability;
  fit.clusters = mean.clusters;
  fit.jackknife_scale = mean.se;
  fit.effective_clusters = mean.effective_clusters;
  fit.df = mean.df;
  return fit;
}

std::optional<JackknifeLog> jackknife_log_variance(std::span<const ClusterSums> clusters) {
  JackknifeLog log;
  log.fit = hjs_variance(clusters);
  if (!log.fit.value || !(*log.fit.value > 0) || log.fit.clusters < 3) return std::nullopt;
  const PairSums total(clusters);
  const double theta = *log.fit.value, floor = theta * jackknife_floor;
  log.log_value = std::log(theta);
  log.without.reserve(clusters.size());
  log.present.reserve(clusters.size());
  for (const ClusterSums& c : clusters) {
    const bool present = c.rows > 0;
    log.present.push_back(present);
    if (!present) {
      log.without.push_back(log.log_value);
      continue;
    }
    const double left = total.without(c).variance();
    log.without.push_back(std::log(std::max(left, floor)));
  }
  return log;
}

SmoothFit hjs2_linear(std::span<const JackknifeLog> parts, std::span<const double> weight) {
  if (parts.empty() || parts.size() != weight.size())
    throw std::invalid_argument("hjs2_linear: as many weights as parts, at least one");
  const std::size_t clusters = parts.front().without.size();
  double value = 0, resolution = 0;
  std::vector<double> all(clusters, 0.0);
  std::vector<bool> present(clusters, false);
  bool one_cluster = false;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const JackknifeLog& part = parts[k];
    if (part.without.size() != clusters || part.present.size() != clusters)
      throw std::invalid_argument("hjs2_linear: the parts have different clusters");
    const double w = weight[k];
    if (w == 0.0) continue;
    one_cluster = one_cluster || part.fit.availability == Availability::one_cluster;
    value += w * part.log_value;
    resolution += log_resolution * std::fabs(w);
    for (std::size_t i = 0; i < clusters; ++i) {
      all[i] += w * part.without[i];
      present[i] = present[i] || part.present[i];
    }
  }
  std::vector<double> without;
  without.reserve(clusters);
  for (std::size_t i = 0; i < clusters; ++i)
    if (present[i]) without.push_back(all[i]);
  SmoothFit fit = hjs2(value, without, resolution);
  if (fit.has_limits() && one_cluster) fit.availability = Availability::one_cluster;
  return fit;
}

SmoothFit hjs2_log_ratio(const JackknifeLog& one, const JackknifeLog& two) {
  const std::vector<JackknifeLog> parts{one, two};
  const std::vector<double> weight{-1.0, 1.0};
  return hjs2_linear(parts, weight);
}

}  // namespace gammascope::stats
