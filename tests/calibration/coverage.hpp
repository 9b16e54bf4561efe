// SPDX-License-Identifier: MIT
// Where the truth lies relative to limits, counted over replicates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/stats/hjs.hpp"
#include "tests/calibration/run.hpp"

namespace gammascope::calibration {

/// One replicate: 0 inside, 1 lower limit above the truth, 2 upper limit below it, 3 no limits.
struct Outcome {
  unsigned char where = 3;
  double length = 0;
};

[[nodiscard]] Outcome outcome(const std::optional<stats::Limits>& limits, double truth);

/// In percent of all replicates.
struct Coverage {
  double covered = 0, lower = 0, upper = 0, without = 0;
  double length = 0;  ///< median
  double replicates = 0;
  /// "95.2 (2.5/2.3) 1.04": coverage, lower and upper error, median length; how many have no limits
  [[nodiscard]] std::string text(int decimals = 2) const;
};

[[nodiscard]] Coverage coverage(const std::vector<Outcome>& outcomes);

/// Band for the coverage and caps for the two errors, before widening.
struct Band {
  double low, high, lower, upper;
};
inline constexpr Band light_band{94, 97, 3.5, 3.5}, frozen_band{93.5, 96.5, 3.5, 5};

/// The three gates of one cell, widened by three Monte Carlo errors. Replicates without limits
/// count as not covered.
void gate(std::vector<Gate>& gates, const std::string& what, const Coverage& c, const Band& band);

}  // namespace gammascope::calibration
