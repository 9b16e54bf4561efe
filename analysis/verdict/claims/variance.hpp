// SPDX-License-Identifier: MIT
// variance(gamma=0.99, window=256): Var(A), nats^2, by the average over pairs of prompts (HJS).
#pragma once

#include <memory>

#include "analysis/measure/estimate.hpp"
#include "analysis/stats/influence.hpp"
#include "analysis/verdict/claims/arguments.hpp"
#include "analysis/verdict/claims/measurement.hpp"

namespace gammascope::claims {

class VarianceClaim final : public Measurement {
 public:
  explicit VarianceClaim(const Spec& spec) : cells_(grid_of(spec)) {}
  [[nodiscard]] std::vector<measure::CellSpec> cells() const override { return cells_; }
  [[nodiscard]] std::vector<Measured> measured(const measure::Sweep& sweep,
                                               double noise_floor) const override {
    std::vector<Measured> all;
    for (const auto& cell : cells_) {
      const std::size_t at = sweep.plan().index_of(cell).value();
      const measure::Estimate e = measure::estimate(sweep, at, noise_floor);
      Measured m{e.variance, Fit(e.variance_fit), {}, "the variance of A", {}, {}, {}};
      m.influence = stats::variance_influence(
          sweep.groups().aligned_clusters(at, measure::About::mean).first);
      all.push_back(std::move(m));
    }
    return all;
  }

 private:
  std::vector<measure::CellSpec> cells_;
};

inline std::unique_ptr<Measurement> make_variance(const Spec& spec, const measure::Settings&) {
  check_arguments(spec, {"gamma", "place"});
  return std::make_unique<VarianceClaim>(spec);
}

}  // namespace gammascope::claims
