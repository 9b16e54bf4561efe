// SPDX-License-Identifier: MIT
#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "analysis/cli/log_source.hpp"
#include "analysis/cli/options.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/measure/estimate.hpp"
#include "analysis/report/text.hpp"
#include "analysis/report/text_report.hpp"

namespace gammascope::cli {

namespace {

struct Options {
  LogOptions log;
  CellOptions cells;
  OutputOptions output;
};

/// What the numbers show, in one sentence.
std::string summary_of(const report::Result& result) {
  std::int64_t ok = 0, doubtful = 0, none = 0;
  for (const Cell& c : result.cells) {
    if (c.quantity != Quantity::variance) continue;
    if (c.status == CellStatus::ok)
      ++ok;
    else if (c.status == CellStatus::not_available)
      ++none;
    else
      ++doubtful;
  }
  std::string text = std::to_string(ok) + " of " + std::to_string(ok + doubtful + none) +
                     " variances have limits without a reservation";
  if (doubtful > 0) text += ", " + std::to_string(doubtful) + " have a label (see the reasons)";
  if (none > 0) text += ", " + std::to_string(none) + " could not be had";
  return text + ".";
}

/// Variances and means; the rest is for --json and --out.
std::string table_of(const report::Result& result) {
  report::Result shown = result;
  shown.cells.clear();
  for (const Quantity quantity : {Quantity::variance, Quantity::mean})
    for (const Cell& cell : result.cells)
      if (cell.quantity == quantity) shown.cells.push_back(cell);
  return report::result_text(shown, report::style_for(STDOUT_FILENO)) +
         "second moments and the split between and within prompts: with --json or --out\n";
}

ExitStatus run(const Options& o) {
  check_output(o.output);
  report::Result result;
  result.verb = "measure";
  o.log.describe(result.settings);
  o.cells.describe(result.settings);
  const unsigned threads = o.cells.thread_count();
  const LogSource source(o.log, o.output.quiet);
  const FirstPass first = source.first_pass();
  refuse_untrusted(source, first, o.output.force);
  const measure::Plan plan(settings_of(o.cells, first), cells_of(o.cells, first));
  const measure::Sweep sweep = source.measure(plan, threads, first);
  result.source = source_of(source, first);
  const double floor = noise_floor(o.cells, first);
  for (std::size_t i = 0; i < plan.cells().size(); ++i) {
    const measure::Estimate e = measure::estimate(sweep, i, floor);
    for (const Cell& cell : {e.mean, e.variance, e.second_moment}) result.cells.push_back(cell);
    for (const Cell& cell : measure::prompt_split_cells(sweep, i)) result.cells.push_back(cell);
  }
  if (auto finding = first.lag.finding()) result.findings.push_back(*finding);
  result.summary = summary_of(result);
  write_output(result, o.output, &first.tails, table_of(result));
  return ExitStatus::ok;
}

}  // namespace

Action setup_measure(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  add_log_options(app, o->log);
  add_cell_options(app, o->cells);
  add_output_options(app, o->output);
  app.footer(
      "Example:\n  gammascope measure examples/data/sums.jsonl.zst --gamma 0.9,0.99 --alignment "
      "window --at log");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
