// SPDX-License-Identifier: MIT
// Tails of the log-ratio, and the list of all plots.
#include <algorithm>
#include <cmath>

#include "analysis/report/number.hpp"
#include "analysis/report/plot.hpp"
#include "analysis/report/plot_script.hpp"

namespace gammascope::report {

std::optional<Plot> plot_tails(const Tails& tails) {
  if (tails.total() == 0) return std::nullopt;
  Plot plot{"tails", "Tails of the log-ratio Delta, one token", {}, {}, {}};
  plot.caption =
      "Share of tokens with at least x nats on each side, logarithmic. On policy the side of "
      "positive credit "
      "stays below exp(-x) (theory-2, 1a); only a tail that leaves the line by far more than its "
      "last few "
      "tokens speaks against it. The other side has no such bound: it is where heavy tails live.";
  plot.data = "#" + tsv_line({"side", "x", "share", "tokens"});
  const auto total = static_cast<double>(tails.total());
  Range range;
  double longest = Tails::bin_width;
  for (const Tails::Side side : {Tails::Side::positive_credit, Tails::Side::negative_credit}) {
    const bool positive = side == Tails::Side::positive_credit;
    if (!positive) plot.data += "\n\n";
    for (std::size_t i = 0; i < Tails::bins; ++i) {
      const std::int64_t n = tails.at_least(side, i);
      if (n == 0 && i > 0) break;
      const double x = static_cast<double>(i) * Tails::bin_width,
                   share = static_cast<double>(n) / total;
      range.add(share);
      longest = std::max(longest, x);
      plot.data += tsv_line({positive ? "positive_credit" : "negative_credit",
                             exact_number(x),
                             exact_number(share),
                             std::to_string(n)});
    }
  }
  range.add(1.0);
  const LogAxis y = decimal_axis(range);
  const std::string file = quote(plot.name + ".tsv");
  const auto side = [&](int index, const CurveStyle& style, const char* title) {
    return file + " index " + std::to_string(index) +
           " using 2:(column(3) > 0 ? column(3) : NaN) with linespoints pi -12 pt " +
           std::to_string(style.point) + " ps 1 lw 1.8 lc rgb " + quote(style.colour) + " title " +
           quote(title);
  };
  plot.script = script(
      plot,
      x_label("x (nats)") + "set ylabel \"share of tokens\"\nset samples 400\nset xrange [0:" +
          exact_number(longest * 1.03) + "]\nset logscale y\nset yrange [" + exact_number(y.lo) +
          ":" + exact_number(y.hi) + "]\nset ytics (" + y.ticks + ")\n",
      join({side(0, curve_styles[0], "-Delta ≥ x: positive credit"),
            side(1, curve_styles[1], "Delta ≥ x: negative credit"),
            "exp(-x) with lines dt 2 lw 1.6 lc rgb " + quote(grey) +
                " title \"exp(-x), bound on positive credit\""}),
      3);
  return plot;
}

std::vector<Plot> plots_of(const Result& result, const Tails* tails) {
  std::vector<Plot> plots;
  const auto add = [&](std::optional<Plot> plot) {
    if (plot) plots.push_back(std::move(*plot));
  };
  for (const Alignment alignment : {Alignment::window, Alignment::position, Alignment::horizon})
    add(plot_growth(result, alignment));
  add(plot_gamma(result));
  add(plot_slack(result));
  if (tails != nullptr) add(plot_tails(*tails));
  return plots;
}

}  // namespace gammascope::report
