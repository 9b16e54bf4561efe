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

/// decision(level), and unlucky(1 - power) of an estimate that falls short of the truth.
template <class Decision, class Unlucky>
DetectableShift shift(double level, double power, Decision&& decision, Unlucky&& unlucky) {
  const Room decided = decision(level);
  const Room missed = power > 0.5 ? unlucky(1.0 - power) : Room{};
  return {-(decided.above + missed.below), decided.below + missed.above};
}
DetectableEffect exponential(const DetectableShift& log) {
  return {std::exp(log.below), std::exp(log.above)};
}

auto room_of(const HjsFit& fit) {
  return [&fit](double error) {
    return Room{std::log(*fit.value / *fit.lower_limit(error)),
                std::log(*fit.upper_limit(error) / *fit.value)};
  };
}
auto room_of(const SmoothFit& fit) {
  return [&fit](double error) {
    return Room{*fit.value - *fit.lower_limit(error), *fit.upper_limit(error) - *fit.value};
  };
}
auto room_of(const HjsFit& one, const HjsFit& two) {
  return [&](double error) {
    const double ratio = *one.value / *two.value;
    const Limits limits = *mover_limits(one, two, 1.0 - 2.0 * error);
    return Room{std::log(ratio / limits.lower), std::log(limits.upper / ratio)};
  };
}
auto room_of(const SmoothFit& one, const SmoothFit& two) {
  return [&](double error) {
    const double difference = *one.value - *two.value;
    const Limits limits = *mover_limits(one, two, 1.0 - 2.0 * error);
    return Room{difference - limits.lower, limits.upper - difference};
  };
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr DetectableEffect never{0.0, infinity};

}  // namespace

DetectableEffect minimum_detectable_effect(const HjsFit& fit, double level, double power) {
  require(level, power);
  if (!fit.has_limits()) return never;
  return exponential(shift(level, power, room_of(fit), room_of(fit)));
}

DetectableEffect minimum_detectable_effect(const HjsFit& one,
                                           const HjsFit& two,
                                           double level,
                                           double power) {
  require(level, power);
  if (!one.has_limits() || !two.has_limits()) return never;
  return exponential(shift(level, power, room_of(one, two), room_of(one, two)));
}

DetectableEffect minimum_detectable_effect_beside(const HjsFit& one,
                                                  const HjsFit& two,
                                                  double level,
                                                  double power) {
  require(level, power);
  if (!one.has_limits() || !two.has_limits()) return never;
  return exponential(shift(level, power, room_of(one, two), room_of(one)));
}

DetectableEffect minimum_detectable_effect(const SmoothFit& fit, double level, double power) {
  return exponential(minimum_detectable_shift(fit, level, power));
}

DetectableShift minimum_detectable_shift(const SmoothFit& fit, double level, double power) {
  require(level, power);
  if (!fit.has_limits()) return {-infinity, infinity};
  return shift(level, power, room_of(fit), room_of(fit));
}

DetectableShift minimum_detectable_shift(const SmoothFit& one,
                                         const SmoothFit& two,
                                         double level,
                                         double power) {
  require(level, power);
  if (!one.has_limits() || !two.has_limits()) return {-infinity, infinity};
  return shift(level, power, room_of(one, two), room_of(one, two));
}

DetectableShift minimum_detectable_shift_beside(const SmoothFit& one,
                                                const SmoothFit& two,
                                                double level,
                                                double power) {
  require(level, power);
  if (!one.has_limits() || !two.has_limits()) return {-infinity, infinity};
  return shift(level, power, room_of(one, two), room_of(one));
}

}  // namespace gammascope::stats
