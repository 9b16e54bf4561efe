// SPDX-License-Identifier: MIT
// From evidence to one of the five words (theory 5.1, 5.6). Pure. Tests:
// tests/analysis/verdict/test_judge.cpp
#pragma once

#include <optional>
#include <string>

#include "analysis/verdict/origin.hpp"
#include "analysis/verdict/verdict.hpp"

namespace gammascope {

/// What the data say about one claim. The limits that are printed play no part: decisions are made
/// on p-values.
struct Evidence {
  double p_pass = 1;  ///< adjusted for all claims of the run; H0: the quantity is at or above the
                      ///< bound; small speaks for pass
  double p_fail = 1;  ///< the same; H0: at or below the bound; small speaks for fail
  CellStatus cell_status = CellStatus::ok;
  std::string cell_reason;             ///< the cell's sentence, when it is not ok
  std::optional<std::string> only_if;  ///< a premise that nobody claimed, as a sentence: the bound
                                       ///< is shown, the verdict stays inconclusive
  std::string cannot_fail;  ///< why nothing above the bound can be shown here, as a sentence;
                            ///< empty: it can
};

/// A word and the sentence for it; the sentence is never empty.
struct Judgement {
  Outcome outcome = Outcome::inconclusive;
  std::string reason;
};

/// Judges one claim at error rate `alpha` of the whole run. Each claim is two one-sided nulls, one
/// of which is true at least; with Holm's adjustment over all 2m of them the chance of any wrong
/// word, direction included, is at most alpha (calibration 5). In this order:
/// - sigma2 of the same rollouts: `identity`, whatever the numbers say (theory 5.1);
/// - a degenerate cell: `degenerate` (theory 5.6, case N35);
/// - a premise that was not claimed: `inconclusive` (theory 5.2);
/// - nothing above can be shown: `inconclusive`;
/// - p_fail <= alpha: `fail`, which stands whatever the label;
/// - p_pass <= alpha: `pass`, but `inconclusive` on an `unreliable` cell (results.md);
/// - else `inconclusive`.
[[nodiscard]] Judgement judge(const Evidence& evidence, Origin sigma2_origin, double alpha);

}  // namespace gammascope
