// SPDX-License-Identifier: MIT
// The table of `gammascope LOG`: what the log is, whether it can be trusted, Var(A) by gamma, and
// what to do next (results.md, last section). Under 25 lines of at most 100 columns. Tests:
// tests/analysis/cli/test_first_look.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/sigma2.hpp"
#include "analysis/cli/log_source.hpp"
#include "analysis/measure/estimate.hpp"
#include "analysis/report/text.hpp"

namespace gammascope::cli {

/// One bound at one gamma, made of the log's own numbers: a description.
struct UsedBound {
  std::string claim;
  double bound = 0;           ///< nats^2
  bool if_max_delta = false;  ///< took the largest Delta seen for c: only "if Delta <= c"
};

struct LookRow {
  double gamma = 0;
  measure::Estimate estimate;
  std::vector<UsedBound> bounds;  ///< ascending by value
};

struct Look {
  std::vector<std::string> logs;
  std::int64_t window = 0;    ///< tokens from the first; 0: nothing to measure
  std::string no_numbers;     ///< why there is no table; empty if there is one
  std::vector<LookRow> rows;  ///< by gamma, ascending
  std::optional<Cell> ratio;  ///< Var A at the largest gamma below 1 over that at 0
};

/// Every bound of bounds/ that the log's own numbers allow, at one gamma and window: not the KL
/// form, whose L would be the estimated mean (theory 5.2: never plugged in). Infinite forms below
/// gamma = 1 only, and not with the clock `turn`.
/// @param weights G and G2 of that cell
[[nodiscard]] std::vector<UsedBound> used_bounds(const FirstPass& first,
                                                 std::int64_t window,
                                                 const bounds::WeightSums& weights,
                                                 double gamma,
                                                 Clock clock);

/// @param findings those of the trust lines (shift, t1 to t4) are not said twice
[[nodiscard]] std::string first_look_text(const LogSource& source,
                                          const FirstPass& first,
                                          const Look& look,
                                          const std::vector<Finding>& findings,
                                          const report::TextStyle& style);

/// The closing sentence.
[[nodiscard]] std::string first_look_summary(const FirstPass& first, const Look& look);

}  // namespace gammascope::cli
