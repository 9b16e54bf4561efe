// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "analysis/cli/by_parts.hpp"
#include "analysis/cli/compare_sides.hpp"
#include "analysis/cli/compare_text.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/report/number.hpp"

namespace gammascope::cli {

namespace {

struct Options {
  LogOptions log;
  CellOptions cells;
  OutputOptions output;
  std::string band = "0", by;
};

/// "10%" or "0.1".
double band_of(const std::string& text) {
  const bool percent = !text.empty() && text.back() == '%';
  const double x = number("--band", percent ? text.substr(0, text.size() - 1) : text);
  const double band = percent ? x / 100.0 : x;
  if (!(band >= 0.0 && band <= 10.0))
    throw UsageError("--band: '" + text + "' is not a share from 0 to 1000%");
  return band;
}

Finding pairing_finding(const Pairing& pairing, const std::vector<measure::Change>& changes) {
  Finding f{"pairing", Severity::note, pairing.reason, {}, {}};
  f.evidence = {{"shared", double(pairing.shared)},
                {"first", double(pairing.prompts[0])},
                {"second", double(pairing.prompts[1])}};
  const std::int64_t left_out = pairing.left_out[0] + pairing.left_out[1];
  if (left_out > 0) {
    f.message += ", " + report::count(pairing.left_out[0]) + " of the first and " +
                 report::count(pairing.left_out[1]) + " of the second are left out";
    f.evidence.emplace_back("left_out", double(left_out));
  }
  std::vector<double> gains, correlations;
  for (const measure::Change& c : changes) {
    if (c.gain) gains.push_back(*c.gain);
    if (c.correlation) correlations.push_back(*c.correlation);
  }
  if (gains.empty()) return f;
  const auto [least, most] = std::ranges::minmax(gains);
  const auto [low, high] = std::ranges::minmax(correlations);
  f.message += "; as strangers the standard errors would be " + report::number(least) + " to " +
               report::number(most) + " times as large (correlation " + report::number(low) +
               " to " + report::number(high) + ")";
  f.evidence.insert(f.evidence.end(),
                    {{"gain_min", least},
                     {"gain_max", most},
                     {"correlation_min", low},
                     {"correlation_max", high}});
  return f;
}

/// Responses that both sides hold.
void add_shared_responses(const Side& one,
                          const Side& two,
                          measure::Pairs pairs,
                          std::vector<Finding>& findings) {
  if (one.is_result() || two.is_result()) return;
  const measure::Overlap seen = measure::overlap(one.responses(), two.responses());
  if (seen.both == 0) return;
  std::string message = report::count(seen.both) + " responses" +
                        (seen.complete ? ""
                                       : " of those looked at (" + report::count(seen.first) +
                                             " and " + report::count(seen.second) + ")") +
                        " stand on both sides, with the same prompt, step, sample and numbers";
  message += pairs == measure::Pairs::none ? ": the two are not strangers, and limits are too wide"
                                           : ": they say nothing about a change";
  findings.push_back({"shared_responses",
                      Severity::warning,
                      message,
                      {{"shared", double(seen.both)},
                       {"first", double(seen.first)},
                       {"second", double(seen.second)}},
                      {}});
}

/// How the two were read differs, though not in what forbids a comparison.
void add_other_settings(const Side& one, const Side& two, std::vector<Finding>& findings) {
  if (!one.is_log() || !two.is_log()) return;
  const auto a = measure::header_facts(one.first().header),
             b = measure::header_facts(two.first().header);
  for (const auto& [field, value] : a)
    if (const auto other = b.find(field); other != b.end() && other->second != value)
      findings.push_back({"other_header",
                          Severity::note,
                          "the headers differ in " + field + ": " + value + " and " + other->second,
                          {},
                          {}});
}

/// Parts that cannot be compared.
void add_alone(const std::vector<std::string>& alone, std::vector<Finding>& findings) {
  if (alone.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(alone.size(), 8); ++i)
    names += (i > 0 ? ", " : "") + alone[i];
  findings.push_back({"parts_alone",
                      Severity::note,
                      "parts of one side only are not compared: " + names,
                      {{"parts", double(alone.size())}},
                      {}});
}

/// The changes.
void add_cells(const Compared& all, double confidence, std::vector<Cell>& cells) {
  for (std::size_t i = 0; i < all.changes.size(); ++i) {
    const measure::Change& c = all.changes[i];
    Cell cell;
    cell.alignment = c.cell.alignment;
    cell.gamma = c.cell.gamma;
    cell.n = c.cell.n;
    cell.quantity = c.quantity == Quantity::variance ? Quantity::ratio : Quantity::difference;
    cell.value = c.value;
    if (const auto limits = c.limits(confidence)) {
      cell.lower = limits->lower;
      cell.upper = limits->upper;
      cell.confidence = confidence;
    }
    cell.method = c.method;
    cell.prompts = c.clusters;
    cell.status = c.status;
    cell.reason = c.reason;
    cell.change = CellChange{all.decisions[i].word,
                             all.decisions[i].p_changed,
                             all.decisions[i].p_same,
                             c.gain,
                             c.correlation};
    if (!all.groups[i].empty()) cell.group = all.groups[i];
    cells.push_back(cell);
  }
}

/// Variance and mean of each side, as measured for the comparison, and its parts.
void add_sides(const Side& one, const Side& two, std::vector<Cell>& cells) {
  for (const auto& [side, group] : {std::pair(&one, "first"), std::pair(&two, "second")}) {
    for (Cell cell : side->cells()) {
      if (cell.quantity != Quantity::variance && cell.quantity != Quantity::mean) continue;
      if (cell.group) continue;
      cell.group = group;
      cells.push_back(std::move(cell));
    }
    if (!side->split()) continue;
    for (Cell cell : cells_of(*side->split())) {
      cell.group = group + (", " + *cell.group);
      cells.push_back(std::move(cell));
    }
  }
}

report::Source source_of_both(const Side& one, const Side& two, const Options& o) {
  report::Source all = one.source();
  const report::Source b = two.source();
  all.files = o.log.logs;
  all.rollouts += b.rollouts;
  all.prompts += b.prompts;
  all.tokens += b.tokens;
  all.truncated += b.truncated;
  for (const auto& [reason, count] : b.dropped) all.dropped[reason] += count;
  if (all.dialect != b.dialect) all.dialect += ", " + b.dialect;
  return all;
}

ExitStatus run(const Options& o) {
  check_output(o.output, o.log.logs);
  report::Result result;
  result.verb = "compare";
  o.log.describe(result.settings);
  CellOptions cells = o.cells;
  Compared all;
  all.band = band_of(o.band);
  all.one = o.log.logs[0];
  all.two = o.log.logs[1];
  Side one(all.one, o.log, o.output.force, o.output.quiet);
  Side two(all.two, o.log, o.output.force, o.output.quiet);
  const Pairing pairing = bring_together(one, two, cells, by_of(o.by));
  cells.describe(result.settings);
  result.settings.emplace_back("band", o.band);
  result.settings.emplace_back("by", o.by);
  all.alpha = 1.0 - cells.confidence_level();
  Changes changes = changes_between(one, two, pairing.pairs);
  all.changes = std::move(changes.all);
  all.groups = std::move(changes.groups);
  all.decisions = measure::decide(all.changes, all.alpha, all.band);
  result.source = source_of_both(one, two, o);
  add_shared_responses(one, two, pairing.pairs, result.findings);
  result.findings.push_back(pairing_finding(pairing, all.changes));
  add_other_settings(one, two, result.findings);
  add_alone(changes.alone, result.findings);
  add_cells(all, 1.0 - all.alpha, result.cells);
  add_sides(one, two, result.cells);
  result.summary = compared_summary(all);
  write_output(
      result, o.output, nullptr, compared_text(all, result, report::style_for(STDOUT_FILENO)));
  return ExitStatus::ok;
}

}  // namespace

Action setup_compare(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  add_log_options(app, o->log);
  app.get_option("LOG")
      ->description(
          "two logs, states (`measure --state`) or results (result.json, or the folder of --out)")
      ->expected(2)
      ->type_name("A B");
  add_cell_options(app, o->cells);
  app.add_option("--band",
                 o->band,
                 "a change of at most this share counts as none, such as 10%; 0: nothing can be "
                 "shown not to have changed")
      ->type_name("SHARE")
      ->group("what is measured")
      ->capture_default_str();
  add_by_option(app, o->by);
  add_output_options(app, o->output);
  app.footer(
      "In pairs where at least 80 % of the prompts are shared. What is measured is said by a state "
      "or result where there\nis one, else by the options (--at by the first log). Exit status 0 "
      "whatever it finds.\n\n"
      "Example:\n  gammascope simulate --family clustered --prompts 64 --quiet -o a.jsonl && "
      "gammascope "
      "simulate --family clustered "
      "--prompts 64 --seed 2 --quiet -o b.jsonl && gammascope compare "
      "a.jsonl b.jsonl --at 64 --band 20%");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
