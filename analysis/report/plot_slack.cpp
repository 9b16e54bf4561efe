// SPDX-License-Identifier: MIT
// Var A as a share of each bound, one row a verdict.
#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/report/cell_groups.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/plot.hpp"
#include "analysis/report/plot_script.hpp"
#include "analysis/report/text.hpp"

namespace gammascope::report {
namespace {

constexpr std::size_t most_rows = 30;

struct Look {
  Outcome outcome;
  CurveStyle style;
};
constexpr std::array<Look, 5> looks{{{Outcome::pass, {"#0072B2", 7}},
                                     {Outcome::fail, {"#D55E00", 5}},
                                     {Outcome::inconclusive, {"#E69F00", 9}},
                                     {Outcome::identity, {"#777777", 4}},
                                     {Outcome::degenerate, {"#777777", 12}}}};

std::optional<double> share(const std::optional<double>& x, const Verdict& v) {
  if (!x || !v.bound || *v.bound == 0.0) return std::nullopt;
  return *x / *v.bound;
}

}  // namespace

std::optional<Plot> plot_slack(const Result& result) {
  std::vector<std::size_t> rows;
  for (const std::size_t i : worst_first(result.verdicts))
    // A share of 0 (a degenerate cell) has no place on a logarithmic axis.
    if (used_share(result.verdicts[i]).value_or(0.0) > 0.0) rows.push_back(i);
  if (rows.empty()) return std::nullopt;
  const auto where = [&](std::size_t i) {
    return place(result.verdicts[i].alignment, result.verdicts[i].n);
  };
  const bool one_place =
      std::ranges::all_of(rows, [&](std::size_t i) { return where(i) == where(rows.front()); });
  const std::size_t drawn = std::min(rows.size(), most_rows);

  Plot plot{
      "slack",
      "How much of each bound is used" + (one_place ? ", " + where(rows.front()) : std::string()),
      {},
      {},
      {}};
  plot.caption =
      "Measured variance over the bound, worst first, with its limits, on a logarithmic scale. "
      "Left of "
      "the line at 1 the bound holds; the further left, the looser it is. A fail lies right of the "
      "line "
      "with both limits." +
      (drawn < rows.size() ? " Drawn are the worst " + std::to_string(drawn) + " of " +
                                 std::to_string(rows.size()) + "; the .tsv has all."
                           : std::string());
  plot.data = "#" + tsv_line({"row",
                              "verdict",
                              "claim",
                              "alignment",
                              "gamma",
                              "n",
                              "used",
                              "lower",
                              "upper",
                              "value",
                              "bound"});
  Range range;
  range.add(1.0);
  std::string ticks;
  std::vector<std::string> elements;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Verdict& v = result.verdicts[rows[r]];
    const auto used = used_share(v), lower = share(v.lower, v), upper = share(v.upper, v);
    plot.data += tsv_line({std::to_string(r),
                           std::string(name(v.outcome)),
                           v.claim,
                           v.alignment ? std::string(name(*v.alignment)) : "-",
                           v.gamma ? exact_number(*v.gamma) : "NaN",
                           v.n ? std::to_string(*v.n) : "NaN",
                           field(used),
                           field(lower),
                           field(upper),
                           field(v.value),
                           field(v.bound)});
    if (r >= drawn) continue;
    range.add(used);
    range.add(upper);
    if (lower && *lower > *used / 30.0) range.add(lower);
    ticks.append(ticks.empty() ? "" : ", ")
        .append(quote(shorten(printable(std::string(name(v.outcome)) + ": " + v.claim +
                                        (one_place ? "" : ", " + where(rows[r])) +
                                        (v.gamma ? ", gamma " + exact_number(*v.gamma) : "")),
                              60)))
        .append(" ")
        .append(std::to_string(r));
  }
  const LogAxis x = decimal_axis(range, 1.4);
  const std::string file = quote(plot.name + ".tsv");
  const std::string floor = exact_number(x.lo);
  for (const Look& look : looks) {
    const std::string word(name(look.outcome));
    if (std::ranges::none_of(
            rows, [&](std::size_t i) { return result.verdicts[i].outcome == look.outcome; }))
      continue;
    const std::string mine =
        "(strcol(2) eq " + quote(word) + " && column(7) > 0 ? column(7) : NaN)";
    const std::string low = "(column(8) <= " + floor + " ? " + floor + " : column(8))";
    const std::string colour = " lc rgb " + quote(look.style.colour) + " pt " +
                               std::to_string(look.style.point) + " ps 1.2 lw 1.6";
    elements.push_back(file + " using " + mine + ":1:" + low + ":9 with xerrorbars" + colour +
                       " notitle");
    elements.push_back(file + " using " + mine + ":1 with points" + colour + " notitle");
  }
  const std::string end = exact_number(static_cast<double>(drawn) - 0.4);
  plot.script = script(plot,
                       x_label("Var A / bound") + "set logscale x\nset xrange [" + floor + ":" +
                           exact_number(x.hi) + "]\nset xtics (" + x.ticks + ")\nset yrange [" +
                           end + ":-0.6]\nset ytics (" + ticks + ")\n" +
                           "set arrow from 1, graph 0 to 1, graph 1 nohead lw 1.6 dt 2 lc rgb " +
                           quote(grey) + "\n",
                       join(elements),
                       0,
                       100 + 26 * static_cast<int>(drawn));
  return plot;
}

}  // namespace gammascope::report
