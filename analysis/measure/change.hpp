// SPDX-License-Identifier: MIT
// One quantity in two measurements: how much it changed, how sure that is, and the word for it.
// Tests: tests/analysis/measure/test_compare.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/measure/cell.hpp"
#include "analysis/measure/plan.hpp"
#include "analysis/stats/hjs.hpp"
#include "analysis/stats/hjs2.hpp"

namespace gammascope::measure {

/// Two means by their standard errors (Welch 1947, Biometrika 34, 28-35).
struct WelchFit {
  double difference = 0, se = 0, df = 0;  ///< nats, nats, pure
};

/// Two results of which only the limits are left.
struct LimitsFit {
  stats::Limits limits;   ///< of the change
  double confidence = 0;  ///< the only one at which they can be had
};

/// One quantity of one cell in two measurements. The change is two / one for a variance, two - one
/// (nats) for a mean.
struct Change {
  Quantity quantity = Quantity::variance;  ///< variance or mean
  CellSpec cell;
  std::optional<double> one, two, value;  ///< value: the change
  std::int64_t clusters = 0;              ///< prompts (groups) behind the limits, of the smaller
  std::string method;                     ///< "HJS2", "MOVER", "Welch"
  std::string missing;                    ///< why there are no limits; empty if there are
  CellStatus status = CellStatus::ok;     ///< not better than that of either side
  std::string reason;
  /// Paired: standard error as strangers over that of pairs, and the correlation of the two.
  std::optional<double> gain, correlation;

  /// SmoothFit: L is the log of a ratio, or the difference of means.
  std::variant<std::monostate,
               stats::SmoothFit,
               std::pair<stats::HjsFit, stats::HjsFit>,
               WelchFit,
               LimitsFit>
      fit;

  /// Limits of the change, each side at (1 - confidence) / 2; absent without.
  [[nodiscard]] std::optional<stats::Limits> limits(double confidence) const;
  /// H0: the change is at most (at least) `bound`; small: shown above (below). 1 without limits.
  [[nodiscard]] double p_above(double bound) const;
  [[nodiscard]] double p_below(double bound) const;
  /// False for limits of results: no other level can be had, so nothing can be adjusted.
  [[nodiscard]] bool has_p() const noexcept;
};

/// 0 for ok and exact, more for less trust.
[[nodiscard]] int badness(CellStatus status) noexcept;

/// Values and label of a change from those of the two sides: the worse label counts, and where a
/// side is degenerate or not available there are no limits.
void take_sides(Change& change, const Cell& one, const Cell& two);

/// Two cells of results, as strangers: limits only. Both of one quantity.
[[nodiscard]] Change change_of(const Cell& one, const Cell& two);

struct Decision {
  ChangeWord word = ChangeWord::cannot_tell;
  /// Holm over all of the run; absent where only limits are left.
  std::optional<double> p_changed, p_same;
};

/// Words at error rate `alpha` of the whole run. Without a band: `changed` if another value than 1
/// (0 for a mean) is shown, else `cannot_tell`. With a band b: `changed` if shown to lie outside
/// 1/(1+b) to 1+b (a mean: +- b |one|), `not_changed` if shown to lie inside (two one-sided tests).
/// p_changed is two-sided; Holm over the p_changed, and with a band the p_same, of all. Limits of
/// results are judged as they are, not adjusted.
/// @throws std::domain_error if band < 0 or alpha is not in (0, 1)
[[nodiscard]] std::vector<Decision> decide(std::span<const Change> changes,
                                           double alpha,
                                           double band);

/// How small a change would be shown in 80 % of such pairs of logs at error rate alpha / tests, as
/// {smallest ratio above 1, largest below 1}; absent for means and without limits.
[[nodiscard]] std::optional<std::pair<double, double>> detectable(const Change& change,
                                                                  double alpha,
                                                                  std::size_t tests);

}  // namespace gammascope::measure
