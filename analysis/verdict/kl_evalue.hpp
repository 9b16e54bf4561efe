// SPDX-License-Identifier: MIT
// The data check of the KL form (theory 3e; theory-2, 3E): on policy with -A <= C, E[A + phi(C) A^2
// | h] <= 0. Judged by an e-value, since no z or t interval has its size here. It can fail or stay
// inconclusive, never pass. Tests: tests/analysis/verdict/test_kl_evalue.cpp
#pragma once

#include <array>
#include <cstdint>

namespace gammascope::check {

/// Product over independent responses of 1 + lambda (A + phi(C) A^2), mean over lambda = phi(C) *
/// {1/4, 1, 4} (lambda <= 4 phi(C) keeps every factor >= 0). Each response enters once, with the
/// sum from one fixed position: given its prefix the factor has mean <= 1, so responses of one
/// prompt may both enter. Logarithms are summed on a grid of 2^-30, rounded down: the same value in
/// any order, and a hair conservative.
class KlEValue {
 public:
  /// @param big_c C, nats: -A <= C almost surely, claimed beforehand
  /// @throws std::domain_error if C is negative or NaN
  explicit KlEValue(double big_c);

  /// @param advantage A of one response, nats, finite
  void add(double advantage);

  [[nodiscard]] std::int64_t responses() const noexcept { return responses_; }
  [[nodiscard]] double big_c() const noexcept { return big_c_; }
  /// Largest -A met, nats; above C the claimed premise itself is wrong.
  [[nodiscard]] double largest_loss() const noexcept { return largest_loss_; }
  /// log of the e-value, 0 without responses.
  [[nodiscard]] double log_e() const;
  /// min(1, 1/e): valid at any sample size.
  [[nodiscard]] double p_fail() const;

 private:
  static constexpr std::array<double, 3> factors{0.25, 1.0, 4.0};
  double big_c_, phi_, largest_loss_;
  std::int64_t responses_ = 0;
  std::array<std::int64_t, 3> log_sums_{};  ///< in units of 2^-30 nats
  std::array<bool, 3> zero_{};              ///< a factor was 0
};

}  // namespace gammascope::check
