// SPDX-License-Identifier: MIT
#include "analysis/report/plot_script.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/report/number.hpp"

namespace gammascope::report {
namespace {

std::string tick(const std::string& label, double at) {
  return quote(label) + " " + exact_number(at);
}

std::string minor_tick(double at) { return "\"\" " + exact_number(at) + " 1"; }

std::string list(const std::vector<std::string>& ticks) {
  std::string text;
  for (const std::string& t : ticks) text.append(text.empty() ? "" : ", ").append(t);
  return text;
}

}  // namespace

void Range::add(const std::optional<double>& x) {
  // Beyond these an axis with room at its ends would leave the doubles.
  if (!x || !(*x > 1e-280 && *x < 1e280)) return;
  lo_ = empty() ? *x : std::min(lo_, *x);
  hi_ = std::max(hi_, *x);
}

LogAxis decimal_axis(const Range& range, double few) {
  const double lo = range.empty() ? 0.1 : range.lo(), hi = range.empty() ? 10 : range.hi();
  const double room = std::max(1.25, std::pow(10.0, 0.05 * (std::log10(hi) - std::log10(lo))));
  LogAxis axis{lo / room, hi * room, {}};
  const double decades = std::log10(axis.hi) - std::log10(axis.lo);
  const int first = static_cast<int>(std::floor(std::log10(axis.lo)));
  const int last = static_cast<int>(std::ceil(std::log10(axis.hi)));
  const int step = std::max(1, static_cast<int>(std::ceil(decades / 9.0)));
  std::vector<std::string> ticks;
  for (int e = first; e <= last; ++e)
    for (int digit = 1; digit <= 9; ++digit) {
      const double at = digit * std::pow(10.0, e);
      if (at < axis.lo || at > axis.hi) continue;
      const bool labelled = decades > few   ? digit == 1 && (e - first) % step == 0
                            : decades > 0.8 ? digit == 1 || digit == 2 || digit == 5
                                            : true;
      if (labelled)
        ticks.push_back(tick(number(at), at));
      else if (step == 1)
        ticks.push_back(minor_tick(at));
    }
  axis.ticks = list(ticks);
  return axis;
}

LogAxis binary_axis(const Range& range) {
  const double lo = range.empty() ? 1 : range.lo(), hi = range.empty() ? 2 : range.hi();
  const double room = std::max(1.12, std::pow(2.0, 0.03 * (std::log2(hi) - std::log2(lo))));
  LogAxis axis{lo / room, hi * room, {}};
  const int first = static_cast<int>(std::floor(std::log2(axis.lo)));
  const int last = static_cast<int>(std::ceil(std::log2(axis.hi)));
  const int step = std::max(1, (last - first + 11) / 12);
  std::vector<std::string> ticks;
  for (int e = first; e <= last; ++e) {
    const double at = std::ldexp(1.0, e);
    if (at >= axis.lo && at <= axis.hi && e % step == 0) ticks.push_back(tick(number(at), at));
  }
  // Between two powers of two there may be none: then the ends themselves.
  if (ticks.size() < 2) {
    ticks = {tick(number(lo), lo)};
    if (hi > lo) ticks.push_back(tick(number(hi), hi));
  }
  axis.ticks = list(ticks);
  return axis;
}

std::vector<std::size_t> evenly(std::size_t size, std::size_t most) {
  std::vector<std::size_t> chosen;
  if (size <= most)
    for (std::size_t i = 0; i < size; ++i) chosen.push_back(i);
  else
    for (std::size_t i = 0; i < most; ++i)
      chosen.push_back((i * (size - 1) + (most - 1) / 2) / (most - 1));
  return chosen;
}

std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  return result + "\"";
}

std::string x_label(std::string_view text) {
  std::string quoted = quote(text);
  return "set xlabel " + quoted.insert(quoted.size() - 1, "\\n ") + "\n";
}

std::string field(const std::optional<double>& x) {
  return x && std::isfinite(*x) ? exact_number(*x) : "NaN";
}

std::string tsv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += '\t';
    for (const char c : fields[i]) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return line + "\n";
}

std::string script(const Plot& plot,
                   std::string_view settings,
                   std::string_view plots,
                   std::size_t entries,
                   int axes) {
  // Two or more entries share a line; the estimate may be generous, never short.
  const int height = axes + 70 + 24 * static_cast<int>((entries + 1) / 2);
  const std::string size = "size 900," + std::to_string(height);
  std::string text = "# " + plot.title + "\n# `gnuplot " + plot.name + ".gp` draws " + plot.name +
                     ".png and " + plot.name + ".svg from " + plot.name + ".tsv\n";
  text +=
      "set encoding utf8\n"
      "set datafile separator \"\\t\"\n"
      "set border 3 lw 1\n"
      "set tics nomirror out\n"
      "set grid lt 1 lw 0.6 lc rgb \"#BBBBBB\" dt solid\n"
      "set bars 0.6\n"
      "set rmargin 4\n"
      "set key outside bottom center horizontal Left reverse samplen 3 spacing 1.2 width 1\n";
  text += "set title " + quote(plot.title) + "\n";
  text.append(settings);
  text += "set terminal pngcairo " + size + " font \"DejaVu Sans,13\" noenhanced linewidth 1.4\n";
  text += "set output " + quote(plot.name + ".png") + "\n";
  text.append("plot ").append(plots).append("\n");
  text +=
      "set terminal svg " + size + " dynamic font \"DejaVu Sans,15\" noenhanced linewidth 1.4\n";
  text += "set output " + quote(plot.name + ".svg") + "\nreplot\nset output\n";
  return text;
}

std::string join(const std::vector<std::string>& elements) {
  std::string text;
  for (const std::string& element : elements)
    text.append(text.empty() ? "" : ", \\\n     ").append(element);
  return text;
}

}  // namespace gammascope::report
