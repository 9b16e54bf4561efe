// SPDX-License-Identifier: MIT
// What a log itself says about the numbers that bounds take, for the first look only: they are of
// the very rollouts whose variance is shown, so what is made of them is a description, never
// evidence (theory 5.1). Tests: tests/analysis/cli/test_bound_inputs.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/stats/exact_moments.hpp"

namespace gammascope::cli {

/// Sums over responses by position t (0-based, sampled tokens), exact on the grid of
/// stats/exact_moments.hpp, so that the order of the responses does not show. Memory: 144 bytes a
/// position of the longest response.
class BoundInputs {
 public:
  /// Needs both log-prob columns; uses prefix_kl where it is recorded.
  void add(const RolloutRecord& rollout);

  /// max over t < n of the mean of X_t^2 among responses with T > t, nats^2; positions with fewer
  /// than 8 responses are left out. All three are absent when a number is beyond 2^20 nats.
  [[nodiscard]] std::optional<double> sigma2(std::int64_t n) const;
  /// max over t < n of E[M_t^2 1(T > t)], M = X + KL(h_t): v of theory 3c for windows from the
  /// first token; absent without prefix_kl.
  [[nodiscard]] std::optional<double> noise_variance(std::int64_t n) const;
  /// max over t < n of Var(D_t 1(T > t)), D = -KL(h_t): d2 of theory 3c, the stopped drift; absent
  /// without prefix_kl.
  [[nodiscard]] std::optional<double> drift_variance(std::int64_t n) const;
  /// The largest Delta seen, nats: no almost-sure bound.
  [[nodiscard]] std::optional<double> max_delta() const { return max_delta_; }

 private:
  struct Position {
    stats::ExactMoments x, noise, drift;  // X_t; X_t + KL(h_t); -KL(h_t): of the responses alive
  };
  /// Share of all responses that reach it.
  [[nodiscard]] double alive(const Position& p) const {
    return static_cast<double>(p.x.count()) / static_cast<double>(rollouts_);
  }
  /// max over t < n of use(position); 0 without positions.
  template <class Use>
  [[nodiscard]] double largest(std::int64_t n, Use&& use) const;

  std::vector<Position> positions_;
  std::int64_t rollouts_ = 0, without_kl_ = 0;
  bool beyond_ = false;  // a number is off the grid: no average is known
  std::optional<double> max_delta_;
};

}  // namespace gammascope::cli
