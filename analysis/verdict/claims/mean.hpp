// SPDX-License-Identifier: MIT
// mean(gamma=0.99, window=256): E[A], nats, as --weight says; cluster-robust, Student's t.
#pragma once

#include <memory>

#include "analysis/measure/estimate.hpp"
#include "analysis/verdict/claims/arguments.hpp"
#include "analysis/verdict/claims/measurement.hpp"

namespace gammascope::claims {

class MeanClaim final : public Measurement {
 public:
  explicit MeanClaim(const Spec& spec) : cells_(grid_of(spec)) {}
  [[nodiscard]] std::vector<measure::CellSpec> cells() const override { return cells_; }
  [[nodiscard]] std::vector<Measured> measured(const measure::Sweep& sweep,
                                               double noise_floor) const override {
    std::vector<Measured> all;
    for (const auto& cell : cells_) {
      const measure::Estimate e =
          measure::estimate(sweep, sweep.plan().index_of(cell).value(), noise_floor);
      Measured m{e.mean, Fit::of_cell(e.mean), {}, "the mean of A", {}, {}, {}};
      // A mean of rows that are engine noise is as degenerate as their variance.
      if (e.variance.status == CellStatus::degenerate) {
        m.cell.status = CellStatus::degenerate;
        m.cell.reason = e.variance.reason;
      }
      all.push_back(std::move(m));
    }
    return all;
  }

 private:
  std::vector<measure::CellSpec> cells_;
};

inline std::unique_ptr<Measurement> make_mean(const Spec& spec, const measure::Settings&) {
  check_arguments(spec, {"gamma", "place"});
  return std::make_unique<MeanClaim>(spec);
}

}  // namespace gammascope::claims
