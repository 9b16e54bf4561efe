// SPDX-License-Identifier: MIT
#include "analysis/stats/detectable_effect.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "analysis/stats/mover.hpp"

namespace gammascope::stats {
namespace {

/// Distances that the limits at one error level keep from the estimate, on the log scale.
struct Room {
  double below = 0, above = 0;
};

void require(double level, double power) {
  if (!(level > 0.0 && level < 0.5 && power >= 0.5 && power < 1.0))
    throw std::domain_error("detectable effect: level in (0, 1/2) and power in [1/2, 1)");
}

/// room(error) at the level of the decision, and at that of an unlucky estimate.
template <class RoomAt>
DetectableShift shift(double level, double power, RoomAt&& room) {
  const Room decision = room(level);
  const Room unlucky = power > 0.5 ? room(1.0 - power) : Room{};
  return {-(decision.above + unlucky.below), decision.below + unlucky.above};
}
template <class RoomAt>
DetectableEffect effect(double level, double power, RoomAt&& room) {
  const DetectableShift log = shift(level, power, room);
  return {std::exp(log.below), std::exp(log.above)};
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr DetectableEffect never{0.0, infinity};

}  // namespace

DetectableEffect minimum_detectable_effect(const HjsFit& fit, double level, double power) {
  require(level, power);
  if (!fit.has_limits()) return never;
  return effect(level, power, [&](double error) {
    return Room{std::log(*fit.value / *fit.lower_limit(error)),
                std::log(*fit.upper_limit(error) / *fit.value)};
  });
}

DetectableEffect minimum_detectable_effect(const HjsFit& one,
                                           const HjsFit& two,
                                           double level,
                                           double power) {
  require(level, power);
  if (!one.has_limits() || !two.has_limits()) return never;
  const double ratio = *one.value / *two.value;
  return effect(level, power, [&](double error) {
    const Limits limits = *mover_limits(one, two, 1.0 - 2.0 * error);
    return Room{std::log(ratio / limits.lower), std::log(limits.upper / ratio)};
  });
}

DetectableEffect minimum_detectable_effect(const SmoothFit& fit, double level, double power) {
  const DetectableShift log = minimum_detectable_shift(fit, level, power);
  return {std::exp(log.below), std::exp(log.above)};
}

DetectableShift minimum_detectable_shift(const SmoothFit& fit, double level, double power) {
  require(level, power);
  if (!fit.has_limits()) return {-infinity, infinity};
  return shift(level, power, [&](double error) {
    return Room{*fit.value - *fit.lower_limit(error), *fit.upper_limit(error) - *fit.value};
  });
}

DetectableShift minimum_detectable_shift(const SmoothFit& one,
                                         const SmoothFit& two,
                                         double level,
                                         double power) {
  require(level, power);
  if (!one.has_limits() || !two.has_limits()) return {-infinity, infinity};
  const double difference = *one.value - *two.value;
  return shift(level, power, [&](double error) {
    const Limits limits = *mover_limits(one, two, 1.0 - 2.0 * error);
    return Room{difference - limits.lower, limits.upper - difference};
  });
}

}  // namespace gammascope::stats
