// SPDX-License-Identifier: MIT
#include "analysis/cli/log_state.hpp"

#include <algorithm>
#include <utility>

#include "analysis/measure/estimate.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/text_report.hpp"

namespace gammascope::cli {

namespace {

/// One spelling for "clip 5", "clip:5", "clip=5.0".
std::string policy_text(const io::NonFinitePolicy& policy) {
  std::string text(name(policy.kind));
  if (policy.kind == io::NonFinitePolicy::Kind::clip)
    text += " " + report::exact_number(policy.clip);
  return text;
}

}  // namespace

measure::Settings mergeable_settings(const CellOptions& cells, const FirstPass& first) {
  measure::Settings s = settings_of(cells, first);
  s.noise_floor = noise_floor(cells, first);
  const auto said = cells.given_max_length() ? cells.given_max_length() : first.header.max_response;
  if (said || s.start == measure::Start::zero) s.max_length = said;
  return s;
}

void check_mergeable(const CellOptions& cells, const FirstPass& first) {
  if (cells.start == "all" && !cells.given_max_length() && !first.header.max_response)
    throw UsageError(
        "--state with --start all needs --max-length: the log does not say it, and the longest "
        "response of a part would decide which windows there are");
}

measure::State state_of(const LogSource& source,
                        const FirstPass& first,
                        const measure::Plan& plan,
                        unsigned threads) {
  const LogOptions& logs = source.options();
  return measure::State{{{"nonfinite", policy_text(logs.read_options().nonfinite)},
                         {"on-error", logs.on_error},
                         {"sample", report::exact_number(logs.sample_share())}},
                        measure::header_facts(first.header),
                        first.survey,
                        first.responses,
                        source_of(source, first).dropped,
                        source.measure(plan, threads, first)};
}

std::vector<Cell> cells_of(const measure::Sweep& sweep) {
  std::vector<Cell> cells;
  const double floor = sweep.plan().settings().noise_floor.value_or(0);
  for (std::size_t i = 0; i < sweep.plan().cells().size(); ++i) {
    const measure::Estimate e = measure::estimate(sweep, i, floor);
    for (const Cell& cell : {e.mean, e.variance, e.second_moment}) cells.push_back(cell);
    for (const Cell& cell : measure::prompt_split_cells(sweep, i)) cells.push_back(cell);
  }
  return cells;
}

report::Source source_of(const measure::State& state) {
  report::Source s;
  s.dialect = "state v1";
  s.rollouts = state.survey.rollouts();
  s.prompts = state.survey.prompts() - state.survey.without_prompt_id();
  s.tokens = state.survey.tokens();
  s.truncated = state.survey.cut();
  s.dropped = state.dropped;
  if (state.responses.count() > 0) s.hash = state.responses.text();
  return s;
}

SettingList settings_of(const measure::State& state) {
  const measure::Plan& plan = state.sweep.plan();
  const measure::Settings& s = plan.settings();
  SettingList list;
  for (const auto& [option, value] : state.reading) list.emplace_back(option, value);
  list.emplace_back("gamma", measure::gammas_of(plan));
  std::string words;
  for (const Alignment a : measure::alignments_of(plan))
    words.append(words.empty() ? "" : ",").append(name(a));
  list.emplace_back("alignment", words);
  list.emplace_back("at", measure::places_of(plan));
  list.emplace_back("start", std::string(name(s.start)));
  list.emplace_back("clock", std::string(name(s.clock)));
  list.emplace_back("truncated", std::string(name(s.truncated)));
  list.emplace_back("weight", std::string(name(s.weight)));
  list.emplace_back(
      "max-length",
      std::to_string(s.max_length.value_or(std::max<std::int64_t>(state.survey.longest(), 1))));
  list.emplace_back("noise-floor", report::exact_number(s.noise_floor.value_or(0)));
  list.emplace_back("confidence", s.confidence);
  return list;
}

std::string summary_of(const std::vector<Cell>& cells) {
  std::int64_t ok = 0, doubtful = 0, none = 0;
  for (const Cell& c : cells) {
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

std::string measured_text(const report::Result& result, const report::TextStyle& style) {
  report::Result shown = result;
  shown.cells.clear();
  for (const Quantity quantity : {Quantity::variance, Quantity::mean})
    for (const Cell& cell : result.cells)
      if (cell.quantity == quantity && cell.status != CellStatus::exact)
        shown.cells.push_back(cell);
  return report::result_text(shown, style) +
         "second moments and the split between and within prompts: with --json or --out\n";
}

}  // namespace gammascope::cli
