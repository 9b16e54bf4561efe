// SPDX-License-Identifier: MIT
// equal_at_step(step=0): student and teacher are the same at this training step: mean |Delta| over
// its sampled tokens, nats, is within the engine's noise floor (case N8). A log whose Delta is
// exactly 0 on more than 99 % of the tokens of all other steps shows nothing: there the student is
// the teacher all along.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "analysis/core/errors.hpp"
#include "analysis/measure/grouped_state.hpp"
#include "analysis/verdict/claims/arguments.hpp"
#include "analysis/verdict/claims/measurement.hpp"

namespace gammascope::claims {

class EqualAtStepClaim final : public Measurement {
 public:
  explicit EqualAtStepClaim(const Spec& spec)
      : step_(static_cast<std::int64_t>(std::llround(number_of(spec, "step", 0, 0x1p53)))) {
    if (static_cast<double>(step_) != find_argument(spec, "step")->numbers[0])
      refuse(find_argument(spec, "step")->at, "step must be a whole number");
  }
  [[nodiscard]] bool reads_responses() const override { return true; }
  [[nodiscard]] std::optional<double> own_limit(double noise_floor) const override {
    return noise_floor;
  }
  void add(const RolloutRecord& rollout) override {
    const Rollout view = rollout.view();
    if (!rollout.step) {
      without_step_ += 1;
      return;
    }
    const bool here = *rollout.step == step_;
    const auto block = here ? groups_.block(view.prompt) : std::span<stats::ExactMoments>{};
    for (std::size_t t = 0; t < view.length(); ++t) {
      if (!view.counts(t)) continue;
      const double distance = std::fabs(view.delta(t));
      if (!here) {
        other_tokens_ += 1;
        other_zeros_ += distance == 0.0 ? 1 : 0;
        continue;
      }
      if (!stats::ExactMoments::in_range(distance))
        throw BadData({"the log", 0, "student_logprobs", "a log-ratio is above 2^20 nats"});
      block[0].add(distance);
      largest_ = std::max(largest_, distance);
    }
  }
  [[nodiscard]] std::vector<Measured> measured(const measure::Sweep& sweep,
                                               double /*noise_floor*/) const override {
    Measured m;
    m.subject = "mean |Delta| at step " + std::to_string(step_);
    Cell& c = m.cell;
    c.quantity = Quantity::abs_log_ratio;
    c.status = CellStatus::not_available;
    const auto [clusters, origin] = groups_.clusters(0, measure::About::mean);
    c.rollouts = groups_.total(0).count();
    if (c.rollouts == 0) {
      c.reason = without_step_ > 0 && other_tokens_ == 0 ? "step is not recorded"
                                                         : "the log has no token of this step";
      return one(std::move(m));
    }
    const stats::MeanFit fit = stats::cluster_mean(clusters, origin);
    put_mean(m, fit, sweep);
    const bool copied = other_tokens_ > 0 && static_cast<double>(other_zeros_) >
                                                 0.99 * static_cast<double>(other_tokens_);
    if (copied) {
      c.status = CellStatus::degenerate;
      m.degenerate =
          "Delta is exactly 0 on more than 99 % of the tokens of the other steps too: the student "
          "is "
          "the teacher all along, and equality at this step shows nothing";
      c.reason = m.degenerate;
    } else if (largest_ == 0.0 && fit.clusters >= 5) {
      // Every token agrees to the last bit: no spread is needed to see that.
      m.fit = Fit::exactly(0.0);
      c.status = CellStatus::ok;
      c.lower = c.upper = 0.0;
      c.reason.clear();
    }
    return one(std::move(m));
  }

 private:
  static std::vector<Measured> one(Measured m) {
    std::vector<Measured> all;
    all.push_back(std::move(m));
    return all;
  }

  std::int64_t step_;
  measure::GroupedState groups_{1};
  std::int64_t without_step_ = 0, other_tokens_ = 0, other_zeros_ = 0;
  double largest_ = 0;
};

inline std::unique_ptr<Measurement> make_equal_at_step(const Spec& spec, const measure::Settings&) {
  check_arguments(spec, {"step"});
  return std::make_unique<EqualAtStepClaim>(spec);
}

}  // namespace gammascope::claims
