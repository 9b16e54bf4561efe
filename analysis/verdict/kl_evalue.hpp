// SPDX-License-Identifier: MIT
// The data check of the KL form (theory 3e; theory-2, 3E): on policy with -A <= C, E[A + phi(C) A^2
// | h] <= 0. Judged by an e-value, since no z or t interval has its size here. It can fail or stay
// inconclusive, never pass. Tests: tests/analysis/verdict/test_kl_evalue.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include "analysis/stats/exact_moments.hpp"

namespace gammascope::check {

/// Product over independent prompts of the mean of 1 + lambda (A + phi(C) A^2) over the prompt's
/// responses; of these products the mean over lambda = phi(C) * {1/4, 1, 4} (lambda <= 4 phi(C)
/// keeps every factor >= 0). Each response enters once, with the sum from one fixed position: given
/// its prefix its factor has mean <= 1, hence so has the mean of a prompt's, however its responses
/// hang together. Factors and logarithms are summed on a grid of 2^-30, rounded down: the same
/// value in any order, and a hair conservative. Memory: some 100 bytes a prompt.
class KlEValue {
 public:
  /// Prompts that are kept; with more there is no e-value.
  static constexpr std::size_t max_prompts = std::size_t{1} << 20;

  /// @param big_c C, nats: -A <= C almost surely, claimed beforehand
  /// @throws std::domain_error if C is negative or NaN
  explicit KlEValue(double big_c);

  /// @param prompt hash of the prompt  @param advantage A of one response, nats, finite, |A| at
  /// most 2^20
  void add(std::uint64_t prompt, double advantage);

  [[nodiscard]] std::int64_t responses() const noexcept { return responses_; }
  [[nodiscard]] std::size_t prompts() const noexcept { return sums_.size(); }
  /// No prompt was left out for want of room.
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] double big_c() const noexcept { return big_c_; }
  /// Largest -A met, nats; above C the claimed premise itself is wrong.
  [[nodiscard]] double largest_loss() const noexcept { return largest_loss_; }
  /// log of the e-value, 0 without responses. Cost O(prompts).
  [[nodiscard]] double log_e() const;
  /// min(1, 1/e): valid at any sample size. 1 unless complete().
  [[nodiscard]] double p_fail() const;

 private:
  static constexpr std::array<double, 3> multiples{0.25, 1.0, 4.0};
  struct Sums {
    std::array<stats::Int128, 3> factors{};  ///< in units of 2^-30
    std::int64_t responses = 0;
  };
  double big_c_, phi_, largest_loss_;
  std::int64_t responses_ = 0;
  bool complete_ = true;
  std::map<std::uint64_t, Sums> sums_;  ///< by prompt
};

}  // namespace gammascope::check
