// SPDX-License-Identifier: MIT
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "analysis/cli/first_look.hpp"
#include "analysis/cli/log_source.hpp"
#include "analysis/cli/options.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/measure/variance_ratio.hpp"

namespace gammascope::cli {

namespace {

struct Options {
  LogOptions log;
  CellOptions cells;
  OutputOptions output;
  std::map<std::string, std::string> refused;  ///< options of `measure` that a look has no room for

  void refuse() const {
    for (const auto& [option, value] : refused)
      if (!value.empty())
        throw UsageError(option +
                         ": a first look shows windows from the first token of every response, cut "
                         "or not; `gammascope measure LOG " +
                         option + " " + value + "` takes it");
  }
};

/// Adds the ratio of the variances that the closing sentence compares: the largest gamma below 1
/// against 0, where both are.
void compare(Look& look, const measure::Sweep& sweep) {
  std::optional<std::size_t> low, high;
  for (std::size_t i = 0; i < look.rows.size(); ++i) {
    if (look.rows[i].gamma == 0.0) low = i;
    if (look.rows[i].gamma > 0.0 && look.rows[i].gamma < 1.0) high = i;
  }
  if (low && high) look.ratio = measure::variance_ratio(sweep, *high, *low);
}

/// Exits 0 whatever it says: a first look decides nothing.
ExitStatus run(const Options& o) {
  check_output(o.output, o.log.logs);
  o.refuse();
  report::Result result;
  result.verb = "look";
  o.log.describe(result.settings);
  result.settings.emplace_back("gamma", o.cells.gammas());
  result.settings.emplace_back("at", o.cells.at);
  result.settings.emplace_back("clock", std::string(name(word<Clock>("--clock", o.cells.clock))));
  result.settings.emplace_back("noise-floor", o.cells.noise_floor);
  result.settings.emplace_back("confidence", o.cells.confidence_level());
  const unsigned threads = o.cells.thread_count();
  const LogSource source(o.log, o.output.quiet);
  const FirstPass first = source.first_pass();
  result.source = source_of(source, first);

  Look look;
  look.logs = o.log.logs;
  if (const std::string missing = first.missing_side(); !missing.empty()) {
    look.no_numbers = missing;
  } else if (const auto median = first.survey.median_length()) {
    const auto at = o.cells.places(Alignment::window, *median, first.survey.longest());
    if (at.size() != 1)
      throw UsageError("--at: a first look shows one window; `gammascope measure LOG --at " +
                       o.cells.at + "` takes a list");
    look.window = at.front();
    const measure::Plan plan(settings_of(o.cells, first), cells_of(o.cells, first));
    const measure::Sweep sweep = source.measure(plan, threads, first);
    const double floor = noise_floor(o.cells, first);
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
    compare(look, sweep);
    if (look.ratio) result.cells.push_back(*look.ratio);
    settle(result.settings, o.cells, first);
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
  app.add_option("--at", o->cells.at, "one window, tokens (default: the median length)")
      ->group(group);
  app.add_option("--clock", o->cells.clock, "gamma at masked tokens: skip | count | reset | turn")
      ->group(group)
      ->capture_default_str();
  app.add_option("--noise-floor",
                 o->cells.noise_floor,
                 "sd of a log-ratio's engine error, nats (default: from the header's dtype)")
      ->group(group);
  app.add_option("--confidence", o->cells.confidence, "of two-sided limits of Var A and its mean")
      ->group(group)
      ->capture_default_str();
  app.add_option("--threads", o->cells.threads, "0: one per core; changes no result")
      ->group(group)
      ->capture_default_str();
  for (const char* option : {"--alignment", "--start", "--max-length", "--truncated", "--weight"})
    app.add_option(option, o->refused[option])->group("");
  add_output_options(app, o->output);
  app.footer("Example:\n  gammascope examples/data/sums.jsonl.zst");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
