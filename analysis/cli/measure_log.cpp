// SPDX-License-Identifier: MIT
#include "analysis/cli/measure_log.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "analysis/cli/log_source.hpp"
#include "analysis/core/errors.hpp"
#include "analysis/measure/estimate.hpp"

namespace gammascope::cli {

namespace {

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

/// A sweep holds the exact sums of Plan::max_cells cells; more of them (`--at all`) are measured in
/// as many readings of the log, each with limits like any other. @throws UsageError beyond 64
std::vector<std::vector<measure::CellSpec>> in_readings(std::vector<measure::CellSpec> cells) {
  constexpr std::size_t most_readings = 64, size = measure::Plan::max_cells;
  if (cells.size() > most_readings * size)
    throw UsageError(std::to_string(cells.size()) + " cells are more than " +
                     std::to_string(most_readings * size) +
                     " in one run: ask for fewer gammas, alignments or places");
  std::vector<std::vector<measure::CellSpec>> readings;
  for (std::size_t from = 0; from == 0 || from < cells.size(); from += size)
    readings.emplace_back(
        cells.begin() + static_cast<std::ptrdiff_t>(from),
        cells.begin() + static_cast<std::ptrdiff_t>(std::min(from + size, cells.size())));
  return readings;
}

}  // namespace

MeasuredLog measure_log(const LogOptions& logs, const CellOptions& cells, bool force, bool quiet) {
  MeasuredLog measured;
  report::Result& result = measured.result;
  result.verb = "measure";
  logs.describe(result.settings);
  cells.describe(result.settings);
  const unsigned threads = cells.thread_count();
  const LogSource source(logs, quiet);
  const FirstPass first = source.first_pass();
  refuse_untrusted(source, first, force);
  result.source = source_of(source, first);
  const double floor = noise_floor(cells, first);
  for (const auto& part : in_readings(cells_of(cells, first))) {
    const measure::Plan plan(settings_of(cells, first), part);
    const measure::Sweep sweep = source.measure(plan, threads, first);
    for (std::size_t i = 0; i < plan.cells().size(); ++i) {
      const measure::Estimate e = measure::estimate(sweep, i, floor);
      for (const Cell& cell : {e.mean, e.variance, e.second_moment}) result.cells.push_back(cell);
      for (const Cell& cell : measure::prompt_split_cells(sweep, i)) result.cells.push_back(cell);
    }
  }
  result.findings = findings_of(first, cells);
  settle(result.settings, cells, first);
  result.summary = summary_of(result);
  measured.tails = first.tails;
  return measured;
}

}  // namespace gammascope::cli
