// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "analysis/cli/exact_cells.hpp"
#include "analysis/cli/exact_gradient.hpp"
#include "analysis/cli/exact_memory.hpp"
#include "analysis/cli/options.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/process_source.hpp"
#include "analysis/cli/verb.hpp"

namespace gammascope::cli {

namespace {

constexpr const char* default_batch = "8,32,128";
constexpr const char* default_samples = "1";

struct Options {
  ProcessOptions process;
  CellOptions cells;
  OutputOptions output;
  bool gradient = false;
  std::string batch, samples;  // empty: default_batch, default_samples
};

/// Tokens that an explicit list of --at needs.
std::int64_t largest_asked(const CellOptions& cells) {
  if (cells.at.empty() || cells.at == "log" || cells.at == "all") return 0;
  std::int64_t largest = 0;
  for (const std::string& part : split_list("--at", cells.at))
    largest = std::max(largest, integer("--at", part, 0));
  const auto alignments = cells.alignments();
  const bool position = std::ranges::find(alignments, Alignment::position) != alignments.end();
  // Position t needs t + 1 tokens.
  return position && largest < std::numeric_limits<std::int64_t>::max() ? largest + 1 : largest;
}

/// The smallest length that half of the responses do not pass; the cut if most do.
std::int64_t median_length(const markov::TokenProfile<double>& profile) {
  const auto dead = std::ranges::find_if(profile.alive, [](double p) { return p <= 0.5; });
  return std::max<std::int64_t>(1, dead - profile.alive.begin());
}

/// Refuses what cannot fit, before anything of it is there.
void check_memory(const Options& o, const ProcessSource& source) {
  const markov::Process<double>& process = source.process;
  const double needed = exact_bytes({process.states(),
                                     process.vocabulary(),
                                     o.cells.gammas().size(),
                                     source.max_length,
                                     o.gradient},
                                    o.cells);
  const double there = memory_bytes();
  if (needed <= there) return;
  const std::string rule = std::to_string(source.max_length) + " tokens and " +
                           std::to_string(process.states()) + " states need about " +
                           bytes_text(needed) + " of memory, there is " + bytes_text(there) +
                           "; give a smaller --max-length, or fewer places with --at";
  if (source.length_of_file) throw BadData({source.name, 0, "max_length", rule});
  throw UsageError("--max-length: " + rule);
}

/// --batch and --samples are of the gradient alone.
void check_gradient_options(const Options& o) {
  for (const auto& [option, given] :
       {std::pair("--batch", !o.batch.empty()), std::pair("--samples", !o.samples.empty())})
    if (given && !o.gradient)
      throw UsageError(std::string(option) + ": is of the gradient; give --gradient too");
}

Finding not_realisable(const markov::Process<double>& process, const std::string& name) {
  const double mass = markov::largest_teacher_mass(process);
  char number[32];
  std::snprintf(number, sizeof number, "%.4g", mass);
  return {"not_realisable",
          Severity::note,
          name + ": E exp(X) reaches " + number +
              " above 1, so no teacher has these log-ratios; on-policy bounds do not apply",
          {{"teacher_mass", mass}},
          {}};
}

Finding infinite(const std::string& name) {
  return {"infinite",
          Severity::note,
          name +
              ": a response can meet a token that the teacher never emits; where it counts, the "
              "mean is minus infinity and the variance infinite (null, shown as -)",
          {},
          {}};
}

/// `--gradient`: other cells, from the same process and options.
ExitStatus run_gradient(const Options& o, const ProcessSource& source) {
  GradientRequest request{source.mixture,
                          source.max_length,
                          {},
                          {},
                          integer("--samples", o.samples.empty() ? default_samples : o.samples, 1)};
  for (const double g : o.cells.gammas()) request.gammas.emplace_back(g);
  for (const std::string& part : split_list("--batch", o.batch.empty() ? default_batch : o.batch))
    request.batches.push_back(integer("--batch", part, 1));
  const GradientReport report = exact_gradient(request);
  report::Result result;
  result.verb = "exact";
  o.process.describe(result.settings, source.max_length);
  result.settings.emplace_back("gamma", o.cells.gammas());
  result.settings.emplace_back("gradient", true);
  result.settings.emplace_back("batch", request.batches);
  result.settings.emplace_back("samples", request.samples);
  result.source = source.source;
  result.cells = report.cells;
  if (!source.realisable) result.findings.push_back(not_realisable(source.process, source.name));
  for (const std::string& sentence : report.sentences)
    result.summary += (result.summary.empty() ? "" : "; ") + sentence;
  result.summary += ".";
  write_output(
      result, o.output, nullptr, gradient_text(report, request, report::style_for(STDOUT_FILENO)));
  return ExitStatus::ok;
}

ExitStatus run(const Options& o) {
  check_output(o.output, o.process.inputs());
  check_gradient_options(o);
  const ProcessSource source = load_process(o.process, largest_asked(o.cells));
  check_memory(o, source);
  if (o.gradient) return run_gradient(o, source);
  ExactRequest request{source.mixture, source.process, source.max_length, {}};
  for (const double g : o.cells.gammas()) request.gammas.emplace_back(g);
  const auto start = word<measure::Start>("--start", o.cells.start) == measure::Start::all
                         ? markov::WindowStart::all
                         : markov::WindowStart::zero;
  const auto profile = markov::token_profile(source.process, source.max_length);
  const std::int64_t median = median_length(profile);

  report::Result result;
  result.verb = "exact";
  o.process.describe(result.settings, source.max_length);
  result.settings.emplace_back("gamma", o.cells.gammas());
  result.settings.emplace_back("alignment", o.cells.alignment);
  result.settings.emplace_back("at", o.cells.at);
  result.settings.emplace_back("start", o.cells.start);
  result.source = source.source;
  add_token_cells(profile, result.cells);
  for (const Alignment alignment : o.cells.alignments()) {
    if (alignment == Alignment::infinite) {
      add_infinite_cells(request, result.cells);
      continue;
    }
    const auto places = o.cells.places(alignment, median, source.max_length);
    if (alignment == Alignment::position)
      add_position_cells(request, profile, places, result.cells);
    else if (alignment == Alignment::window)
      add_window_cells(request, profile, places, start, result.cells);
    else
      add_horizon_cells(request, places, result.cells);
  }
  if (!source.realisable) result.findings.push_back(not_realisable(source.process, source.name));
  if (markov::meets_minus_infinity(source.process))
    result.findings.push_back(infinite(source.name));
  result.summary = "Exact answers for " + source.name + ", responses cut at " +
                   std::to_string(source.max_length) + " tokens: no sampling, no limits.";
  write_output(result, o.output);
  return ExitStatus::ok;
}

}  // namespace

Action setup_exact(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  add_process_options(app, o->process);
  const std::string group = "what is computed";
  app.add_option("--gamma", o->cells.gamma, "discounts")->group(group)->capture_default_str();
  app.add_option(
         "--alignment", o->cells.alignment, "position | horizon | window | infinite, one or a list")
      ->group(group)
      ->capture_default_str();
  app.add_option("--at",
                 o->cells.at,
                 "positions, horizons or windows: a list, log or all (default: the median length; "
                 "position: 0)")
      ->group(group);
  app.add_option("--start",
                 o->cells.start,
                 "windows start at 0 or at all positions a stride apart: 0 | all")
      ->group(group)
      ->capture_default_str();
  const std::string gradient = "the gradient instead of the credit";
  app.add_flag("--gradient",
               o->gradient,
               "mean, noise and alignment of the gradient for each baseline, and the best gamma")
      ->group(gradient);
  app.add_option("--batch", o->batch, "prompts in a batch: a list")
      ->default_str(default_batch)
      ->group(gradient);
  app.add_option("--samples", o->samples, "responses a prompt")
      ->default_str(default_samples)
      ->group(gradient);
  add_output_options(app, o->output);
  app.footer(
      "Example:\n  gammascope exact --family near_attaining --param p=.01,c=5 --gamma 0.9,1 --at "
      "64,256");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
