// SPDX-License-Identifier: MIT
// Formulas: calibration 2, in its order and with its names.
#include "analysis/stats/hjs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "analysis/stats/pair_sums.hpp"
#include "analysis/stats/student.hpp"

namespace gammascope::stats {
namespace {

constexpr double share_limit = 0.75;
constexpr std::int64_t min_clusters = 5;
constexpr double off_centre_limit = 1e6;  // |mean| in standard deviations
constexpr double no_scale = 1e-10;        // a relative standard error that only rounding makes
constexpr double jackknife_floor = 1e-3;  // theta_-i below theta/1000 counts as that
constexpr double jackknife_cap = 3.0;

double square(double x) { return x * x; }

/// Sums of u, u^2, … of the influence values of clusters.
struct Influence {
  double u2 = 0, u3 = 0, u4 = 0;
  void add(double u) {
    const double square_u = u * u;
    u2 += square_u;
    u3 += square_u * u;
    u4 += square_u * square_u;
  }
};

double corrected(double s, double g) {  // H: inverse of Hall's cubic
  return 3.0 / g * (std::cbrt(1.0 + g * (s - g / 6.0)) - 1.0);
}
double cubic(double x, double g) {  // h
  return x + g * x * x / 3.0 + g * g * x * x * x / 27.0 + g / 6.0;
}

/// Distance of a bound below the value in standard errors. Beyond 1e50 the probability is 0 or 1
/// whatever the law, and its cube is still a number.
double distance(const HjsFit& fit, double bound) {
  return std::clamp((1.0 - bound / *fit.value) / fit.scale, -1e50, 1e50);
}

void set_skewness(HjsFit& fit) {
  const double floor = 2.0 * fit.scale;  // the skewness that a chi-square variance would have
  fit.skewness_lower = std::max(fit.skewness, floor);
  fit.skewness_upper = std::max(fit.skewness * (1.0 + 1.0 / fit.effective_clusters), floor);
}

/// Everything after theta, u and theta_-i: scale, skewness, degrees of freedom, availability.
HjsFit finish(double theta,
              const PairSums& total,
              const Influence& u,
              std::vector<double>& without) {
  HjsFit fit;
  const auto g_count = static_cast<double>(total.clusters);
  fit.value = theta;
  fit.clusters = total.clusters;
  fit.rows = total.rows;
  if (!(theta > 0)) {
    fit.availability = Availability::degenerate;
    return fit;
  }
  const double smallest = *std::min_element(without.begin(), without.end());
  fit.share = 1.0 - smallest / theta;
  fit.se = std::sqrt(g_count / (g_count - 1.0) * u.u2) / total.rows;
  fit.relative_se = fit.se / theta;
  if (total.clusters < min_clusters) {
    fit.availability = Availability::too_few_clusters;
    return fit;
  }
  if (!(fit.relative_se > no_scale)) {
    fit.availability = Availability::proportional;
    return fit;
  }
  fit.skewness = u.u3 / std::pow(u.u2, 1.5);
  fit.effective_clusters = square(u.u2) / u.u4;

  double mean = 0;
  for (double& x : without) {  // from here on log(theta_-i / theta)
    x = std::log(std::max(x / theta, jackknife_floor));
    mean += x;
  }
  mean /= g_count;
  double spread = 0;
  for (const double l : without) spread += square(l - mean);
  fit.jackknife_scale = std::sqrt((g_count - 1.0) / g_count * spread);
  fit.scale = std::max(fit.relative_se, std::min(fit.jackknife_scale, jackknife_cap));

  fit.df_lower = g_count - 1.0;
  const double spare = 1.0 / fit.effective_clusters - 1.0 / g_count;
  fit.df_upper = spare > 0 ? std::clamp(2.0 / spare, 1.0, g_count - 1.0) : g_count - 1.0;
  set_skewness(fit);
  fit.availability = fit.share > share_limit ? Availability::one_cluster : Availability::available;
  return fit;
}

HjsFit without_value(const PairSums& total) {
  HjsFit fit;
  fit.clusters = total.clusters;
  fit.rows = total.rows;
  return fit;
}

void require_level(double error) {
  if (!(error > 0.0 && error < 1.0))
    throw std::domain_error("an error level must lie between 0 and 1");
}

}  // namespace

std::string sentence(Availability why, std::int64_t clusters) {
  switch (why) {
    case Availability::available:
      return "";
    case Availability::degenerate:
      return "every row has the same value";
    case Availability::too_few_clusters:
      return "limits need 5 prompts, here are " + std::to_string(clusters);
    case Availability::proportional:
      return "the standard error is 0: all prompts have exactly the same spread";
    case Availability::one_cluster:
      return "one prompt carries more than 75 % of the value: more prompts are needed, not more "
             "rollouts";
    case Availability::off_centre:
      return "the rows lie more than a million standard deviations from their origin";
  }
  return "";
}

std::optional<double> HjsFit::lower_limit(double error) const {
  require_level(error);
  if (!has_limits()) return std::nullopt;
  const double t = student_quantile(df_lower, 1.0 - error);
  return std::max(0.0, *value * (1.0 - scale * corrected(t, skewness_lower)));
}

std::optional<double> HjsFit::upper_limit(double error) const {
  require_level(error);
  if (!has_limits()) return std::nullopt;
  const double t = student_quantile(df_upper, error);
  return *value * (1.0 - scale * corrected(t, skewness_upper));
}

std::optional<Limits> HjsFit::limits(double confidence) const {
  const double error = 0.5 * (1.0 - confidence);
  require_level(2.0 * error);
  if (!has_limits()) return std::nullopt;
  return Limits{*lower_limit(error), *upper_limit(error)};
}

double HjsFit::p_pass(double bound) const {
  if (!has_limits()) return 1.0;
  return student_cdf(df_upper, cubic(distance(*this, bound), skewness_upper));
}

double HjsFit::p_fail(double bound) const {
  if (!has_limits()) return 1.0;
  return student_tail(df_lower, cubic(distance(*this, bound), skewness_lower));
}

HjsFit HjsFit::with_clusters_times(double k) const {
  HjsFit fit = *this;
  if (!has_limits()) return fit;
  const double shrink = 1.0 / std::sqrt(k), g_count = static_cast<double>(clusters) * k;
  fit.clusters = static_cast<std::int64_t>(std::llround(g_count));
  fit.rows = rows * k;
  fit.se = se * shrink;
  fit.relative_se = relative_se * shrink;
  fit.jackknife_scale = jackknife_scale * shrink;
  fit.scale = scale * shrink;
  fit.skewness = skewness * shrink;
  fit.effective_clusters = effective_clusters * k;
  fit.share = share / k;
  fit.df_lower = g_count - 1.0;
  fit.df_upper = std::min(df_upper * k, g_count - 1.0);
  set_skewness(fit);
  return fit;
}

HjsFit hjs_variance(std::span<const ClusterSums> clusters) {
  const PairSums total(clusters);
  if (total.clusters < 2) return without_value(total);
  const double m = total.rows;
  const double theta = total.variance();
  const double mu = total.t1 / m;
  const double plug_in = total.t2 / m - mu * mu;
  if (std::fabs(mu) > off_centre_limit * std::sqrt(std::max(plug_in, 0.0))) {
    HjsFit fit = without_value(total);
    fit.availability = Availability::off_centre;
    return fit;
  }
  Influence u;
  // theta without one cluster; with two clusters nothing is left to pair, and no limits follow.
  std::vector<double> without(static_cast<std::size_t>(total.clusters), theta);
  double* out = without.data();
  const double each = mu * mu - plug_in;
  const bool more_than_two = total.clusters > 2;
  for (const ClusterSums& c : clusters) {
    if (!(c.rows > 0)) continue;
    u.add(c.s2 - 2.0 * mu * c.s1 + c.rows * each);
    if (!more_than_two) continue;
    *out++ = total.without(c).variance();
  }
  return finish(theta, total, u, without);
}

HjsFit hjs_second_moment(std::span<const ClusterSums> clusters) {
  const PairSums total(clusters);
  if (total.clusters < 1) return without_value(total);
  const double theta = total.t2 / total.rows;
  if (total.clusters < 2) {
    HjsFit fit = without_value(total);
    fit.value = theta;
    if (!(theta > 0)) fit.availability = Availability::degenerate;
    return fit;
  }
  Influence u;
  std::vector<double> without;
  without.reserve(static_cast<std::size_t>(total.clusters));
  for (const ClusterSums& c : clusters) {
    if (!(c.rows > 0)) continue;
    u.add(c.s2 - c.rows * theta);
    without.push_back((total.t2 - c.s2) / (total.rows - c.rows));
  }
  return finish(theta, total, u, without);
}

std::optional<Limits> MeanFit::limits(double confidence) const {
  const double error = 0.5 * (1.0 - confidence);
  require_level(2.0 * error);
  if (availability != Availability::available) return std::nullopt;
  const double reach = student_quantile(df, 1.0 - error) * se;
  return Limits{*value - reach, *value + reach};
}

MeanFit cluster_mean(std::span<const ClusterSums> clusters, double origin) {
  const PairSums total(clusters);
  MeanFit fit;
  fit.clusters = total.clusters;
  fit.rows = total.rows;
  if (total.clusters == 0) return fit;
  const double mu = total.t1 / total.rows;
  fit.value = origin + mu;
  if (total.clusters < 2) return fit;
  Influence u;
  for (const ClusterSums& c : clusters)
    if (c.rows > 0) u.add(c.s1 - c.rows * mu);
  const auto g_count = static_cast<double>(total.clusters);
  fit.se = std::sqrt(g_count / (g_count - 1.0) * u.u2) / total.rows;
  fit.effective_clusters = u.u4 > 0 ? square(u.u2) / u.u4 : g_count;
  fit.df = g_count - 1.0;
  if (total.clusters < min_clusters) return fit;
  if (!(total.t2 > 0))
    fit.availability = Availability::degenerate;
  else if (!(fit.se > no_scale * std::sqrt(total.t2 / total.rows)))
    fit.availability = Availability::proportional;
  else
    fit.availability = Availability::available;
  return fit;
}

}  // namespace gammascope::stats
