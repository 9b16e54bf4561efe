// SPDX-License-Identifier: MIT
// rbm_above(gamma=0.99, size=0.8): the distribution of |b_t|, Eq. (8): the share of sampled tokens
// whose teacher's term is above this size of the reward. Never above min(1/(2 size), 1/(4 size^2)),
// and 0 from size 1 on (theory-2, 7a and Markov's inequality).
#pragma once

#include <algorithm>
#include <memory>

#include "analysis/measure/rbm_sums.hpp"
#include "analysis/stats/number_text.hpp"
#include "analysis/verdict/claims/arguments.hpp"
#include "analysis/verdict/claims/measurement.hpp"

namespace gammascope::claims {

class RbmAboveClaim final : public Measurement {
 public:
  RbmAboveClaim(const Spec& spec, const measure::Settings& how)
      : gammas_(numbers_of(spec, "gamma", 0.0, 1.0)),
        size_(number_of(spec, "size", 0.0, 1.0)),
        sums_(gammas_, {size_}, how) {}
  [[nodiscard]] bool reads_responses() const override { return true; }
  void add(const RolloutRecord& rollout) override { sums_.add(rollout); }
  [[nodiscard]] std::vector<Measured> measured(const measure::Sweep& sweep,
                                               double /*noise_floor*/) const override {
    std::vector<Measured> all;
    for (std::size_t g = 0; g < gammas_.size(); ++g) {
      const auto [clusters, origin] = sums_.above(g, 0);
      Measured m;
      m.subject = "the share of tokens whose |b| is above " + stats::number_text(size_, 6);
      m.never_above = most();
      m.theorem = "mean |b| is at most 1/2 and mean b^2 at most 1/4 in every response";
      m.degenerate = "all tokens are on the same side of this size: nothing was shown";
      m.cell.quantity = Quantity::rbm_above;
      m.cell.gamma = gammas_[g];
      m.cell.rollouts = sums_.tokens();
      put_mean(m, stats::cluster_mean(clusters, origin), sweep);
      all.push_back(std::move(m));
    }
    return all;
  }

 private:
  [[nodiscard]] double most() const {
    if (size_ >= 1.0) return 0.0;
    if (!(size_ > 0.0)) return 1.0;
    return std::min({1.0, 0.5 / size_, 0.25 / (size_ * size_)});
  }

  std::vector<double> gammas_;
  double size_;
  measure::RbmSums sums_;
};

inline std::unique_ptr<Measurement> make_rbm_above(const Spec& spec, const measure::Settings& how) {
  check_arguments(spec, {"gamma", "size"});
  return std::make_unique<RbmAboveClaim>(spec, how);
}

}  // namespace gammascope::claims
