// SPDX-License-Identifier: MIT
// Mean and variance of A from each state with n tokens to go, by the law of total variance
// (theory section 4): every term is >= 0, so nothing cancels; m2 - m1^2 has lost 2e-3 relative at
// gamma = 1, n = 65536, where this form holds 2e-11. Tests: tests/simulators/markov/
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "analysis/core/gamma.hpp"
#include "analysis/core/interrupt.hpp"
#include "simulators/markov/process.hpp"

namespace gammascope::markov {

/// Mean (nats) and variance (nats^2) of a credit. A token that the teacher never emits and the
/// student does makes the mean minus infinity and the variance plus infinity.
template <class Real>
struct Moments {
  Real mean{0};
  Real variance{0};
  [[nodiscard]] bool infinite() const { return is_minus_infinity(mean); }
  /// E[A^2] = Var + mean^2; plus infinity if infinite().
  [[nodiscard]] Real second_moment() const { return variance + mean * mean; }
};

/// Moments of a mixture: weights w_i >= 0 that need not sum to 1 (their sum must be positive),
/// components i. variance = sum w (v_i + (m_i - m)^2) / sum w. Components of weight 0 are skipped.
template <class Real>
[[nodiscard]] Moments<Real> mix(const std::vector<Real>& weights,
                                const std::vector<Real>& means,
                                const std::vector<Real>& variances) {
  Real total{0}, mean{0};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == Real{0}) continue;
    total += weights[i];
    mean += weights[i] * means[i];
  }
  if (is_minus_infinity(mean)) {
    if constexpr (std::numeric_limits<Real>::has_infinity)
      return {mean, std::numeric_limits<Real>::infinity()};
  }
  mean /= total;
  Real variance{0};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == Real{0}) continue;
    const Real gap = means[i] - mean;
    variance += weights[i] * (variances[i] + gap * gap);
  }
  variance /= total;
  return {mean, variance};
}

/// Walks n = 0, 1, 2, …: with at most n tokens to go (fewer where the response ends),
///   mean_n(s) = sum_e p [X + gamma mean_{n-1}(s')]
///   var_n(s)  = sum_e p [(X + gamma mean_{n-1}(s') - mean_n(s))^2 + gamma^2 var_{n-1}(s')],
/// both 0 at n = 0 and in the end state (theory section 4; Sobel 1982).
template <class Real>
class BackwardMoments {
 public:
  BackwardMoments(const Process<Real>& process, Gamma gamma)
      : process_(&process),
        gamma_(gamma.value()),
        mean_(process.states(), Real{0}),
        variance_(mean_),
        ahead_(process.states(), Ahead{Real{0}, Real{0}}) {}

  [[nodiscard]] std::int64_t n() const noexcept { return n_; }
  [[nodiscard]] const std::vector<Real>& mean() const noexcept { return mean_; }
  [[nodiscard]] const std::vector<Real>& variance() const noexcept { return variance_; }

  /// To n + 1. Cost: O(nonzeros). @throws Interrupted
  void advance() {
    stop_if_interrupted();
    ++n_;
    // At gamma = 0 nothing ahead counts, not even an infinity.
    if (gamma_ > Real{0}) {
      for (std::size_t s = 0; s < mean_.size(); ++s) {
        ahead_[s].mean = gamma_ * mean_[s];
        ahead_[s].variance = gamma_ * gamma_ * variance_[s];
      }
    }
    for (std::size_t s = 0; s < mean_.size(); ++s) {
      const auto row = process_->row(s);
      Real mean{0};
      for (const Edge<Real>& e : row) mean += e.probability * (e.log_ratio + ahead_[e.next].mean);
      mean_[s] = mean;
      variance_[s] =
          is_minus_infinity(mean) ? std::numeric_limits<Real>::infinity() : one_step(row, mean);
    }
  }

 private:
  /// Discounted moments of what follows, side by side: one cache line a successor.
  struct Ahead {
    Real mean, variance;
  };

  [[nodiscard]] Real one_step(std::span<const Edge<Real>> row, const Real& mean) const {
    Real variance{0};
    for (const Edge<Real>& e : row) {
      const Real gap = e.log_ratio + ahead_[e.next].mean - mean;
      variance += e.probability * (gap * gap + ahead_[e.next].variance);
    }
    return variance;
  }

  const Process<Real>* process_;
  Real gamma_;
  std::vector<Real> mean_, variance_;
  std::vector<Ahead> ahead_;
  std::int64_t n_ = 0;
};

}  // namespace gammascope::markov
