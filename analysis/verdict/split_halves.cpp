// SPDX-License-Identifier: MIT
#include "analysis/verdict/split_halves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/stats/labels.hpp"

namespace gammascope::check {
namespace {

constexpr std::int64_t most_candidates = 64;

/// log(b / a) for a <= b, 0 where rounding has them the other way; infinite for a = 0.
double log_gap(double a, double b) {
  return a > 0.0 ? std::max(0.0, std::log(b / a)) : std::numeric_limits<double>::infinity();
}

struct Ratio {
  const stats::HjsFit& one;
  const stats::HjsFit& two;
  const BoundOfSigma2& bound;

  [[nodiscard]] double log_ratio() const { return std::log(*one.value / bound(*two.value)); }
  /// Room of the upper limit of log(one / bound(two)) above its estimate, at this error level.
  [[nodiscard]] double room_above(double error) const {
    return std::hypot(log_gap(*one.value, *one.upper_limit(error)),
                      log_gap(bound(*two.lower_limit(error)), bound(*two.value)));
  }
  [[nodiscard]] double room_below(double error) const {
    return std::hypot(log_gap(*one.lower_limit(error), *one.value),
                      log_gap(bound(*two.value), bound(*two.upper_limit(error))));
  }
};

/// The level at which room(level) = distance; room falls in the level.
template <class Room>
double level_of(const Room& room, double distance) {
  constexpr double smallest = 1e-16;
  if (room(0.5) >= distance) return 0.5;
  if (room(smallest) <= distance) return smallest;
  double low = std::log(smallest), high = std::log(0.5);
  while (high - low > 1e-12) {
    const double mid = 0.5 * (low + high);
    (room(std::exp(mid)) > distance ? low : high) = mid;
  }
  return std::exp(high);
}

SplitEvidence one_way(const stats::HjsFit& variance,
                      std::span<const Halves> positions,
                      bool every_position,
                      const BoundOfSigma2& bound,
                      const stats::HjsFit Halves::*mine,
                      const stats::HjsFit Halves::*other) {
  SplitEvidence evidence;
  evidence.variance = evidence.variance_to_fail = &variance;
  evidence.p_fail = 0;
  // Any choice made by the one half alone is fair (theory 5.2). Positions whose second moment a few
  // prompts carry there are taken only if there is no other: what they say elsewhere is noise.
  std::pair<bool, double> largest{false, -1.0};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const stats::HjsFit& chooses = positions[i].*mine;
    const stats::HjsFit& tells = positions[i].*other;
    if (chooses.clusters < least_prompts || tells.clusters < least_prompts || !chooses.value) {
      evidence.cannot_fail =
          "at some position of the sum fewer than " + std::to_string(least_prompts) +
          " prompts are left in a half, so it cannot be shown to be beaten; claim sigma2 to allow "
          "a fail";
      continue;
    }
    const bool steady = stats::label(chooses, std::nullopt).trust != stats::Trust::unreliable;
    if (const std::pair rank{steady, *chooses.value}; rank > largest) {
      largest = rank;
      evidence.chosen = i;
      evidence.second_moment = &tells;
    }
    const double above = mover_p(variance, tells, bound).above;
    if (evidence.hardest == nullptr || above > evidence.p_fail) {
      evidence.hardest = &tells;
      evidence.hardest_place = i;
    }
    evidence.p_fail = std::max(evidence.p_fail, above);
  }
  if (!every_position)
    evidence.cannot_fail =
        "not every position of the sum is a candidate for sigma2, so a fail cannot be shown; claim "
        "sigma2 to allow it";
  if (!evidence.cannot_fail.empty() || positions.empty()) evidence.p_fail = 1;
  if (evidence.second_moment != nullptr) {
    evidence.sigma2 = evidence.second_moment->value;
    evidence.p_pass = mover_p(variance, *evidence.second_moment, bound).below;
  }
  return evidence;
}

}  // namespace

std::vector<std::int64_t> candidates(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> all;
  if (last < first) return all;
  const std::int64_t count = last - first + 1;
  if (count <= most_candidates) {
    for (std::int64_t t = first; t <= last; ++t) all.push_back(t);
    return all;
  }
  // 1-based places 1 … count; the rest of the way is divided anew at each step, so that places next
  // to each other at the start cost none at the end.
  std::int64_t place = 1;
  all.push_back(first);
  for (std::int64_t left = most_candidates - 1; left > 0; --left) {
    const double ratio = std::pow(static_cast<double>(count) / static_cast<double>(place),
                                  1.0 / static_cast<double>(left));
    const auto next = static_cast<std::int64_t>(std::llround(static_cast<double>(place) * ratio));
    place = left == 1 ? count : std::max(place + 1, next);
    all.push_back(first + place - 1);
  }
  return all;
}

stats::MoverP mover_p(const stats::HjsFit& one,
                      const stats::HjsFit& two,
                      const BoundOfSigma2& bound) {
  stats::MoverP p;
  if (!one.has_limits() || !two.has_limits()) return p;
  const Ratio ratio{one, two, bound};
  const double d = ratio.log_ratio();
  if (d > 0.0) {
    p.above = level_of([&](double error) { return ratio.room_below(error); }, d);
    p.below = 1.0 - p.above;
  } else {
    p.below = level_of([&](double error) { return ratio.room_above(error); }, -d);
    p.above = 1.0 - p.below;
  }
  return p;
}

SplitEvidence split_halves(const Halves& variance,
                           std::span<const Halves> positions,
                           bool every_position,
                           const BoundOfSigma2& bound) {
  const SplitEvidence one =
      one_way(variance.first, positions, every_position, bound, &Halves::first, &Halves::second);
  SplitEvidence two =
      one_way(variance.second, positions, every_position, bound, &Halves::second, &Halves::first);
  two.half = measure::Half::second;
  SplitEvidence evidence = one.p_pass >= two.p_pass ? one : two;
  const SplitEvidence& fails = one.p_fail >= two.p_fail ? one : two;
  evidence.p_fail = fails.p_fail;
  evidence.variance_to_fail = fails.variance_to_fail;
  evidence.hardest = fails.hardest;
  evidence.hardest_place = fails.hardest_place;
  evidence.cannot_fail = fails.cannot_fail;
  return evidence;
}

}  // namespace gammascope::check
