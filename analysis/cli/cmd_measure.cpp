// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "analysis/cli/by_parts.hpp"
#include "analysis/cli/log_state.hpp"
#include "analysis/cli/measure_log.hpp"
#include "analysis/cli/options.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/state_output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/measure/state_file.hpp"
#include "analysis/report/files.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/result_json.hpp"
#include "analysis/report/table.hpp"
#include "analysis/report/text.hpp"
#include "analysis/report/text_report.hpp"

namespace gammascope::cli {

namespace {

struct Options {
  LogOptions log;
  CellOptions cells;
  OutputOptions output;
  std::string exact, state, by;
};

bool same_place(const Cell& a, const Cell& b) {
  return a.quantity == b.quantity && a.alignment == b.alignment && a.gamma == b.gamma && a.n == b.n;
}

/// Cells of an exact result that stand beside measured ones.
std::vector<Cell> exact_cells(const std::string& file, const std::vector<Cell>& measured) {
  std::vector<Cell> found;
  const report::Result exact = report::from_json(report::read_file(file), file);
  for (const Cell& e : exact.cells)
    if (e.status == CellStatus::exact &&
        std::any_of(
            measured.begin(), measured.end(), [&](const Cell& m) { return same_place(e, m); }))
      found.push_back(e);
  if (found.empty())
    throw BadData({file,
                   0,
                   "cells",
                   "no exact cell has the quantity, alignment, gamma and n of a measured one"});
  return found;
}

/// Estimates beside exact values, as far as there are any.
std::string exact_table(const report::Result& result) {
  report::Table table({{"alignment", report::Align::left, 0},
                       {"gamma", report::Align::left, 0},
                       {"n", report::Align::right, 0},
                       {"exact Var A", report::Align::decimal, 0},
                       {"measured", report::Align::decimal, 0},
                       {"95 % limits", report::Align::left, 0},
                       {"exact inside", report::Align::left, 0},
                       {"exact mean", report::Align::decimal, 1},
                       {"measured", report::Align::decimal, 1}});
  const auto find = [&](Quantity quantity, const Cell& like, bool exact) -> const Cell* {
    for (const Cell& c : result.cells)
      if (c.quantity == quantity && (c.status == CellStatus::exact) == exact &&
          c.alignment == like.alignment && c.gamma == like.gamma && c.n == like.n)
        return &c;
    return nullptr;
  };
  std::int64_t inside = 0, judged = 0;
  for (const Cell& e : result.cells) {
    if (e.status != CellStatus::exact || e.quantity != Quantity::variance || !e.value) continue;
    const Cell* const m = find(Quantity::variance, e, false);
    if (m == nullptr) continue;
    const Cell* const exact_mean = find(Quantity::mean, e, true);
    const Cell* const mean = find(Quantity::mean, e, false);
    const bool limits = m->lower && m->upper;
    const bool in = limits && *m->lower <= *e.value && *e.value <= *m->upper;
    judged += limits ? 1 : 0;
    inside += in ? 1 : 0;
    table.add_row({std::string(name(*e.alignment)),
                   report::exact_number(e.gamma.value_or(0)),
                   e.n ? std::to_string(*e.n) : "-",
                   report::number(e.value),
                   report::number(m->value),
                   report::limits(m->lower, m->upper),
                   limits ? (in ? "yes" : "no") : "-",
                   exact_mean ? report::number(exact_mean->value) : "-",
                   mean ? report::number(mean->value) : "-"});
  }
  if (table.empty()) return {};
  return "exact values beside estimates (nats^2, mean in nats)\n" +
         table.text(report::style_for(STDOUT_FILENO)) + std::to_string(inside) + " of " +
         std::to_string(judged) +
         " exact values lie inside their limits (limits of one log are dependent: they miss "
         "together or not at all)\n\n";
}

std::string table_of(const report::Result& result) {
  if (const std::string beside = exact_table(result); !beside.empty())
    return report::source_text(result.source) + "\n" + beside + result.summary + "\n";
  return measured_text(result, report::style_for(STDOUT_FILENO));
}

/// The parts; all rows together only where no part owns the tokens (case N12).
std::string table_by(const report::Result& result, const MeasuredLog& measured) {
  const report::TextStyle style = report::style_for(STDOUT_FILENO);
  const std::string parts = by_text(measured.by, style);
  if (measured.unevenness <= uneven) return parts + table_of(result);
  return parts + report::source_text(result.source) +
         report::findings_text(result.findings, style) +
         report::wrap("the parts' shares of the tokens differ by a factor of " +
                          report::number(measured.unevenness) +
                          ": numbers of all rows together would speak for one of them and are "
                          "left to --json and --out.",
                      style.width) +
         "\n";
}

ExitStatus run(const Options& o) {
  std::vector<std::string> inputs = o.log.logs;
  if (!o.exact.empty()) inputs.push_back(o.exact);
  check_output(o.output, inputs, o.state);
  if (!o.state.empty()) check_state_output(o.state, o.output.force);
  MeasuredLog measured =
      measure_log(o.log, o.cells, o.output.force, o.output.quiet, !o.state.empty(), by_of(o.by));
  report::Result& result = measured.result;
  result.settings.emplace_back("exact", o.exact);
  result.settings.emplace_back("by", o.by);
  if (!o.exact.empty())
    for (const Cell& cell : exact_cells(o.exact, result.cells)) result.cells.push_back(cell);
  if (!o.state.empty()) measure::write_state(*measured.state, o.state, true);
  const std::string table = measured.by.empty() ? table_of(result) : table_by(result, measured);
  for (const Cell& cell : measured.by) result.cells.push_back(cell);
  write_output(result, o.output, &measured.tails, table);
  return ExitStatus::ok;
}

}  // namespace

Action setup_measure(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  add_log_options(app, o->log);
  add_cell_options(app, o->cells);
  add_by_option(app, o->by);
  app.add_option("--exact",
                 o->exact,
                 "result of `exact --json FILE` for the process that made the log: shown beside")
      ->type_name("FILE")
      ->group("what is measured");
  add_output_options(app, o->output);
  app.add_option("--state",
                 o->state,
                 "keeps the sums, so that `merge` can add up parts (give each the same --at) and "
                 "`compare` need not read the log")
      ->type_name("FILE")
      ->group("where the answer goes");
  app.footer(
      "Example:\n  gammascope measure examples/data/sums.jsonl.zst --gamma 0.9,0.99 --alignment "
      "window --at log");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
