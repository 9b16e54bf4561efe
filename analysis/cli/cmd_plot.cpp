// SPDX-License-Identifier: MIT
#include <array>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>

#include "analysis/cli/output.hpp"
#include "analysis/cli/result_source.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/plot.hpp"
#include "analysis/report/result_json.hpp"

namespace gammascope::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::array kinds{".gp", ".tsv", ".png", ".svg"};

struct Options {
  LogOptions log;
  CellOptions cells;
  OutputOptions output;

  Options() { output.out = "plots"; }
};

void refuse_overwriting(const std::vector<report::Plot>& plots, const fs::path& folder) {
  for (const report::Plot& plot : plots)
    for (const char* kind : kinds)
      if (const fs::path file = folder / (plot.name + kind); fs::exists(file))
        throw UsageError(file.string() + " is there already; --force overwrites it");
}

ExitStatus run(const Options& o) {
  const fs::path folder = o.output.out;
  check_json(o.output, o.log.logs);
  for (const std::string& log : o.log.logs)
    if (std::error_code none; fs::equivalent(log, folder, none))
      throw UsageError("--out " + o.output.out + " is what is read; give another folder");
  const DrawnResult drawn = result_of(o.log, o.cells, o.output.force, o.output.quiet);
  const std::vector<report::Plot> plots =
      report::plots_of(drawn.result, drawn.tails ? &*drawn.tails : nullptr);
  if (plots.empty())
    throw UsageError(
        "nothing to plot: the result has no variances at two gammas or two n, and no bounds; "
        "measure with --at log");
  if (!o.output.force) refuse_overwriting(plots, folder);
  report::draw(plots, folder);
  if (o.output.json_given) write_json(report::to_json(drawn.result), o.output);
  if (o.output.quiet || o.output.json_to_stdout()) return ExitStatus::ok;
  std::string text;
  for (const report::Plot& plot : plots)
    text += (folder / (plot.name + ".png")).string() + "  " + plot.title + "\n";
  print(text + "beside each: .svg, the data (.tsv) and the script that drew it (.gp)\n");
  return ExitStatus::ok;
}

}  // namespace

Action setup_plot(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  o->cells.at = "log";
  add_log_options(app, o->log);
  app.get_option("LOG")->description(
      "a result.json, the folder of --out, or logs (measured first)");
  add_cell_options(app, o->cells);
  app.get_option("--at")->description(
      "positions, horizons or windows: a list, log (1, 2, 4, ... and the largest) or all");
  const std::string group = "where the answer goes";
  add_json_option(app, o->output);
  app.add_option("--out", o->output.out, "folder for the plots: .png, .svg, .gp, .tsv")
      ->type_name("DIR")
      ->group(group)
      ->capture_default_str();
  app.add_flag("--force", o->output.force, "go on after an error of the doctor; overwrite")
      ->group(group);
  app.add_flag("--quiet", o->output.quiet, "no progress, no list")->group(group);
  app.footer(
      "Needs gnuplot (Debian package gnuplot-nox); without it .gp and .tsv are written and the "
      "exit status is 69.\n\n"
      "Example:\n  gammascope plot examples/data/sums.jsonl.zst --out plots");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
