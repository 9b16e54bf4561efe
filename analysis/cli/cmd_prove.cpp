// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "analysis/cli/options.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/core/interrupt.hpp"
#include "analysis/core/version.hpp"
#include "analysis/report/config_toml.hpp"
#include "analysis/report/folder.hpp"
#include "analysis/report/json.hpp"
#include "analysis/report/text.hpp"
#include "proofs_check/claim.hpp"

namespace gammascope::cli {

namespace {

using proofs::Claim;

struct Options {
  bool quick = false, list = false;
  std::string only, mutant = "0", threads = "0";
  OutputOptions output;
};

std::vector<const Claim*> chosen(const std::string& only) {
  std::vector<const Claim*> result;
  if (only.empty()) {
    for (const Claim& claim : proofs::claims()) result.push_back(&claim);
    return result;
  }
  for (const std::string& name : split_list("--only", only)) {
    const Claim* const claim = proofs::find_claim(name);
    if (claim == nullptr)
      throw UsageError("--only: no such statement: '" + name + "' (gammascope prove --list)");
    result.push_back(claim);
  }
  return result;
}

/// The share done and the time left, on a terminal only.
class ProveProgress {
 public:
  ProveProgress(std::size_t total, bool quiet)
      : total_(total), shown_(!quiet && isatty(STDERR_FILENO) != 0), started_(Clock::now()) {}

