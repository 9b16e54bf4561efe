// SPDX-License-Identifier: MIT
// How cells and verdicts are put in order and in words, the same in a terminal and on a page.
// Tests: tests/analysis/report/test_text_report.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/result.hpp"

namespace gammascope::report {

/// Cells that stand in one table: one quantity, alignment, confidence and method, by gamma, then n;
/// or all numbers that have neither gamma nor n (`scalars`) of one confidence, in the order given.
struct CellGroup {
  bool scalars = false;
  std::vector<Cell> cells;  ///< at least one

  /// "variance of A (nats^2), by window, 95 % limits, HJS"
  [[nodiscard]] std::string title() const;
};

/// Groups in the order of their first cell. Cost: cells · log(cells).
[[nodiscard]] std::vector<CellGroup> group_cells(std::span<const Cell> cells);

/// Why some cells of a group are not ok, each reason once: "tentative (3 of 12): few prompts …".
[[nodiscard]] std::vector<std::string> reasons(const CellGroup& group);

/// What the limits of a group mean and what they cannot see (calibration 4.3), with the range of
/// the blind spots of its cells; empty when no cell has limits.
[[nodiscard]] std::string limits_sentence(const CellGroup& group);

/// "95 % limits"; "limits" when the confidence is not known.
[[nodiscard]] std::string limits_title(const std::optional<double>& confidence);

/// fail, inconclusive, degenerate, identity, pass; inside a word by how much of the bound is used,
/// largest first, then in the order given.
/// @return indices into `verdicts`
[[nodiscard]] std::vector<std::size_t> worst_first(std::span<const Verdict> verdicts);

/// value / bound; absent when either is, or is not finite, or the bound is 0, or no upper one.
[[nodiscard]] std::optional<double> used_share(const Verdict& verdict);

/// The name of a claim where room is short: "3.3 finite" for theorem_3_3.finite, else the name.
[[nodiscard]] std::string short_claim(std::string_view claim);

/// The number the outcome was judged by: p_fail_adjusted for a fail, else p_pass_adjusted.
[[nodiscard]] double deciding_p(const Verdict& verdict);

/// The reason, and how many prompts would settle it, in whole sentences.
/// @param gap see count()
[[nodiscard]] std::string explanation(const Verdict& verdict, std::string_view gap = " ");

/// The bound as it is claimed: "25", ">= 3", "2 to 3"; "-" when there is none.
[[nodiscard]] std::string bound_text(const Verdict& verdict);

/// "theorem_3_3.finite, window 256, gamma 0.99": which claim, and where.
[[nodiscard]] std::string at_text(const Verdict& verdict);

/// What the values and bounds of these verdicts are counted in.
[[nodiscard]] std::string units_text(std::span<const Verdict> verdicts);

/// Each number that a bound took, once: "sigma2 = 0.16 (other_prompts)".
[[nodiscard]] std::vector<std::string> inputs_text(std::span<const Verdict> verdicts);

/// "window 256", "position 0", "horizon 64", "infinite"; "-" when there is neither.
[[nodiscard]] std::string place(const std::optional<Alignment>& alignment,
                                const std::optional<std::int64_t>& n);

/// "nats", "nats^2" or "" (probabilities, ratios, exponents).
[[nodiscard]] std::string_view unit(Quantity quantity);

/// What a person calls it: "variance of A", "mean of Delta (t4)", …
[[nodiscard]] std::string words(Quantity quantity);

}  // namespace gammascope::report
