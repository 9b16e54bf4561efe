// SPDX-License-Identifier: MIT
// Two independent cells compared on the log scale by MOVER (method of variance estimates
// recovery): limits of a ratio from the limits of its parts. Source: calibration 6.2; the one-sided
// p-value is the error level at which the limit reaches 0 (theory 5.2). Tests:
// tests/analysis/stats/test_mover.cpp
#pragma once

#include <optional>

#include "analysis/stats/hjs.hpp"
#include "analysis/stats/hjs2.hpp"

namespace gammascope::stats {

/// Limits for theta_1 / theta_2 (a pure number), each side at (1 - confidence) / 2. The lower one
/// is 0 when theta_1's is 0, the upper one infinite when theta_2's lower one is 0. Absent unless
/// both fits have limits. @throws std::domain_error if confidence is not in (0, 1)
[[nodiscard]] std::optional<Limits> mover_limits(const HjsFit& one,
                                                 const HjsFit& two,
                                                 double confidence);

/// One-sided p-values for theta_1 against factor * theta_2, factor > 0.
struct MoverP {
  double below = 1;  ///< H0: theta_1 >= factor theta_2; small: shown below (pass)
  double above = 1;  ///< H0: theta_1 <= factor theta_2; small: shown above (fail)
};

/// Both 1 unless both fits have limits. Bisection over the level between 1e-16 and 1/2; the side
/// away from the estimate gets 1 - the other's. Cost about 0.1 ms.
/// @throws std::domain_error unless factor > 0
[[nodiscard]] MoverP mover_p(const HjsFit& one, const HjsFit& two, double factor);

/// The same on the scale of L itself: limits for L_1 - L_2 of two independent logs (means, growth
/// exponents, logs of ratios).
[[nodiscard]] std::optional<Limits> mover_limits(const SmoothFit& one,
                                                 const SmoothFit& two,
                                                 double confidence);

/// One-sided p-values for L_1 against L_2 + shift.
[[nodiscard]] MoverP mover_p(const SmoothFit& one, const SmoothFit& two, double shift);

}  // namespace gammascope::stats
