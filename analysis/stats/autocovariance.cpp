// SPDX-License-Identifier: MIT
#include "analysis/stats/autocovariance.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gammascope::stats {
namespace {

constexpr double quantum = ExactMoments::quantum;
constexpr std::size_t min_clusters = 3;  // so that one can be left out
constexpr double carries = 0.95;         // share of the variance that ends the effective horizon

/// One cluster's, or the total's, ingredients of the mean over pairs from different clusters.
struct Ingredients {
  double m = 0, m2 = 0, x = 0, y = 0, m_xy = 0, xy = 0, x_y = 0;
  explicit Ingredients(const ExactAutocovariance::Sums& s)
      : m(s.pairs),
        m2(s.pairs * s.pairs),
        x(s.sx),
        y(s.sy),
        m_xy(s.pairs * s.sxy),
        xy(s.sxy),
        x_y(s.sx * s.sy) {}
  Ingredients() = default;
  void add(const Ingredients& o, double sign) {
    m += sign * o.m;
    m2 += sign * o.m2;
    x += sign * o.x;
    y += sign * o.y;
    m_xy += sign * o.m_xy;
    xy += sign * o.xy;
    x_y += sign * o.x_y;
  }
  /// mean of (x - x')(y - y') / 2 over ordered pairs from different clusters
  [[nodiscard]] double covariance() const { return (m * xy - m_xy - x * y + x_y) / (m * m - m2); }
};

/// `value` + what x adds, or std::range_error.
Int128 sum(Int128 value, Int128 x) {
  Int128 result = 0;
  if (__builtin_add_overflow(value, x, &result))
    throw std::range_error("ExactAutocovariance: a sum overflows");
  return result;
}

}  // namespace

ExactAutocovariance::ExactAutocovariance(std::size_t lags) : lag_(lags) {
  if (lags == 0) throw std::invalid_argument("ExactAutocovariance: no lags");
}

void ExactAutocovariance::add(std::span<const double> x) {
  std::vector<std::int64_t> k;
  k.reserve(x.size());
  Int128 all = 0, square = 0;
  std::vector<Int128> before{0};  // sums of k[0..t)
  for (const double v : x) {
    if (!ExactMoments::in_range(v))
      throw std::range_error("ExactAutocovariance: a value is not finite or above 2^20 nats");
    k.push_back(ExactMoments::to_grid(v));
    all += k.back();
    before.push_back(all);
    square = sum(square, static_cast<Int128>(k.back()) * k.back());
  }
  // |sum xy| <= sum x^2 (Cauchy and Schwarz), so room for the squares is room for every lag.
  const std::size_t reach = std::min(lag_.size(), k.size());
  for (std::size_t l = 0; l < reach; ++l) {
    (void)sum(lag_[l].xy, square);
    (void)sum(lag_[l].xy, -square);
  }
  for (std::size_t l = 0; l < reach; ++l) {
    const std::size_t pairs = k.size() - l;
    Int128 xy = 0;
    for (std::size_t t = 0; t < pairs; ++t) xy += static_cast<Int128>(k[t]) * k[t + l];
    lag_[l].xy += xy;
    lag_[l].x += before[pairs];
    lag_[l].y += all - before[l];
    lag_[l].n += static_cast<std::int64_t>(pairs);
  }
}

void ExactAutocovariance::merge(const ExactAutocovariance& other) {
  if (other.lags() != lags())
    throw std::invalid_argument("ExactAutocovariance: the numbers of lags differ");
  for (std::size_t l = 0; l < lag_.size(); ++l) (void)sum(lag_[l].xy, other.lag_[l].xy);
  for (std::size_t l = 0; l < lag_.size(); ++l) {
    lag_[l].xy += other.lag_[l].xy;
    lag_[l].x += other.lag_[l].x;
    lag_[l].y += other.lag_[l].y;
    lag_[l].n += other.lag_[l].n;
  }
}

std::int64_t ExactAutocovariance::centre() const noexcept {
  const Lag& tokens = lag_.front();
  return tokens.n == 0 ? 0 : static_cast<std::int64_t>(tokens.x / tokens.n);
}

