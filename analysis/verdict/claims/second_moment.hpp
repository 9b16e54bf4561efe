// SPDX-License-Identifier: MIT
// second_moment(gamma=0.99, window=256): E[A^2], nats^2 (HJS).
#pragma once

#include <memory>

#include "analysis/measure/estimate.hpp"
#include "analysis/stats/influence.hpp"
#include "analysis/verdict/claims/arguments.hpp"
#include "analysis/verdict/claims/measurement.hpp"

namespace gammascope::claims {

class SecondMomentClaim final : public Measurement {
 public:
  explicit SecondMomentClaim(const Spec& spec) : cells_(grid_of(spec)) {}
  [[nodiscard]] std::vector<measure::CellSpec> cells() const override { return cells_; }
  [[nodiscard]] std::vector<Measured> measured(const measure::Sweep& sweep,
                                               double noise_floor) const override {
    std::vector<Measured> all;
    for (const auto& cell : cells_) {
      const std::size_t at = sweep.plan().index_of(cell).value();
      const measure::Estimate e = measure::estimate(sweep, at, noise_floor);
      Measured m{
          e.second_moment, Fit(e.second_moment_fit), {}, "the second moment of A", {}, {}, {}};
      m.influence = stats::second_moment_influence(
          sweep.groups().aligned_clusters(at, measure::About::zero).first);
      all.push_back(std::move(m));
    }
    return all;
  }

 private:
  std::vector<measure::CellSpec> cells_;
};

inline std::unique_ptr<Measurement> make_second_moment(const Spec& spec, const measure::Settings&) {
  check_arguments(spec, {"gamma", "place"});
  return std::make_unique<SecondMomentClaim>(spec);
}

}  // namespace gammascope::claims
