// SPDX-License-Identifier: MIT
// A number under judgement with its limits at any level, whatever rule they come from, alone or
// against a number of another log that has limits of its own. Tests:
// tests/analysis/verdict/claims/test_fit.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "analysis/measure/cell.hpp"
#include "analysis/stats/hjs.hpp"
#include "analysis/stats/hjs2.hpp"
#include "analysis/verdict/case.hpp"

namespace gammascope::claims {

/// Bounds are in the unit of the quantity throughout.
class Fit {
 public:
  Fit() = default;                     ///< a number that could not be had: no limits
  explicit Fit(stats::HjsFit fit);     ///< variance, second moment
  explicit Fit(stats::SmoothFit fit);  ///< mean (stats::smooth), growth exponent
  [[nodiscard]] static Fit of_log(stats::SmoothFit fit);  ///< exp(L): a ratio of variances
  [[nodiscard]] static Fit exactly(double value);         ///< known without error
  /// What an earlier result says of a number: its value and spread. Without limits if the cell has
  /// no spread, unless it is exact.
  [[nodiscard]] static Fit of_cell(const Cell& cell);

  [[nodiscard]] std::optional<double> value() const;
  [[nodiscard]] bool has_limits() const;
  [[nodiscard]] stats::Availability availability() const;
  [[nodiscard]] std::optional<stats::Limits> limits(double confidence) const;
  /// Positive by nature: bounds at or below 0 are met from above without data.
  [[nodiscard]] bool positive() const;

  /// One-sided p-values; 1 without limits. `other`: the bound is known only as well as this number
  /// of an independent log is: `bound` = factor times (or plus) its value, MOVER.
  /// below, H0: truth >= bound; above, H0: truth <= bound.
  [[nodiscard]] double p_below(double bound, const Fit* other = nullptr) const;
  [[nodiscard]] double p_above(double bound, const Fit* other = nullptr) const;

  /// Truths shown to be below (above) the bound with probability 80 % at one-sided error `level`;
  /// the other number is there already.
  struct Detected {
    std::optional<double> below, above;
  };
  [[nodiscard]] Detected detected(double bound, double level, const Fit* other = nullptr) const;

  /// A band around this number, as a share of it, within which another log of the same size and law
  /// is shown to be, each end with probability `power`. Absent without limits, and for what is not
  /// positive by nature.
  [[nodiscard]] std::optional<double> band_of_the_same(double level, double power) const;

  /// Prompts that would probably settle it against this bound.
  [[nodiscard]] std::optional<std::int64_t> prompts_needed(double bound,
                                                           double level,
                                                           double prompts_per_cluster,
                                                           const Fit* other = nullptr) const;

  /// For the spread of a cell; absent without limits.
  [[nodiscard]] std::optional<Spread> spread() const;

 private:
  struct Exact {
    double value = 0;
  };
  [[nodiscard]] static bool has_error(const Fit* other);
  /// To the scale of the fit and back.
  [[nodiscard]] double inner(double x) const;
  [[nodiscard]] double outer(double x) const;

  std::variant<std::monostate, stats::HjsFit, stats::SmoothFit, Exact> fit_;
  bool log_ = false;  ///< fit_ is of the logarithm
};

}  // namespace gammascope::claims
