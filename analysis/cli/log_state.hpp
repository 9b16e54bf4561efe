// SPDX-License-Identifier: MIT
// A measurement of logs as a state, and a state as the result that `measure` shows: one way for
// `measure`, `merge` and `compare`. Tests: tests/analysis/cli/test_merge.cpp
#pragma once

#include <string>
#include <vector>

#include "analysis/cli/log_source.hpp"
#include "analysis/measure/state.hpp"
#include "analysis/report/text.hpp"

namespace gammascope::cli {

/// The settings of a sweep whose state depends on nothing that only the whole of the responses can
/// tell: --max-length is the option's, else the header's, else left to the longest response; the
/// noise floor is the one used.
[[nodiscard]] measure::Settings mergeable_settings(const CellOptions& cells,
                                                   const FirstPass& first);

/// The second reading.
[[nodiscard]] measure::State state_of(const LogSource& source,
                                      const FirstPass& first,
                                      const measure::Plan& plan,
                                      unsigned threads);

/// --state of windows from every start: the largest length decides which rows there are, so parts
/// need one that does not depend on the part. @throws UsageError
void check_mergeable(const CellOptions& cells, const FirstPass& first);

/// Mean, variance, second moment and the split between and within prompts, cell by cell.
[[nodiscard]] std::vector<Cell> cells_of(const measure::Sweep& sweep);
/// Counts; no files.
[[nodiscard]] report::Source source_of(const measure::State& state);
/// Every option that decided a number, with its value.
[[nodiscard]] SettingList settings_of(const measure::State& state);
/// What the numbers show, in one sentence.
[[nodiscard]] std::string summary_of(const std::vector<Cell>& cells);

/// Variances and means; the rest is for --json and --out.
[[nodiscard]] std::string measured_text(const report::Result& result,
                                        const report::TextStyle& style);

}  // namespace gammascope::cli
