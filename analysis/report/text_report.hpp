// SPDX-License-Identifier: MIT
// A result as a person reads it in a terminal: what was read, what was found, worst first, units
// named, and one closing sentence. Nothing is wider than style.width columns.
// Tests: tests/analysis/report/test_text_report.cpp
#pragma once

#include <span>
#include <string>

#include "analysis/report/cell_groups.hpp"
#include "analysis/report/result.hpp"
#include "analysis/report/text.hpp"

namespace gammascope::report {

/// "log   512 rollouts of 128 prompts, 201 084 tokens, 49 cut (9.6 %)   canonical", and a second
/// line for what was dropped and why. Empty when nothing was counted and no file named.
[[nodiscard]] std::string source_text(const Source& source);

/// Cells in groups of one quantity, alignment, confidence and method, each under a line that names
/// them with the unit; inside a group by gamma, then n. A group of more than `long_group` cells
/// becomes a matrix, n down and gamma across, without limits but with a mark for each label that is
/// not ok. Every reason stands below once, with the number of cells it is about.
[[nodiscard]] std::string cells_text(std::span<const Cell> cells,
                                     const TextStyle& style = {},
                                     std::size_t long_group = 40);

/// Verdicts worst first (worst_first), then in full sentences for those that are not `pass`, with
/// each number the bound took and where it came from.
[[nodiscard]] std::string verdicts_text(std::span<const Verdict> verdicts,
                                        const TextStyle& style = {});

/// Said before anything is judged: for each claim a truth good enough to be shown to hold, and one
/// bad enough to be shown to be broken, with probability 80 %. Empty when nothing can be said.
[[nodiscard]] std::string detectable_text(std::span<const Verdict> verdicts,
                                          const TextStyle& style = {});

/// One line a finding: severity, rule, message, where.
[[nodiscard]] std::string findings_text(std::span<const Finding> findings,
                                        const TextStyle& style = {});

/// All of the above, then the summary sentence.
[[nodiscard]] std::string result_text(const Result& result, const TextStyle& style = {});

}  // namespace gammascope::report
