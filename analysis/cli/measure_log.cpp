// SPDX-License-Identifier: MIT
#include "analysis/cli/measure_log.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "analysis/cli/by_parts.hpp"
#include "analysis/cli/log_source.hpp"
#include "analysis/cli/log_state.hpp"
#include "analysis/core/errors.hpp"

namespace gammascope::cli {

namespace {

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

MeasuredLog measure_log(const LogOptions& logs,
                        const CellOptions& cells,
                        bool force,
                        bool quiet,
                        bool parts,
                        std::optional<measure::By> by) {
  MeasuredLog measured;
  report::Result& result = measured.result;
  result.verb = "measure";
  logs.describe(result.settings);
  cells.describe(result.settings);
  const unsigned threads = cells.thread_count();
  const LogSource source(logs, quiet);
  const FirstPass first = source.first_pass();
  refuse_untrusted(source, first, force);
  if (parts) check_mergeable(cells, first);
  result.source = source_of(source, first);
  const auto readings = in_readings(cells_of(cells, first));
  if ((parts || by) && readings.size() > 1)
    throw UsageError(std::string(parts ? "--state" : "--by") + " holds at most " +
                     std::to_string(measure::Plan::max_cells) +
                     " cells: ask for fewer gammas, alignments or places");
  for (const std::vector<measure::CellSpec>& part : readings) {
    const measure::Plan plan(mergeable_settings(cells, first), part);
    measured.state = state_of(source, first, plan, threads);
    for (Cell& cell : cells_of(measured.state->sweep)) result.cells.push_back(std::move(cell));
    if (!by) continue;
    const measure::SplitSweep split = split_of(source, first, plan, threads, *by);
    measured.by = cells_of(split);
    measured.unevenness = unevenness(split);
  }
  result.findings = findings_of(first, cells);
  settle(result.settings, cells, first);
  result.summary = summary_of(result.cells);
  measured.tails = first.tails;
  return measured;
}

}  // namespace gammascope::cli
