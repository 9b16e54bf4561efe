// SPDX-License-Identifier: MIT
#include "analysis/cli/compare_text.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/report/cell_groups.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/table.hpp"
#include "analysis/report/text_report.hpp"

namespace gammascope::cli {
namespace {

using measure::Change, measure::Decision;
using report::Align;

std::string spaced(std::string_view word) {
  std::string text(word);
  std::ranges::replace(text, '_', ' ');
  return text;
}

report::Colour colour_of(ChangeWord word) {
  if (word == ChangeWord::changed) return report::Colour::bad;
  return word == ChangeWord::not_changed ? report::Colour::good : report::Colour::doubt;
}

std::string table_of(const Compared& all, Quantity quantity, const report::TextStyle& style) {
  const bool variance = quantity == Quantity::variance;
  const bool grouped = std::ranges::any_of(all.groups, [](const auto& g) { return !g.empty(); });
  std::vector<report::Column> columns;
  if (grouped) columns.push_back({"group"});
  columns.insert(columns.end(),
                 {{"at"},
                  {"gamma"},
                  {"first", Align::decimal},
                  {"second", Align::decimal},
                  {variance ? "second/first" : "second-first", Align::decimal},
                  {report::limits_title(1.0 - all.alpha)},
                  {"gain", Align::decimal, 2},
                  {"p", Align::right, 1},
                  {"answer"},
                  {"label", Align::left, 3}});
  report::Table table(columns);
  for (std::size_t i = 0; i < all.changes.size(); ++i) {
    const Change& c = all.changes[i];
    if (c.quantity != quantity) continue;
    const Decision& d = all.decisions[i];
    const auto limits = c.limits(1.0 - all.alpha);
    const bool same = d.word == ChangeWord::not_changed;
    const auto& p = same ? d.p_same : d.p_changed;
    std::vector<std::string> row;
    if (grouped) row.push_back(all.groups[i].empty() ? "all" : all.groups[i]);
    row.insert(row.end(),
               {report::place(c.cell.alignment, c.cell.n),
                report::exact_number(c.cell.gamma),
                report::number(c.one),
                report::number(c.two),
                report::number(c.value),
                limits ? report::limits(limits->lower, limits->upper) : "-",
                report::number(c.gain),
                p && c.missing.empty() ? report::p_value(*p) : "-",
                spaced(name(d.word)),
                spaced(name(c.status))});
    table.add_row(row, colour_of(d.word));
  }
  if (table.empty()) return {};
  return std::string(variance ? "variance of A (nats^2)" : "mean of A (nats)") + "\n" +
         table.text(style);
}

/// Each reason once, with the number of rows that it is about.
std::string reasons_of(const Compared& all, const report::TextStyle& style) {
  std::map<std::string, std::size_t> found;
  for (const Change& c : all.changes)
    if (!c.reason.empty()) ++found[spaced(name(c.status)) + ": " + c.reason];
  std::string text;
  for (const auto& [reason, times] : found)
    text += report::wrap("  " + std::to_string(times) + " of " +
                             std::to_string(all.changes.size()) + " " + reason,
                         style.width,
                         4) +
            "\n";
  return text;
}

}  // namespace

std::string compared_summary(const Compared& all) {
  std::size_t changed = 0, same = 0, open = 0, judged = 0;
  std::optional<double> above, below;
  for (std::size_t i = 0; i < all.changes.size(); ++i) {
    const ChangeWord word = all.decisions[i].word;
    ++(word == ChangeWord::changed ? changed : word == ChangeWord::not_changed ? same : open);
    if (all.changes[i].missing.empty()) ++judged;
  }
  for (const Change& c : all.changes)
    if (const auto effect = measure::detectable(c, all.alpha, judged)) {
      above = std::max(above.value_or(1.0), effect->first);
      below = std::min(below.value_or(1.0), effect->second);
    }
  std::string text =
      "Of " + std::to_string(all.changes.size()) + " numbers " + std::to_string(changed) +
      " changed" + (all.band > 0 ? " by more than " + report::percent(all.band) : std::string()) +
      ", " + std::to_string(same) + " did not" +
      (all.band > 0 ? " (within " + report::percent(all.band) + ")" : std::string()) + ", " +
      std::to_string(open) + " cannot be told";
  const bool adjusted = std::ranges::all_of(all.changes, [](const Change& c) { return c.has_p(); });
  text += adjusted
              ? " (chance of any wrong word at most " + report::percent(all.alpha) + ")"
              : " (each judged at its own limits: results allow no adjustment for their number)";
  if (open > 0 && above)
    text += "; in every variance a factor of " + report::number(*above) + " up or " +
            report::number(*below) + " down would be found in 4 of 5 such pairs of logs";
  if (open > 0 && all.band == 0)
    text += "; with --band (such as 10%) a number can also be shown not to have changed";
  else if (open > 0)
    text += "; more prompts, or a wider --band, would tell more";
  return text + ".";
}

std::string compared_text(const Compared& all,
                          const report::Result& result,
                          const report::TextStyle& style) {
  std::string text = "first    " + report::shorten(report::printable(all.one), 80) + "\nsecond   " +
                     report::shorten(report::printable(all.two), 80) + "\n";
  text += report::findings_text(result.findings, style) + "\n";
  for (const Quantity quantity : {Quantity::variance, Quantity::mean})
    if (const std::string table = table_of(all, quantity, style); !table.empty())
      text += table + "\n";
  if (const std::string reasons = reasons_of(all, style); !reasons.empty()) text += reasons + "\n";
  return text + report::wrap(result.summary, style.width) + "\n";
}

}  // namespace gammascope::cli