ExactAutocovariance::Sums ExactAutocovariance::about(std::size_t lag, std::int64_t k0) const {
  const Lag& s = lag_.at(lag);
  const Int128 c = k0, n = s.n;
  const Int128 x = s.x - c * n, y = s.y - c * n;
  // sum (x - c)(y - c) = sum xy - c (sum x + sum y) + n c^2, modulo 2^128
  const auto u = [](Int128 v) { return static_cast<UInt128>(v); };
  const auto xy = static_cast<Int128>(u(s.xy) - u(c) * (u(s.x) + u(s.y)) + u(n) * u(c) * u(c));
  return {static_cast<double>(s.n),
          static_cast<double>(x) * quantum,
          static_cast<double>(y) * quantum,
          static_cast<double>(xy) * (quantum * quantum)};
}

AutocovarianceFit autocovariance(std::span<const ExactAutocovariance> clusters) {
  AutocovarianceFit fit;
  if (clusters.empty()) return fit;
  ExactAutocovariance all(clusters.front().lags());
  for (const ExactAutocovariance& c : clusters) all.merge(c);
  const std::int64_t origin = all.centre();
  fit.without.resize(clusters.size());
  fit.present.resize(clusters.size());
  for (std::size_t lag = 0; lag < all.lags(); ++lag) {
    std::vector<Ingredients> part;
    part.reserve(clusters.size());
    Ingredients total;
    std::size_t present = 0;
    for (const ExactAutocovariance& c : clusters) {
      part.emplace_back(c.about(lag, origin));
      total.add(part.back(), 1.0);
      if (part.back().m > 0) ++present;
    }
    if (present < min_clusters) break;  // longer lags have fewer
    const double value = total.covariance();
    fit.value.push_back(value);
    fit.pairs.push_back(all.count(lag));
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      const bool here = part[i].m > 0;
      Ingredients rest = total;
      rest.add(part[i], -1.0);
      fit.without[i].push_back(here ? rest.covariance() : value);
      fit.present[i].push_back(here);
    }
  }
  return fit;
}

SmoothFit AutocovarianceFit::at(std::size_t lag) const {
  const double c = value.at(lag);
  std::vector<double> left;
  left.reserve(without.size());
  for (std::size_t i = 0; i < without.size(); ++i)
    if (present[i][lag]) left.push_back(without[i][lag]);
  return hjs2(c, left, 1e-10 * std::fabs(value.front()));
}

std::vector<double> credit_variances(std::span<const double> autocovariance, double gamma) {
  std::vector<double> variances;
  variances.reserve(autocovariance.size());
  double variance = 0, weight = 1, ahead = 0;  // weight gamma^n, ahead sum_l gamma^(n-l) c(l)
  for (std::size_t n = 0; n < autocovariance.size(); ++n) {
    if (n > 0) ahead = gamma * ahead + autocovariance[n];
    variance += weight * (weight * autocovariance[0] + 2.0 * ahead);
    variances.push_back(variance);
    weight *= gamma;
  }
  return variances;
}

std::optional<CreditVariance> credit_variance(const AutocovarianceFit& fit,
                                              double gamma,
                                              std::size_t n) {
  if (n == 0 || n > fit.value.size()) return std::nullopt;
  const std::vector<double> by_length = credit_variances(std::span(fit.value).first(n), gamma);
  const double value = by_length.back();
  if (!(value > 0)) return std::nullopt;
  std::vector<double> without;
  for (std::size_t i = 0; i < fit.without.size(); ++i)
    if (fit.present[i][0])
      without.push_back(credit_variances(std::span(fit.without[i]).first(n), gamma).back());
  CreditVariance credit;
  credit.variance = hjs2(value, without, 1e-10 * value);
  double squares = 0, weight = 1;
  for (std::size_t k = 0; k < n; ++k) {
    squares += weight * weight;
    weight *= gamma;
  }
  credit.uncorrelated = fit.value[0] * squares;
  credit.correlation_share = 1.0 - credit.uncorrelated / value;
  std::size_t shortest = n;
  while (shortest > 1 && by_length[shortest - 2] >= carries * value) --shortest;
  credit.effective_horizon = static_cast<std::int64_t>(shortest);
  return credit;
}

}  // namespace gammascope::stats
