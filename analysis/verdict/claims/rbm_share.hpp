// SPDX-License-Identifier: MIT
// rbm_share(gamma=0.99): the teacher's term of reward-bounded mixing, Eq. (8), as a share of the
// reward's size: the mean over responses of mean_t |b_t| against |R| = 1. Never above 1/2
// (theory-2, 7a).
#pragma once

#include <memory>

#include "analysis/measure/rbm_sums.hpp"
#include "analysis/verdict/claims/arguments.hpp"
#include "analysis/verdict/claims/measurement.hpp"

namespace gammascope::claims {

class RbmShareClaim final : public Measurement {
 public:
  RbmShareClaim(const Spec& spec, const measure::Settings& how)
      : gammas_(numbers_of(spec, "gamma", 0.0, 1.0)), sums_(gammas_, {}, how) {}
  [[nodiscard]] bool reads_responses() const override { return true; }
  void add(const RolloutRecord& rollout) override { sums_.add(rollout); }
  [[nodiscard]] std::vector<Measured> measured(const measure::Sweep& sweep,
                                               double /*noise_floor*/) const override {
    std::vector<Measured> all;
    for (std::size_t g = 0; g < gammas_.size(); ++g) {
      const auto [clusters, origin] = sums_.share(g);
      Measured m;
      m.subject = "the teacher's share of the reward's size";
      m.never_above = 0.5;
      m.theorem = "mean |b| is at most 1/2 in every response (Jensen)";
      m.degenerate =
          "every response has the same share (|A| is the same at all of its tokens, or 0): nothing "
          "was shown";
      m.cell.quantity = Quantity::rbm_share;
      m.cell.gamma = gammas_[g];
      m.cell.rollouts = sums_.responses();
      put_mean(m, stats::cluster_mean(clusters, origin), sweep);
      all.push_back(std::move(m));
    }
    return all;
  }

 private:
  std::vector<double> gammas_;
  measure::RbmSums sums_;
};

inline std::unique_ptr<Measurement> make_rbm_share(const Spec& spec, const measure::Settings& how) {
  check_arguments(spec, {"gamma"});
  return std::make_unique<RbmShareClaim>(spec, how);
}

}  // namespace gammascope::claims
