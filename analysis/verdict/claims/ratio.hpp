// SPDX-License-Identifier: MIT
// ratio(gamma=0.99, over=0.9, window=256): Var(A) at one gamma over that at another, of the same
// rows (HJS2, calibration 7).
#pragma once

#include <memory>
#include <utility>

#include "analysis/measure/estimate.hpp"
#include "analysis/measure/variance_ratio.hpp"
#include "analysis/stats/number_text.hpp"
#include "analysis/verdict/claims/arguments.hpp"
#include "analysis/verdict/claims/measurement.hpp"

namespace gammascope::claims {

class RatioClaim final : public Measurement {
 public:
  explicit RatioClaim(const Spec& spec) {
    const double over = number_of(spec, "over", 0.0, 1.0);
    for (const auto& cell : grid_of(spec)) {
      measure::CellSpec other = cell;
      other.gamma = over;
      if (cell.alignment == Alignment::infinite && !(over < 1.0))
        refuse(find_argument(spec, "over")->at, "without a cut gamma must be below 1");
      if (cell.gamma == over)
        refuse(find_argument(spec, "over")->at, "over is gamma itself: the ratio is 1");
      pairs_.emplace_back(cell, other);
    }
  }
  [[nodiscard]] std::vector<measure::CellSpec> cells() const override {
    std::vector<measure::CellSpec> all;
    for (const auto& [one, other] : pairs_) {
      all.push_back(one);
      all.push_back(other);
    }
    return all;
  }
  [[nodiscard]] std::vector<Measured> measured(const measure::Sweep& sweep,
                                               double noise_floor) const override {
    std::vector<Measured> all;
    for (const auto& [one, other] : pairs_) all.push_back(ratio(sweep, one, other, noise_floor));
    return all;
  }

 private:
  static Measured ratio(const measure::Sweep& sweep,
                        const measure::CellSpec& one,
                        const measure::CellSpec& other,
                        double noise_floor) {
    Measured m;
    m.subject = "the variance of A over that at gamma " + stats::number_text(other.gamma, 6);
    const std::size_t top = sweep.plan().index_of(one).value();
    const std::size_t bottom = sweep.plan().index_of(other).value();
    m.cell = measure::variance_ratio(sweep, top, bottom);
    for (const std::size_t at : {top, bottom}) {
      const Cell variance = measure::estimate(sweep, at, noise_floor).variance;
      if (variance.status != CellStatus::not_available && variance.status != CellStatus::degenerate)
        continue;
      m.cell.status = variance.status;
      m.cell.reason = variance.reason;
      m.cell.lower.reset();
      m.cell.upper.reset();
      m.cell.spread.reset();
    }
    m.fit = Fit::of_cell(m.cell);
    return m;
  }

  std::vector<std::pair<measure::CellSpec, measure::CellSpec>> pairs_;
};

inline std::unique_ptr<Measurement> make_ratio(const Spec& spec, const measure::Settings&) {
  check_arguments(spec, {"gamma", "over", "place"});
  return std::make_unique<RatioClaim>(spec);
}

}  // namespace gammascope::claims
