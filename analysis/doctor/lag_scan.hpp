// SPDX-License-Identifier: MIT
// Rule `shift`: are student and teacher log-probs of the same token? If one side lies k tokens away
// from the other, nothing crashes and even the sign of the credit is wrong (case B1); parts of a
// row in another order pass a scan of whole rows (case N13), so the scan is also made per eighth of
// each row. Tests: tests/analysis/doctor/test_lag_scan.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "analysis/core/rollout.hpp"
#include "analysis/doctor/finding.hpp"

namespace gammascope::doctor {

/// Sums over pairs (s_t, u_{t+lag}) of one lag, centred as they come (Welford).
class LagPairs {
 public:
  /// @param s student log-prob of token t, u teacher log-prob of entry t + lag, u0 of entry t; nats
  void add(double s, double u, double u0);
  void merge(const LagPairs& other);
  [[nodiscard]] std::int64_t count() const noexcept { return n_; }
  [[nodiscard]] double mean_abs() const noexcept {
    return mean_abs_;
  }                                                         ///< mean |s_t - u_{t+lag}|, nats
  [[nodiscard]] std::optional<double> correlation() const;  ///< absent for a constant side
  /// z of "this lag has a larger mean |s - u| than lag 0", from the paired differences; 0 where
  /// they do not vary.
  [[nodiscard]] double z_against_zero() const;

 private:
  std::int64_t n_ = 0;
  double mean_abs_ = 0, mean_s_ = 0, mean_u_ = 0, ss_ = 0, uu_ = 0, su_ = 0, mean_d_ = 0, dd_ = 0;
};

enum class Aligned : std::uint8_t {
  ok,       ///< lag 0 is best by both measures, in the whole log and in at least 7 of 8 eighths
  shifted,  ///< another lag is best by both and clearly better than lag 0
  chunks,   ///< lag 0 wins in the whole log but not in two or more eighths: parts in another order
  cannot_tell,  ///< too few tokens, a constant column, or no lag stands out
};

class LagScan {
 public:
  static constexpr int reach = 3;
  static constexpr std::size_t lags = 2 * reach + 1, parts = 8;

  /// Uses pairs of entries that are both sampled. Cost: 7 updates a token.
  void add(const Rollout& rollout);

  struct Answer {
    Aligned aligned = Aligned::cannot_tell;
    int best = 0;                         ///< lag with the smallest mean |s - u| in the whole log
    std::array<double, lags> mean_abs{};  ///< nats, lag -3 first
    std::array<std::optional<double>, lags> correlation;
    std::array<bool, parts> part_ok{};  ///< lag 0 is best by both measures in this eighth
    std::string sentence;               ///< for the table of the first look
  };
  [[nodiscard]] Answer answer() const;
  /// The finding `shift`, if there is something to find.
  [[nodiscard]] std::optional<Finding> finding() const;

 private:
  std::array<std::array<LagPairs, lags>, parts> pairs_;
};

}  // namespace gammascope::doctor
