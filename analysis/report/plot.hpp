// SPDX-License-Identifier: MIT
// Plots of a result as data and gnuplot scripts: text only, nothing is run (gnuplot.hpp runs it).
// Each script draws NAME.png and NAME.svg beside itself from NAME.tsv, so it can be edited and
// drawn again by hand. Colours: Okabe-Ito, with a point type and a dash of its own for each curve,
// so that grey print reads. Tests: tests/analysis/report/test_plot.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/report/result.hpp"
#include "analysis/report/tails.hpp"

namespace gammascope::report {

struct Plot {
  std::string name;     ///< stem of its files: letters, digits, "_"
  std::string title;    ///< plain text
  std::string caption;  ///< what to look for
  std::string script;   ///< NAME.gp
  std::string data;     ///< NAME.tsv: all numbers with all digits, blocks apart by two empty lines
};

/// Var A against n, both axes logarithmic: one curve per gamma with its limits as a band, exact
/// values as crosses, bounds (from the verdicts) as dashed lines. Absent with fewer than two n. By
/// position the axis is t + 1. At most 7 gammas are drawn (first, last and evenly between), all are
/// in the data.
[[nodiscard]] std::optional<Plot> plot_growth(const Result& result, Alignment alignment);

/// Var A against gamma, one curve per n (at most 7, as above), of the first alignment that has at
/// least two gammas. The gammas stand at even distances: 0.9, 0.99, 0.999 and 1 would fall together
/// on a true scale.
[[nodiscard]] std::optional<Plot> plot_gamma(const Result& result);

/// Slack: Var A as a share of each bound, one row a verdict with its limits, worst first, the bound
/// at
/// 1. At most 30 rows are drawn, all are in the data. Absent when no verdict has both numbers.
[[nodiscard]] std::optional<Plot> plot_slack(const Result& result);

/// Tails of the log-ratio: share of tokens with at least x nats on each side, and exp(-x), which
/// bounds the side of positive credit at one token (theory-2, 1a: P(A >= u) <= e^-u). Absent
/// without tokens.
[[nodiscard]] std::optional<Plot> plot_tails(const Tails& tails);

/// Every plot that the result has the numbers for, in the order above.
/// @param tails may be null
[[nodiscard]] std::vector<Plot> plots_of(const Result& result, const Tails* tails = nullptr);

}  // namespace gammascope::report
