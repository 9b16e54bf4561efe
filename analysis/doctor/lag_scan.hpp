// SPDX-License-Identifier: MIT
// Rule `shift`: are student and teacher log-probs of the same token? If one side lies k tokens away
// from the other, nothing crashes and even the sign of the credit is wrong (case B1); parts of a
// row in another order pass a scan of whole rows (case N13), so the scan is also made per eighth of
// each row. Says "shift" only where noise cannot: that lag 0 is not the best in some sample is no
// evidence where the sides hardly depend on each other, are constant, or are few (near_attaining,
// ragged, clustered, branching, short logs), and a wrong word here stops `measure` and `check`.
// Tests: tests/analysis/doctor/test_lag_scan.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/doctor/finding.hpp"
#include "analysis/stats/exact_moments.hpp"

namespace gammascope::doctor {

/// Sums over pairs (s_t, u_{t+lag}) of one lag: integers on a grid of 2^-24 nats, so that the order
/// of the responses does not show.
class LagPairs {
 public:
  static constexpr double quantum = 0x1p-24;  ///< nats
  /// A log-prob in steps of the grid, clamped to +-2^20 nats (a scan of order needs no more).
  /// Precondition: not NaN.
  [[nodiscard]] static std::int64_t to_grid(double x) noexcept;

  /// @param s student log-prob of token t, u teacher log-prob of entry t + lag, u0 of entry t; in
  ///   steps of the grid
  void add(std::int64_t s, std::int64_t u, std::int64_t u0) noexcept;
  void merge(const LagPairs& other) noexcept;
  [[nodiscard]] std::int64_t count() const noexcept { return n_; }
  [[nodiscard]] double mean_abs() const noexcept;  ///< mean |s_t - u_{t+lag}|, nats; 0 if empty
  [[nodiscard]] std::optional<double> correlation() const;  ///< absent for a constant side
  /// z of "mean |s - u| is larger here than there", pairs as independent; 0 where neither varies.
  [[nodiscard]] double z_above(const LagPairs& there) const;
  /// z of "this lag has a larger mean |s - u| than lag 0", from the paired differences; 0 where
  /// they do not vary.
  [[nodiscard]] double z_against_zero() const;

 private:
  [[nodiscard]] double squared_error() const;  // of mean_abs, in steps of the grid

  std::int64_t n_ = 0;
  stats::Int128 abs_ = 0, s_ = 0, u_ = 0, ss_ = 0, uu_ = 0, su_ = 0, d_ = 0, dd_ = 0;
};

enum class Aligned : std::uint8_t {
  ok,       ///< lag 0 is best by both measures and clearly better than any other lag
  shifted,  ///< one other lag is best by both, and its mean |s - u| is 4 standard errors smaller
            ///< than at every other lag
  chunks,   ///< lag 0 wins in the whole log, but in two or more eighths it does not and the sides
            ///< lie 4 standard errors farther apart than where it wins: parts in another order
  cannot_tell,  ///< too few tokens, a constant column, or no lag stands out
};

class LagScan {
 public:
  static constexpr int reach = 3;
  static constexpr std::size_t lags = 2 * reach + 1, parts = 8;

  /// Uses pairs of entries that are both sampled and finite. Cost: 7 updates a token.
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
  std::vector<std::int64_t> student_, teacher_;  // of the response in hand, on the grid
};

}  // namespace gammascope::doctor
