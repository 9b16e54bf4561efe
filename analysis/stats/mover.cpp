// SPDX-License-Identifier: MIT
#include "analysis/stats/mover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace gammascope::stats {
namespace {

/// Distance from theta to its limit on the log scale, not below 0 (Hall's limits at error 1/2 are
/// not quite at theta); infinite for a lower limit of 0.
double below(const HjsFit& fit, double error) {
  const double lower = *fit.lower_limit(error);
  return lower > 0 ? std::max(0.0, std::log(*fit.value / lower))
                   : std::numeric_limits<double>::infinity();
}
double above(const HjsFit& fit, double error) {
  return std::max(0.0, std::log(*fit.upper_limit(error) / *fit.value));
}

double below(const SmoothFit& fit, double error) {
  return std::max(0.0, *fit.value - *fit.lower_limit(error));
}
double above(const SmoothFit& fit, double error) {
  return std::max(0.0, *fit.upper_limit(error) - *fit.value);
}

/// Room that the lower limit of log(one / two), or of one - two, leaves below its estimate.
template <class Fit>
double room(const Fit& one, const Fit& two, double error) {
  return std::hypot(below(one, error), above(two, error));
}

/// Level at which the estimate `d`, positive, less the room is 0.
template <class Fit>
double level_of(const Fit& one, const Fit& two, double d) {
  constexpr double smallest = 1e-16;
  if (room(one, two, 0.5) >= d) return 0.5;
  if (room(one, two, smallest) <= d) return smallest;
  double low = std::log(smallest), high = std::log(0.5);  // room(low) > d > room(high)
  for (int i = 0; i < 60 && high - low > 1e-12; ++i) {
    const double mid = 0.5 * (low + high);
    (room(one, two, std::exp(mid)) > d ? low : high) = mid;
  }
  return std::exp(high);
}

template <class Fit>
MoverP p_of(const Fit& one, const Fit& two, double d) {
  MoverP p;
  if (d > 0) {
    p.above = level_of(one, two, d);
    p.below = 1.0 - p.above;
  } else {
    p.below = level_of(two, one, -d);
    p.above = 1.0 - p.below;
  }
  return p;
}

double error_of(double confidence) {
  if (!(confidence > 0.0 && confidence < 1.0))
    throw std::domain_error("confidence must lie between 0 and 1");
  return 0.5 * (1.0 - confidence);
}

}  // namespace

std::optional<Limits> mover_limits(const HjsFit& one, const HjsFit& two, double confidence) {
  const double error = error_of(confidence);
  if (!one.has_limits() || !two.has_limits()) return std::nullopt;
  const double ratio = *one.value / *two.value;
  return Limits{ratio * std::exp(-room(one, two, error)), ratio * std::exp(room(two, one, error))};
}

MoverP mover_p(const HjsFit& one, const HjsFit& two, double factor) {
  if (!(factor > 0.0)) throw std::domain_error("the factor of a ratio must be positive");
  if (!one.has_limits() || !two.has_limits()) return {};
  return p_of(one, two, std::log(*one.value / *two.value / factor));
}

std::optional<Limits> mover_limits(const SmoothFit& one, const SmoothFit& two, double confidence) {
  const double error = error_of(confidence);
  if (!one.has_limits() || !two.has_limits()) return std::nullopt;
  const double difference = *one.value - *two.value;
  return Limits{difference - room(one, two, error), difference + room(two, one, error)};
}

MoverP mover_p(const SmoothFit& one, const SmoothFit& two, double shift) {
  if (!one.has_limits() || !two.has_limits()) return {};
  return p_of(one, two, *one.value - *two.value - shift);
}

}  // namespace gammascope::stats
