// SPDX-License-Identifier: MIT
// The verb `check` without its command line: which claims, which cells they need, and the verdicts
// from one sweep (results.md; theory 5). Tests: tests/analysis/verdict/test_check_plan.cpp,
// test_check_run.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/registry.hpp"
#include "analysis/measure/plan.hpp"
#include "analysis/measure/sweep.hpp"
#include "analysis/verdict/case.hpp"
#include "analysis/verdict/kl_evalue.hpp"
#include "analysis/verdict/verdict.hpp"

namespace gammascope::check {

/// --sigma2 split | same | V
enum class Sigma2From : std::uint8_t { split, same, claimed };

/// What is claimed, of which cells, and with which numbers.
struct Settings {
  std::vector<std::string> bounds{"theorem_3_3"};  ///< --bound: claims or families
  std::vector<measure::CellSpec> cells;            ///< whose variance is bounded; at_least unused
  Sigma2From sigma2_from = Sigma2From::split;
  std::optional<double> sigma2;  ///< --sigma2 V, nats^2, with Sigma2From::claimed
  std::optional<double> c;       ///< --max-delta, nats: Delta <= c almost surely
  std::optional<double> v;       ///< --noise-variance, nats^2
  std::optional<double> d2;      ///< --drift-variance, nats^2
  std::optional<double> big_c;   ///< --max-loss, nats: -A <= C almost surely
};

/// One claim: a bound on the variance of one cell.
struct Claim {
  const bounds::Bound* bound = nullptr;
  measure::CellSpec cell;
  /// Second moments of gamma 0 that sigma2 is the largest of, for Sigma2From::split and same.
  std::vector<measure::CellSpec> sigma2_cells;
  bool every_position = true;  ///< sigma2_cells are all positions of the sum, not 64 of them
};

struct Plan {
  Settings settings;
  std::vector<Claim> claims;
  std::vector<measure::CellSpec> cells;  ///< all that the sweep must have, each once
};

/// The claims of all cells x bounds that may be made, in that order, and the cells they need.
/// theorem_3_3.infinite exists below gamma = 1 and not with the clock `turn`, theorem_3_3.finite
/// not by `infinite`: a family leaves these out, a name by itself that has no cell left is an
/// error.
/// @param longest tokens of the longest response (0: none), positions beyond it carry nothing
/// @throws UsageError naming the option: an unknown bound, a number missing or negative or NaN, no
/// n, n out of range, no claim left; and, with the reason, a bound that uses (OP) or the martingale
/// property by horizon, by `infinite` or with truncated responses dropped (theory-2, 1e), the KL
/// form with Start::all (its responses would enter more than once), or a sigma2 of the log with the
/// clock `turn` (gamma 0 gives the sum of a turn there, not one token)
[[nodiscard]] Plan plan(const Settings& settings,
                        const measure::Settings& measure,
                        std::int64_t longest);

/// What a sweep does not keep.
struct Extras {
  std::map<std::size_t, KlEValue> kl;  ///< by index of the claim
  /// The largest Delta seen, nats. Above a claimed c it takes the ground from under what uses c;
  /// where none was claimed it stands in for c, and the verdict is "if Delta <= c".
  std::optional<double> largest_delta;
  /// Why what uses (OP) or the martingale property (bounds::Bound::prefix_rows_only) has no ground
  /// in this log, as a sentence: the verdict stays inconclusive. Empty: nothing known against it.
  std::string no_prefix_law;
  /// Prompts of the log, for how many more are needed; 0: as many as groups.
  std::int64_t prompts = 0;
};

/// An empty e-value for every KL claim. C is --max-loss, or c G where that is smaller (theory 3e).
/// The caller adds the credit of every row of the claim's cell to it.
/// @param sweep of the plan's cells, for G
[[nodiscard]] std::map<std::size_t, KlEValue> kl_evalues(const Plan& plan,
                                                         const measure::Sweep& sweep);

/// The evidence for all claims of the plan, in their order, before it is adjusted for their number.
/// @param noise_floor nats, for cells below which nothing is shown (measure::estimate)
/// @throws std::out_of_range if the sweep lacks a cell or `extras` a KL claim
[[nodiscard]] std::vector<Case> open_run(const Plan& plan,
                                         const measure::Sweep& sweep,
                                         double noise_floor,
                                         const Extras& extras = {});

/// Judges all claims of the plan, Holm over their 2m one-sided p-values at 1 - confidence (of the
/// sweep's plan). In the order of plan.claims.
/// @param noise_floor nats, for cells below which nothing is shown (measure::estimate)
/// @throws std::out_of_range if the sweep lacks a cell or `extras` a KL claim
[[nodiscard]] std::vector<Verdict> judge_run(const Plan& plan,
                                             const measure::Sweep& sweep,
                                             double noise_floor,
                                             const Extras& extras = {});

}  // namespace gammascope::check
