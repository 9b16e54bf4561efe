// SPDX-License-Identifier: MIT
// What a log of this size can tell, said beforehand: the smallest effect that will be shown with
// probability `power`, from the fit's own scale, skewness and degrees of freedom. If theta is the
// truth, theta_hat falls short of it by the distance that the upper limit at error 1 - power keeps,
// with probability 1 - power; the limit at `level` must still clear the bound (calibration 5, last
// line, where power is 1/2). Tests: tests/analysis/stats/test_detectable_effect.cpp, power:
// tests/calibration
#pragma once

#include "analysis/stats/hjs.hpp"
#include "analysis/stats/hjs2.hpp"

namespace gammascope::stats {

/// Ratios of the truth to the bound it is held against (one variance), or to the other variance
/// (two); pure numbers.
struct DetectableEffect {
  double below = 0;  ///< a truth of at most bound * below is shown to be below; 0: never
  double above = 0;  ///< a truth of at least bound * above is shown to be above; infinite: never
};

/// A variance or second moment against a bound, judged at one-sided error `level` (alpha / 2 for
/// one claim, alpha / 2m or alpha / m_eff for many). {0, infinity} without limits.
/// @throws std::domain_error unless 0 < level < 1/2 and 1/2 <= power < 1
[[nodiscard]] DetectableEffect minimum_detectable_effect(const HjsFit& fit,
                                                         double level,
                                                         double power = 0.8);

/// theta_one / theta_two of two independent logs by MOVER. Before the second log exists give the
/// first one's fit with_clusters_times(k) for it.
[[nodiscard]] DetectableEffect minimum_detectable_effect(const HjsFit& one,
                                                         const HjsFit& two,
                                                         double level,
                                                         double power = 0.8);

/// The same when the second log is there already and its number is what the first is held against:
/// only the first one's estimate is still to be drawn. Factors of the second one's value.
[[nodiscard]] DetectableEffect minimum_detectable_effect_beside(const HjsFit& one,
                                                                const HjsFit& two,
                                                                double level,
                                                                double power = 0.8);

/// exp of the difference L - bound, for an L on the log scale (a ratio of variances).
[[nodiscard]] DetectableEffect minimum_detectable_effect(const SmoothFit& fit,
                                                         double level,
                                                         double power = 0.8);

/// How far beyond the bound the truth must lie, in the unit of the quantity: below <= 0 <= above.
struct DetectableShift {
  double below = 0;  ///< minus infinity: never
  double above = 0;  ///< infinity: never
};

/// A mean, a growth exponent, a log of a ratio against a bound.
[[nodiscard]] DetectableShift minimum_detectable_shift(const SmoothFit& fit,
                                                       double level,
                                                       double power = 0.8);
/// L_one - L_two of two independent logs by MOVER.
[[nodiscard]] DetectableShift minimum_detectable_shift(const SmoothFit& one,
                                                       const SmoothFit& two,
                                                       double level,
                                                       double power = 0.8);

[[nodiscard]] DetectableShift minimum_detectable_shift_beside(const SmoothFit& one,
                                                              const SmoothFit& two,
                                                              double level,
                                                              double power = 0.8);

}  // namespace gammascope::stats
