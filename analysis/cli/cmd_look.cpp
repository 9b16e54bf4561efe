// SPDX-License-Identifier: MIT
#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "analysis/cli/first_look.hpp"
#include "analysis/cli/log_source.hpp"
#include "analysis/cli/options.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/verb.hpp"

namespace gammascope::cli {

namespace {

struct Options {
  LogOptions log;
  CellOptions cells;
  OutputOptions output;
};

/// Exits 0 whatever it says: a first look decides nothing.
ExitStatus run(const Options& o) {
  check_output(o.output, o.log.logs);
  report::Result result;
  result.verb = "look";
  o.log.describe(result.settings);
  result.settings.emplace_back("gamma", o.cells.gammas());
  result.settings.emplace_back("clock", std::string(name(word<Clock>("--clock", o.cells.clock))));
  const unsigned threads = o.cells.thread_count();
  const LogSource source(o.log, o.output.quiet);
  const FirstPass first = source.first_pass();
  result.source = source_of(source, first);

  Look look;
  look.logs = o.log.logs;
  if (const std::string missing = first.missing_side(); !missing.empty()) {
    look.no_numbers = missing;
  } else if (const auto median = first.survey.median_length()) {
    look.window = *median;
    CellOptions cells = o.cells;
    const measure::Plan plan(settings_of(cells, first), cells_of(cells, first));
    const measure::Sweep sweep = source.measure(plan, threads, first);
    const double floor = noise_floor(cells, first);
    for (std::size_t i = 0; i < plan.cells().size(); ++i) {
      LookRow row{plan.cells()[i].gamma, measure::estimate(sweep, i, floor), {}};
      row.bounds = used_bounds(first,
                               look.window,
                               {sweep.weight_sum(i), sweep.squared_weight_sum(i)},
                               row.gamma,
                               plan.settings().clock);
      for (const Cell& cell : {row.estimate.mean, row.estimate.variance})
        result.cells.push_back(cell);
      look.rows.push_back(std::move(row));
    }
  } else {
    look.no_numbers = "no response has a sampled token";
  }
  result.findings = findings_of(first, o.cells);
  if (first.both_sides())
    for (const Cell& cell : first.identities.cells()) result.cells.push_back(cell);
  result.summary = first_look_summary(first, look);
  write_output(
      result,
      o.output,
      &first.tails,
      first_look_text(source, first, look, result.findings, report::style_for(STDOUT_FILENO)));
  return ExitStatus::ok;
}

}  // namespace

Action setup_look(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  add_log_options(app, o->log);
  const std::string group = "what is measured";
  app.add_option("--gamma", o->cells.gamma, "discounts")->group(group)->capture_default_str();
  app.add_option("--clock", o->cells.clock, "gamma at masked tokens: skip | count | reset | turn")
      ->group(group)
      ->capture_default_str();
  app.add_option("--threads", o->cells.threads, "0: one per core; changes no result")
      ->group(group)
      ->capture_default_str();
  add_output_options(app, o->output);
  app.footer("Example:\n  gammascope examples/data/sums.jsonl.zst");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
