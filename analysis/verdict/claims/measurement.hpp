// SPDX-License-Identifier: MIT
// What one kind of claim measures. A kind is one file beside this one and one line in registry.cpp.
// Tests: tests/analysis/verdict/claims/
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/measure/plan.hpp"
#include "analysis/measure/sweep.hpp"
#include "analysis/verdict/claims/fit.hpp"
#include "analysis/verdict/claims/spec.hpp"

namespace gammascope::claims {

/// One number to be judged.
struct Measured {
  Cell cell;  ///< quantity, place, value, limits, status, reason: what is printed
  Fit fit;
  std::vector<double> influence;  ///< of aligned clusters, for min-p; empty: none
  std::string subject;            ///< "the variance of A": the sentence begins with it
  /// What it cannot exceed whatever a log holds, and the theorem that says so: an upper limit at or
  /// above it is an identity.
  std::optional<double> never_above;
  std::string theorem;
  /// Why nothing was shown although there is a number (`degenerate`); empty: the standing sentence.
  std::string degenerate;
};

/// Reads a log in one pass over responses, a sweep, or both.
class Measurement {
 public:
  Measurement() = default;
  virtual ~Measurement() = default;
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  /// Cells that the sweep must have.
  [[nodiscard]] virtual std::vector<measure::CellSpec> cells() const { return {}; }
  /// Whether add() wants every response, in any order.
  [[nodiscard]] virtual bool reads_responses() const { return false; }
  virtual void add(const RolloutRecord&) {}
  /// The numbers, over the grid of the arguments in their order.
  /// @param sweep has the cells of all measurements of the run
  [[nodiscard]] virtual std::vector<Measured> measured(const measure::Sweep& sweep,
                                                       double noise_floor) const = 0;
  /// The limit of a claim that names none; absent: it must name one.
  [[nodiscard]] virtual std::optional<double> own_limit(double /*noise_floor*/) const {
    return std::nullopt;
  }
};

/// A kind of claim.
struct Kind {
  std::string_view quantity;   ///< as it is typed
  std::string_view arguments;  ///< for --help and docs: "gamma, window | position | …"
  std::string_view says;       ///< one line: what is measured, unit
  bool in_results;             ///< an earlier result.json tells its cells apart
  std::unique_ptr<Measurement> (*make)(const Spec& spec, const measure::Settings& how);
};

[[nodiscard]] const std::vector<Kind>& kinds();
/// @throws as refuse(), with the quantities that there are
[[nodiscard]] const Kind& find_kind(const Spec& spec);

/// Value, limits, spread and label of a smooth fit (of its logarithm, as `as` says) as a cell.
void put_smooth(Cell& cell,
                const stats::SmoothFit& fit,
                const Fit& as,
                const measure::Sweep& sweep);
/// The same of a mean, and its fit. A mean whose rows all agree is degenerate.
void put_mean(Measured& measured, const stats::MeanFit& mean, const measure::Sweep& sweep);

}  // namespace gammascope::claims
