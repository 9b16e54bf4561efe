// SPDX-License-Identifier: MIT
// Where the responses are, token by token: the distribution d_t of the state before token t among
// the responses alive there, and P(T > t). Tests: tests/simulators/markov/test_token_profile.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/core/interrupt.hpp"
#include "simulators/markov/process.hpp"

namespace gammascope::markov {

/// Walks t = 0, 1, 2, … (0-based). The distribution is renormalised at every step and the survival
/// kept apart, so d_t stays exact to rounding when P(T > t) has long underflowed.
template <class Real>
class StateFlow {
 public:
  explicit StateFlow(const Process<Real>& process)
      : process_(&process), distribution_(process.initial()), after_(process.states(), Real{0}) {}

  [[nodiscard]] std::int64_t t() const noexcept { return t_; }
  /// False once no response can be alive at t.
  [[nodiscard]] bool any() const noexcept { return any_; }
  /// (states) d_t, sums to 1, 0 at the end state. Meaningless unless any().
  [[nodiscard]] const std::vector<Real>& distribution() const noexcept { return distribution_; }
  /// P(T > t), no cut.
  [[nodiscard]] const Real& alive() const noexcept { return alive_; }

  /// To t + 1. Cost: O(nonzeros). @throws Interrupted
  void advance() {
    stop_if_interrupted();
    ++t_;
    if (!any_) return;
    for (Real& p : after_) p = Real{0};
    for (std::size_t s = 0; s < process_->states(); ++s) {
      if (distribution_[s] == Real{0}) continue;
      for (const Edge<Real>& e : process_->row(s))
        after_[e.next] += distribution_[s] * e.probability;
    }
    Real ended{0};
    if (process_->end_state()) std::swap(ended, after_[*process_->end_state()]);
    Real live{0};
    for (const Real& p : after_) live += p;
    any_ = live > Real{0};
    if (!any_) {
      alive_ = Real{0};
      return;
    }
    if (ended > Real{0}) {
      const Real all = live + ended;
      alive_ *= live / all;
    }
    for (Real& p : after_) p /= live;
    std::swap(distribution_, after_);
  }

 private:
  const Process<Real>* process_;
  std::vector<Real> distribution_, after_;
  Real alive_{1};
  std::int64_t t_ = 0;
  bool any_ = true;
};

}  // namespace gammascope::markov
