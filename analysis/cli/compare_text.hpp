// SPDX-License-Identifier: MIT
// A comparison as a person reads it. Tests: tests/analysis/cli/test_compare.cpp
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analysis/measure/change.hpp"
#include "analysis/report/result.hpp"
#include "analysis/report/text.hpp"

namespace gammascope::cli {

/// What was asked, and what was found.
struct Compared {
  std::string one, two;  ///< names of the two
  std::vector<measure::Change> changes;
  std::vector<measure::Decision> decisions;
  std::vector<std::string> groups;  ///< of each change; empty texts: all rows
  double alpha = 0.05, band = 0;
};

/// Findings (pairing first), a table of variances and one of means, reasons, and the closing
/// sentence; no line is wider than style.width.
[[nodiscard]] std::string compared_text(const Compared& compared,
                                        const report::Result& result,
                                        const report::TextStyle& style);

/// "of 8 numbers 2 changed, …": what was found, how sure, what to do.
[[nodiscard]] std::string compared_summary(const Compared& compared);

}  // namespace gammascope::cli
