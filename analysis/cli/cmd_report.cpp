// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <stdlib.h>

#include "analysis/cli/output.hpp"
#include "analysis/cli/result_source.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/report/files.hpp"
#include "analysis/report/folder.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/html.hpp"
#include "analysis/report/result_json.hpp"

namespace gammascope::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
  LogOptions log;
  CellOptions cells;
  OutputOptions output;

  Options() { output.out = "report.html"; }
};

/// A folder for pictures on their way into a page.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "gammascope-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw NoInput(name + ": cannot be made");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The plots of one result, their names beginning with `prefix`; without gnuplot no pictures, and
/// `missing` says why.
std::vector<report::Drawing> drawings_of(const DrawnResult& drawn,
                                         const std::string& prefix,
                                         std::string& missing) {
  const std::vector<report::Plot> plots =
      report::plots_of(drawn.result, drawn.tails ? &*drawn.tails : nullptr);
  const Scratch scratch;
  try {
    report::draw(plots, scratch.path());
  } catch (const Unavailable& error) {
    missing = error.what();
  }
  std::vector<report::Drawing> drawings;
  for (const report::Plot& plot : plots) {
    drawings.push_back({prefix + plot.name, plot.title, plot.caption, {}});
    if (missing.empty())
      drawings.back().svg = report::read_file(scratch.path() / (plot.name + ".svg"));
  }
  return drawings;
}

/// One page; without gnuplot it has no pictures, and Unavailable is thrown once it is written.
void write_page(const std::vector<DrawnResult>& parts, const fs::path& file) {
  std::string missing;
  std::vector<std::vector<report::Drawing>> drawings;
  std::vector<report::Chapter> chapters;
  drawings.reserve(parts.size());
  for (const DrawnResult& part : parts) {
    const std::string prefix =
        parts.size() == 1 ? "" : "part" + std::to_string(drawings.size() + 1) + "_";
    drawings.push_back(drawings_of(part, prefix, missing));
    chapters.push_back({part.heading, &part.result, drawings.back(), missing});
  }
  report::write_whole(file,
                      parts.size() == 1 ? report::to_html(parts[0].result, drawings[0], missing)
                                        : report::to_html("GammaScope", chapters));
  if (!missing.empty())
    throw Unavailable("gnuplot is missing or failed; " + file.string() +
                      " is written without plots: " + missing);
}

ExitStatus run(const Options& o) {
  const OutputOptions& to = o.output;
  const fs::path out = to.out;
  const bool page = out.extension() == ".html";
  check_json(to, o.log.logs);
  if (!page) report::check_folder_free(out, to.force);
  if (page && !to.force && fs::is_regular_file(out))
    throw UsageError("--out " + to.out + ": is there already; --force overwrites it");
  std::vector<DrawnResult> parts;
  if (page && !to.json_given)
    parts = results_of(o.log, o.cells, to.force, to.quiet);
  else  // a folder and a document hold one result
    parts.push_back(result_of(o.log, o.cells, to.force, to.quiet));
  if (to.json_given) write_json(report::to_json(parts[0].result), to);
  if (page)
    write_page(parts, out);
  else
    report::write_folder(
        parts[0].result, out, {to.force, parts[0].tails ? &*parts[0].tails : nullptr});
  if (!to.quiet && !to.json_to_stdout())
    print("report: " + (page ? out : out / "report.html").string() + "\n");
  return ExitStatus::ok;
}

}  // namespace

Action setup_report(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  o->cells.at = "log";
  add_log_options(app, o->log);
  app.get_option("LOG")->description(
      "results (result.json, or the folder of --out) and logs (measured first); several make one "
      "page "
      "with a part for each");
  add_cell_options(app, o->cells);
  app.get_option("--at")->description(
      "positions, horizons or windows: a list, log (1, 2, 4, ... and the largest) or all");
  const std::string group = "where the answer goes";
  add_json_option(app, o->output);
  app.add_option("--out",
                 o->output.out,
                 "FILE.html: one page that stands alone; another name: a folder with page, result "
                 "and plots")
      ->type_name("PATH")
      ->group(group)
      ->capture_default_str();
  app.add_flag("--force", o->output.force, "go on after an error of the doctor; overwrite")
      ->group(group);
  app.add_flag("--quiet", o->output.quiet, "no progress, no last line")->group(group);
  app.footer(
      "Plots need gnuplot (Debian package gnuplot-nox); without it the page has none and the exit "
      "status is 69.\n\n"
      "Example:\n  gammascope report examples/data/sums.jsonl.zst --out report.html");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
