// SPDX-License-Identifier: MIT
// Watching a variance over training steps: an e-process for H0 "Var(A) <= bound at every step",
// valid at any stopping time for any law (no moment beyond the variance), and the e-detector, an
// alarm that restarts. Source: calibration 8 (ours); Ville's inequality; Shin, Ramdas, Rinaldo,
// "E-detectors", 2022, for the second. Tests: tests/analysis/stats/test_e_process.cpp, false alarms
// and delays: tests/calibration
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "analysis/stats/cluster_sums.hpp"

namespace gammascope::stats {

/// The bets: growth rates that the evidence is averaged over.
inline constexpr std::array<double, 7> e_process_lambdas{0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6};

using EProcessBets = std::array<double, e_process_lambdas.size()>;  ///< one number per lambda

struct EProcessSettings {
  double bound = 0;     ///< b > 0, nats^2
  double alpha = 0.05;  ///< chance of any alarm, ever, while H0 holds; alpha / K for K discounts
  double run_length = 1000;  ///< steps between false alarms of the e-detector, at least, on average
  std::uint64_t seed = 0;    ///< of the pairings
  std::int32_t pairings = 4;
};

/// All that a restart needs; a plain value, compared bit for bit.
struct EProcessState {
  std::int64_t step = 0;                       ///< steps taken
  EProcessBets log_mixture = nothing();        ///< log Q_(t, lambda)
  EProcessBets log_detector = nothing();       ///< log R_(t, lambda)
  std::optional<std::int64_t> alarm;           ///< first step (1-based) with E_t >= 1 / alpha
  std::optional<std::int64_t> detector_alarm;  ///< the same with mean R_t >= run_length
  friend bool operator==(const EProcessState&, const EProcessState&) = default;

  /// log 0 for every lambda.
  [[nodiscard]] static constexpr EProcessBets nothing() {
    EProcessBets bets{};
    for (double& b : bets) b = -std::numeric_limits<double>::infinity();
    return bets;
  }
};

/// log e_(t, lambda) for every lambda: prompts are paired at random (`seed` and `step` decide), Y =
/// (mean a_i^2 + mean a_j^2) / 2 - mean a_i mean a_j has mean Var(A), and e is the mean over
/// pairings of the product over pairs of 1 + lambda (Y / b - 1). 0 with fewer than two prompts.
/// @param prompts sums of one step about one common origin, any; in an order that does not depend
///   on the values (by prompt hash); without rows: skipped. Unequal numbers of rows are fine.
/// @param step 1-based
/// Cost: pairings * prompts / 2 * 7 logs, some 5 us for 32 prompts.
[[nodiscard]] EProcessBets log_e_values(std::span<const ClusterSums> prompts,
                                        const EProcessSettings& settings,
                                        std::int64_t step);

class EProcess {
 public:
  /// @throws std::domain_error unless bound > 0, 0 < alpha < 1, run_length > 1, pairings >= 1
  /// @param state goes on where this one stopped: the same bits as without the stop
  explicit EProcess(const EProcessSettings& settings, const EProcessState& state = {});

  /// One training step. Valid if, given the past, the prompts of a step are drawn independently.
  void add_step(std::span<const ClusterSums> prompts);

  /// log E_t, E_t = mean_lambda Q_(t, lambda) + 1 / (t + 1), Q_t = (Q_(t-1) + 1 / (t (t+1))) e_t:
  /// a mixture over the step at which the excess began. 0 before the first step.
  [[nodiscard]] double log_evidence() const;
  /// log of mean_lambda R_(t, lambda), R_t = (R_(t-1) + 1) e_t; -infinity before the first step.
  [[nodiscard]] double log_detector() const;
  /// log(1 / alpha), log(run_length).
  [[nodiscard]] double log_threshold() const noexcept { return log_threshold_; }
  [[nodiscard]] double log_detector_threshold() const noexcept { return log_run_length_; }
  /// min(1, 1 / E_t): a p-value valid at whatever step one stops.
  [[nodiscard]] double p_fail() const;

  [[nodiscard]] const EProcessState& state() const noexcept { return state_; }
  [[nodiscard]] const EProcessSettings& settings() const noexcept { return settings_; }
  /// Restarts the detector after its alarm was dealt with: R = 0, detector_alarm empty.
  void restart_detector();

 private:
  EProcessSettings settings_;
  EProcessState state_;
  double log_threshold_ = 0, log_run_length_ = 0;
};

}  // namespace gammascope::stats