  void show(const Claim& claim, std::size_t index, double share) {
    stop_if_interrupted();
    const auto now = Clock::now();
    if (!shown_ || now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    const double done = (static_cast<double>(index) + share) / static_cast<double>(total_);
    const double seconds = std::chrono::duration<double>(now - started_).count();
    std::fprintf(stderr,
                 "\r\033[K%zu of %zu, %.*s: %.0f %%, about %.0f s left",
                 index + 1,
                 total_,
                 static_cast<int>(claim.name.size()),
                 claim.name.data(),
                 100 * share,
                 done > 0 ? seconds * (1 - done) / done : 0.0);
    std::fflush(stderr);
  }
  void clear() const {
    if (shown_) std::fputs("\r\033[K", stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t total_;
  bool shown_;
  Clock::time_point started_, last_;
};

/// "1 215 003".
std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, " ");
  return digits;
}

std::string indented(const std::string& text) {
  std::string result = "    ";
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n') result += "    ";
  }
  return result + text.substr(text.size() - 1);
}

std::string table_entry(const Claim& claim,
                        const proofs::Outcome& outcome,
                        std::size_t mutant,
                        const report::TextStyle& style) {
  const bool holds = !outcome.counterexample;
  std::string text = report::paint(
      holds ? "holds " : "FAILS ", holds ? report::Colour::good : report::Colour::bad, style);
  text += std::string(claim.name) + ": " + std::string(name(claim.method)) + ", " +
          grouped(outcome.checked) + " cases\n";
  if (mutant > 0)
    text +=
        report::hanging("  altered on purpose: ", std::string(claim.mutants[mutant - 1]), style);
  text += report::hanging("  ", std::string(claim.statement), style);
  text += report::hanging("  " + std::string(claim.source) + "; domain: ", outcome.domain, style);
  for (const std::string& note : outcome.notes) text += report::hanging("  ", note, style);
  if (!holds) text += "  counterexample\n" + indented(*outcome.counterexample);
  return text;
}

report::Json json_entry(const Claim& claim, const proofs::Outcome& outcome) {
  report::Json entry;
  entry["name"] = claim.name;
  entry["source"] = claim.source;
  entry["statement"] = claim.statement;
  entry["method"] = name(claim.method);
  entry["domain"] = outcome.domain;
  entry["checked"] = outcome.checked;
  entry["holds"] = !outcome.counterexample.has_value();
  entry["notes"] = outcome.notes;
  entry["counterexample"] =
      outcome.counterexample ? report::Json(*outcome.counterexample) : report::Json(nullptr);
  return entry;
}

report::Config config_of(const Options& o, std::size_t mutant) {
  return report::config_of(
      "prove",
      {},
      {{"quick", o.quick}, {"only", o.only}, {"mutant", static_cast<std::int64_t>(mutant)}});
}

ExitStatus list() {
  for (const Claim& claim : proofs::claims()) {
    std::string text = std::string(claim.name) + " (" + std::string(claim.source) + ")\n";
    for (std::size_t k = 0; k < claim.mutants.size(); ++k)
      text += "    --mutant " + std::to_string(k + 1) + "  " + std::string(claim.mutants[k]) + "\n";
    print(text);
  }
  return ExitStatus::ok;
}

ExitStatus run(const Options& o) {
  if (o.list) return list();
  check_output(o.output);
  const std::vector<const Claim*> claims = chosen(o.only);
  const auto mutant = static_cast<std::size_t>(integer("--mutant", o.mutant, 0));
  if (mutant > 0 && (claims.size() != 1 || mutant > claims[0]->mutants.size()))
    throw UsageError(
        "--mutant: give --only one statement, which has that many (gammascope prove --list)");
  proofs::Run how;
  how.quick = o.quick;
  how.mutant = mutant;
  how.threads = static_cast<unsigned>(integer("--threads", o.threads, 0));
  if (how.threads == 0) how.threads = std::max(1U, std::thread::hardware_concurrency());

  const bool table = !o.output.json_to_stdout() && !o.output.quiet;
  const bool document = o.output.json_given || !o.output.out.empty();
  report::Json json;
  json["schema"] = "gammascope.proofs/1";
  json["version"] = build_facts().version;
  json["settings"] = {{"quick", o.quick}, {"only", o.only}, {"mutant", mutant}};
  json["statements"] = report::Json::array();
  ProveProgress progress(claims.size(), o.output.quiet);
  std::size_t failed = 0;
  std::uint64_t cases = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = *claims[i];
    how.progress = [&](double share) { progress.show(claim, i, share); };
    how.progress(0);
    const proofs::Outcome outcome = claim.check(how);
    progress.clear();
    cases += outcome.checked;
    if (outcome.counterexample) ++failed;
    if (table) print(table_entry(claim, outcome, mutant, report::style_for(STDOUT_FILENO)));
    if (document) json["statements"].push_back(json_entry(claim, outcome));
  }
  const std::string text = json.dump(2) + "\n";
  write_json(text, o.output);
  if (table)
    print("\n" + std::to_string(claims.size() - failed) + " of " + std::to_string(claims.size()) +
          " statements hold, " + grouped(cases) + " cases decided" +
          (o.quick ? ", a part of each domain (--quick)" : "") + ". Proofs: docs/theory.md\n");
  if (!o.output.out.empty())
    report::write_bare_folder(text, config_of(o, mutant), o.output.out, o.output.force);
  return failed == 0 ? ExitStatus::ok : ExitStatus::failed;
}

}  // namespace

Action setup_prove(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  app.add_flag("--quick", o->quick, "a part of each domain, spread over all of it: seconds");
  app.add_option("--only", o->only, "these statements: a list of names")->type_name("NAME,...");
  app.add_flag("--list", o->list, "names of the statements and of their mutants, nothing else");
  app.add_option(
         "--mutant",
         o->mutant,
         "decide the K-th mutant of the statement, false on purpose, to see its counterexample")
      ->type_name("K");
  app.add_option("--threads", o->threads, "0: one per core; changes no result")
      ->capture_default_str();
  const std::string group = "where the answer goes";
  add_json_option(app, o->output);
  app.add_option("--out", o->output.out, "folder for result.json and config.toml")
      ->type_name("DIR")
      ->group(group);
  app.add_flag("--force", o->output.force, "overwrite")->group(group);
  app.add_flag("--quiet", o->output.quiet, "no progress, no table")->group(group);
  app.footer("Example:\n  gammascope prove --quick --only proposition_3_1,proposition_3_2");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
