// SPDX-License-Identifier: MIT
// Pieces that all gnuplot scripts share: axes, colours, rows of data. Private to this folder.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/plot.hpp"

namespace gammascope::report {

/// How one curve looks: Okabe-Ito without its yellow and black (one is lost on white, the other on
/// a dark page), and a point type that no other curve has.
struct CurveStyle {
  std::string_view colour;
  int point;
};
inline constexpr std::array<CurveStyle, 7> curve_styles{{{"#0072B2", 7},
                                                         {"#D55E00", 5},
                                                         {"#009E73", 9},
                                                         {"#CC79A7", 13},
                                                         {"#E69F00", 11},
                                                         {"#56B4E9", 15},
                                                         {"#777777", 4}}};
inline constexpr std::string_view grey = "#777777";

/// The smallest and largest number seen that a logarithmic axis can hold (1e-290 to 1e290).
class Range {
 public:
  void add(const std::optional<double>& x);
  [[nodiscard]] bool empty() const { return !(lo_ <= hi_); }
  [[nodiscard]] double lo() const { return lo_; }
  [[nodiscard]] double hi() const { return hi_; }

 private:
  double lo_ = 1, hi_ = 0;
};

/// A logarithmic axis over a range, with room at both ends, and its ticks.
struct LogAxis {
  double lo, hi;      ///< ends of the axis
  std::string ticks;  ///< for `set xtics (…)`
};
/// Decades, or 1-2-5 when there are at most `few` of them.
[[nodiscard]] LogAxis decimal_axis(const Range& range, double few = 3.0);
/// Powers of two, for numbers of tokens.
[[nodiscard]] LogAxis binary_axis(const Range& range);

/// At most `most` of 0 … size-1: first, last and evenly between.
[[nodiscard]] std::vector<std::size_t> evenly(std::size_t size, std::size_t most);

/// A gnuplot string in double quotes; control characters become blanks.
[[nodiscard]] std::string quote(std::string_view text);

/// `set xlabel` with an empty line under it, which keeps the legend away.
[[nodiscard]] std::string x_label(std::string_view text);

/// All digits, "NaN" when absent: gnuplot and pandas both read it.
[[nodiscard]] std::string field(const std::optional<double>& x);

/// One line of a .tsv: fields with a tab between, tabs and newlines inside made blanks.
[[nodiscard]] std::string tsv_line(const std::vector<std::string>& fields);

/// A script that sets itself up, runs `settings`, and draws `plots` (what follows the word plot) as
/// PNG and as SVG. The axes take about 440 of the height, in pixels of 900 across.
/// @param entries of the legend under the axes
[[nodiscard]] std::string script(const Plot& plot,
                                 std::string_view settings,
                                 std::string_view plots,
                                 std::size_t entries,
                                 int axes = 430);

/// `plot` elements joined the way gnuplot wants them.
[[nodiscard]] std::string join(const std::vector<std::string>& elements);

}  // namespace gammascope::report
