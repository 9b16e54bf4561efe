// SPDX-License-Identifier: MIT
// Var A against n, and against gamma: two views of the same cells, so of the same data file too.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analysis/report/cell_groups.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/plot.hpp"
#include "analysis/report/plot_script.hpp"

namespace gammascope::report {
namespace {

constexpr std::size_t most_curves = curve_styles.size();

/// A row of the data file. `x` is where it stands on the axis.
struct Row {
  double gamma = 0;
  std::optional<std::int64_t> n;
  double x = 0;
  std::optional<double> value, lower, upper;
  std::string status;
};

/// Rows that one line runs through.
struct Curve {
  std::string kind;     ///< measured, exact or bound
  std::string claim;    ///< of a bound
  std::size_t key = 0;  ///< which gamma, or which n: decides colour and point
  std::vector<Row> rows;
};

std::string data_text(const std::vector<Curve>& curves) {
  std::string text =
      "#" + tsv_line({"kind", "claim", "gamma", "n", "x", "value", "lower", "upper", "status"});
  for (const Curve& curve : curves) {
    if (&curve != &curves.front()) text += "\n\n";
    for (const Row& row : curve.rows)
      text += tsv_line({curve.kind,
                        curve.claim.empty() ? "-" : curve.claim,
                        exact_number(row.gamma),
                        row.n ? std::to_string(*row.n) : "NaN",
                        exact_number(row.x),
                        field(row.value),
                        field(row.lower),
                        field(row.upper),
                        row.status.empty() ? "-" : row.status});
  }
  return text;
}

std::string positive(const char* column, const std::string& otherwise) {
  return std::string("(column(") + column + ") > 0 ? column(" + column + ") : " + otherwise + ")";
}

struct Drawn {
  std::string elements;  ///< what follows the word plot
  std::size_t entries;   ///< of the legend
};

/// A bound that is there for one x only: a short dash across it.
std::string dash(const std::string& from, bool log_x) {
  return from +
         (log_x ? "(column(5) / 1.2):6:(column(5) * 0.3667):(0)"
                : "(column(5) - 0.12):6:(0.24):(0)") +
         " with vectors nohead";
}

/// @param labels of every key; `shown` says which keys are drawn
/// @param floor where the y axis starts
/// @param log_x limits as a band on a logarithmic x axis, else as bars
Drawn drawn(const std::string& file,
            const std::vector<Curve>& curves,
            const std::vector<std::size_t>& shown,
            const std::vector<std::string>& labels,
            double floor,
            bool log_x) {
  std::vector<std::string> back, front, legend;
  std::vector<std::string> claims;
  std::set<std::size_t> named;
  bool any_unreliable = false, any_exact = false;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Curve& curve = curves[i];
    const auto at = std::ranges::find(shown, curve.key);
    if (at == shown.end()) continue;
    const CurveStyle style = curve_styles.at(static_cast<std::size_t>(at - shown.begin()));
    const std::string from = quote(file) + " index " + std::to_string(i) + " using ";
    const std::string colour = " lc rgb " + quote(style.colour);
    const std::string value = positive("6", "NaN");
    if (curve.kind == "bound") {
      const auto known = std::ranges::find(claims, curve.claim);
      const auto which = known - claims.begin();
      if (known == claims.end()) claims.push_back(curve.claim);
      front.push_back(
          (curve.rows.size() > 1 ? from + "5:" + value + " with lines" : dash(from, log_x)) +
          colour + " lw 1.4 dt " + std::to_string(2 + which % 4) + " notitle");
      continue;
    }
    // Absent limits must not become a band down to the axis: only those that are there and below
    // it.
    const std::string low =
        "(column(7) <= " + exact_number(floor) + " ? " + exact_number(floor) + " : column(7))";
    const bool limited =
        std::ranges::any_of(curve.rows, [](const Row& r) { return r.lower && r.upper; });
    if (limited && log_x && curve.rows.size() > 1)
      back.push_back(from + "5:" + low + ":8 with filledcurves" + colour +
                     " fs transparent solid 0.18 noborder notitle");
    else if (limited)
      back.push_back(from + "5:" + value + ":" + low + ":8 with yerrorbars" + colour +
                     " pt 0 lw 1.2 notitle");
    if (curve.kind == "exact") {
      any_exact = true;
      // Beside a measured curve crosses say enough; alone they need a line to be followed by eye.
      const bool alone = std::ranges::none_of(curves, [&](const Curve& other) {
        return other.kind == "measured" && other.key == curve.key;
      });
      front.push_back(from + "5:" + value +
                      (alone && curve.rows.size() > 1 ? " with linespoints" : " with points") +
                      colour + " pt 2 ps 1.5 lw 1.8 notitle");
    } else {
      any_unreliable = any_unreliable || std::ranges::any_of(curve.rows, [](const Row& r) {
                         return r.status == "unreliable";
                       });
      front.push_back(from + "5:" + value + " with linespoints" + colour + " pt " +
                      std::to_string(style.point) + " ps 1 lw 1.6 notitle");
    }
    if (named.insert(curve.key).second)
      legend.push_back("keyentry with linespoints" + colour + " pt " +
                       std::to_string(curve.kind == "exact" ? 2 : style.point) + " lw 1.6 title " +
                       quote(labels[curve.key]));
  }
  const std::string note = " lc rgb " + quote(grey);
  if (any_unreliable) {
    front.push_back(
        quote(file) +
        " using 5:(strcol(9) eq \"unreliable\" ? column(6) : NaN) with points pt 6 ps 2.2" + note +
        " notitle");
    legend.push_back("keyentry with points pt 6 ps 2.2" + note + " title \"ring: unreliable\"");
  }
  if (any_exact)
    legend.push_back("keyentry with points pt 2 ps 1.5" + note + " title \"cross: exact\"");
  for (std::size_t c = 0; c < claims.size(); ++c)
    legend.push_back("keyentry with lines lw 1.4 dt " + std::to_string(2 + c % 4) + note +
                     " title " + quote("bound " + claims[c]));
  back.insert(back.end(), front.begin(), front.end());
  back.insert(back.end(), legend.begin(), legend.end());
  return {join(back), legend.size()};
}

std::string y_axis(const LogAxis& y) {
  return "set logscale y\nset yrange [" + exact_number(y.lo) + ":" + exact_number(y.hi) +
         "]\nset ytics (" + y.ticks + ")\n";
}

Range heights(const std::vector<Curve>& curves) {
  Range range;
  for (const Curve& curve : curves)
    for (const Row& row : curve.rows) {
      range.add(row.value);
      range.add(row.upper);
      // A limit near zero would push all else to the top edge.
      if (row.value && row.lower && *row.lower > *row.value / 30.0) range.add(row.lower);
    }
  return range;
}

std::string shown_note(std::size_t shown, std::size_t all, const std::string& what) {
  if (shown == all) return {};
  return " Drawn are " + std::to_string(shown) + " of " + std::to_string(all) + " " + what +
         "; the .tsv has all.";
}

bool is_variance(const Cell& cell, Alignment alignment) {
  return cell.quantity == Quantity::variance && cell.alignment == alignment &&
         cell.gamma.has_value();
}

/// Curves by (exact or measured, key), then bounds by (claim, key), rows along x.
template <class CellKey, class VerdictKey>
std::vector<Curve> collect(const Result& result,
                           Alignment alignment,
                           CellKey cell_row,
                           VerdictKey bound_row) {
  std::map<std::tuple<int, std::string, std::size_t>, Curve> curves;
  for (const Cell& cell : result.cells) {
    if (!is_variance(cell, alignment)) continue;
    const auto at = cell_row(cell);
    if (!at) continue;
    const bool exact = cell.status == CellStatus::exact;
    Curve& curve = curves[{exact ? 1 : 0, "", at->first}];
    curve.kind = exact ? "exact" : "measured";
    curve.key = at->first;
    curve.rows.push_back({*cell.gamma,
                          cell.n,
                          at->second,
                          cell.value,
                          cell.lower,
                          cell.upper,
                          std::string(name(cell.status))});
  }
  for (const Verdict& v : result.verdicts) {
    const bool of_variance = v.quantity == Quantity::variance && v.relation == Relation::at_most;
    if (v.alignment != alignment || !v.bound || !v.gamma || !of_variance) continue;
    const auto at = bound_row(v);
    if (!at) continue;
    Curve& curve = curves[{2, v.claim, at->first}];
    curve.kind = "bound";
    curve.claim = v.claim;
    curve.key = at->first;
    curve.rows.push_back({*v.gamma, v.n, at->second, v.bound, {}, {}, ""});
  }
  std::vector<Curve> list;
  for (auto& [order, curve] : curves) {
    std::ranges::stable_sort(curve.rows, {}, &Row::x);
    list.push_back(std::move(curve));
  }
  return list;
}

template <class T>
std::optional<std::size_t> index_of(const std::vector<T>& sorted, const T& x) {
  const auto at = std::ranges::lower_bound(sorted, x);
  if (at == sorted.end() || *at != x) return std::nullopt;
  return static_cast<std::size_t>(at - sorted.begin());
}

/// Sorted, each once.
template <class T>
std::vector<T> listed(const std::set<T>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

std::optional<Plot> plot_growth(const Result& result, Alignment alignment) {
  std::set<double> gamma_set;
  std::set<std::int64_t> n_set;
  for (const Cell& cell : result.cells)
    if (is_variance(cell, alignment) && cell.n && cell.value) {
      gamma_set.insert(*cell.gamma);
      n_set.insert(*cell.n);
    }
  if (n_set.size() < 2) return std::nullopt;
  const std::vector<double> gammas = listed(gamma_set);
  const double shift = alignment == Alignment::position ? 1 : 0;
  using At = std::optional<std::pair<std::size_t, double>>;
  const auto at = [&](double gamma, const std::optional<std::int64_t>& n) -> At {
    const auto key = index_of(gammas, gamma);
    if (!key || !n) return std::nullopt;
    return std::pair(*key, static_cast<double>(*n) + shift);
  };
  const std::vector<Curve> curves = collect(
      result,
      alignment,
      [&](const Cell& c) { return at(*c.gamma, c.n); },
      [&](const Verdict& v) { return at(*v.gamma, v.n); });

  const std::string by(name(alignment));
  Plot plot{"variance_by_" + by, "Variance of the credit A, by " + by, {}, {}, {}};
  const std::vector<std::size_t> shown = evenly(gammas.size(), most_curves);
  plot.caption =
      std::string(
          "One curve per gamma, both axes logarithmic; the band is the limits. A slope of 1 is a "
          "variance that grows in proportion to n, 2 one that grows with its square; a flat end "
          "has "
          "been stopped by gamma, or by responses that end.") +
      (std::ranges::any_of(curves, [](const Curve& c) { return c.kind == "bound"; })
           ? " The distance to a dashed line is the slack of that bound."
           : "") +
      shown_note(shown.size(), gammas.size(), "gammas");
  plot.data = data_text(curves);
  Range xs;
  for (const std::int64_t n : n_set) xs.add(static_cast<double>(n) + shift);
  const LogAxis x = binary_axis(xs), y = decimal_axis(heights(curves));
  const std::string axis = alignment == Alignment::position ? "position t + 1 (tokens)"
                           : alignment == Alignment::horizon
                               ? "horizon n (tokens left, this one included)"
                               : "window n (tokens)";
  std::vector<std::string> labels;
  for (const double g : gammas) labels.push_back("gamma " + exact_number(g));
  const Drawn all = drawn(plot.name + ".tsv", curves, shown, labels, y.lo, true);
  plot.script =
      script(plot,
             x_label(axis) + "set ylabel \"Var A (nats²)\"\nset logscale x\nset xrange [" +
                 exact_number(x.lo) + ":" + exact_number(x.hi) + "]\nset xtics (" + x.ticks +
                 ")\n" + y_axis(y),
             all.elements,
             all.entries);
  return plot;
}

std::optional<Plot> plot_gamma(const Result& result) {
  std::set<double> gamma_set;
  std::set<std::optional<std::int64_t>> n_set;
  std::optional<Alignment> chosen;
  for (const Alignment alignment :
       {Alignment::window, Alignment::position, Alignment::horizon, Alignment::infinite}) {
    gamma_set.clear();
    n_set.clear();
    for (const Cell& cell : result.cells)
      if (is_variance(cell, alignment) && cell.value) {
        gamma_set.insert(*cell.gamma);
        n_set.insert(cell.n);
      }
    if (gamma_set.size() < 2) continue;
    chosen = alignment;
    break;
  }
  if (!chosen) return std::nullopt;
  const std::vector<double> gammas = listed(gamma_set);
  const std::vector<std::optional<std::int64_t>> ns = listed(n_set);
  const std::vector<std::size_t> shown = evenly(ns.size(), most_curves);
  using At = std::optional<std::pair<std::size_t, double>>;
  const auto at = [&](double gamma, const std::optional<std::int64_t>& n) -> At {
    const auto where = index_of(gammas, gamma);
    const auto key = index_of(ns, n);
    if (!where || !key) return std::nullopt;
    return std::pair(*key, static_cast<double>(*where));
  };
  const std::vector<Curve> curves = collect(
      result,
      *chosen,
      [&](const Cell& c) { return at(*c.gamma, c.n); },
      [&](const Verdict& v) { return at(*v.gamma, v.n); });

  Plot plot{"variance_by_gamma",
            "Variance of the credit A against gamma, by " + std::string(name(*chosen)),
            {},
            {},
            {}};
  plot.caption =
      "The price of looking further ahead: from gamma 0 (each token's own log-ratio) to 1 (all "
      "that "
      "follows). Gammas stand at even distances, not to scale; bars are the limits" +
      std::string(std::ranges::any_of(curves, [](const Curve& c) { return c.kind == "bound"; })
                      ? ", dashed lines the bounds."
                      : ".") +
      shown_note(shown.size(), ns.size(), "n");
  plot.data = data_text(curves);
  const LogAxis y = decimal_axis(heights(curves));
  std::string ticks;
  const std::size_t every = (gammas.size() + 15) / 16;
  for (std::size_t i = 0; i < gammas.size(); i += every)
    ticks.append(ticks.empty() ? "" : ", ")
        .append(quote(exact_number(gammas[i])))
        .append(" ")
        .append(std::to_string(i));
  std::vector<std::string> labels;
  for (const auto& n : ns) labels.push_back(place(*chosen, n));
  const std::string last = exact_number(static_cast<double>(gammas.size()) - 0.75);
  const Drawn all = drawn(plot.name + ".tsv", curves, shown, labels, y.lo, false);
  plot.script = script(plot,
                       x_label("gamma (even distances, not to scale)") +
                           "set ylabel \"Var A (nats²)\"\nset xrange [-0.25:" + last +
                           "]\nset xtics (" + ticks + ")\n" + y_axis(y),
                       all.elements,
                       all.entries);
  return plot;
}

}  // namespace gammascope::report
