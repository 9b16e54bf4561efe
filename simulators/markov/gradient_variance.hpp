// SPDX-License-Identifier: MIT
// Exact mean and variance of the gradient estimator of one response,
//   g = sum_{t < T} (A_t - B_t) z_t,  z_t = e_{s_t} x (e_{y_t} - pi(.|s_t)),
// for a student that is a softmax over tokens with one row of logits a state (theory-2, 6a; ascent
// direction). Centred, by the law of total variance, where theory-2 writes raw second moments:
// E|g|^2 - |E g|^2 would lose digits for long responses. Tests:
// tests/simulators/markov/test_gradient_variance.cpp, proofs_check/claims/gradient_variance.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/core/gamma.hpp"
#include "simulators/markov/process.hpp"
#include "simulators/markov/state_flow.hpp"

namespace gammascope::markov {

/// What is taken off A_t before it meets the score: nothing; the mean of A_t over the responses
/// alive at t; the mean given the state before token t.
enum class GradientBaseline : std::uint8_t { none, position, value };

/// "none", "position", "value": as in result.json.
[[nodiscard]] const char* name(GradientBaseline baseline) noexcept;

/// Moments of g of one response. Unit: nats (trace: nats^2), per logit.
template <class Real>
struct GradientMoments {
  std::vector<Real> mean;  ///< (states * vocabulary), row-major: E g
  Real trace_cov{0};       ///< tr Cov(g)
  /// |E g|^2, nats^2.
  [[nodiscard]] Real norm2() const {
    Real sum{0};
    for (const Real& x : mean) sum += x * x;
    return sum;
  }
};

/// Walks n = 0, 1, 2, … tokens to go. With (y, s') the token and the next state, ' = values at
/// n - 1 in s', a = X + gamma m', x = (a - B) z + u':
///   m = E a,  v = E[gamma^2 v' + (a - m)^2],  u = E x,
///   c = Cov(A, g) = E[gamma^2 v' z + gamma c' + (a - m)(x - u)],
///   q = tr Cov(g) = E[gamma^2 v' |z|^2 + 2 gamma z.c' + q' + |x - u|^2].
template <class Real>
class GradientRecursion {
 public:
  /// @throws std::domain_error if a log-ratio of a reachable state is minus infinity
  GradientRecursion(const Process<Real>& process, Real gamma)
      : process_(&process),
        gamma_(std::move(gamma)),
        tokens_(process.vocabulary()),
        size_(process.states() * tokens_),
        policy_(size_, Real{0}),
        now_(process.states(), State{Real{0}, Real{0}, Real{0}, zeros(), zeros()}) {
    if (meets_minus_infinity(process))
      throw std::domain_error(
          "the teacher never emits a token that the student does: the gradient has no moments");
    for (std::size_t s = 0; s < process.states(); ++s)
      for (const Edge<Real>& e : process.row(s)) policy_[at(s, e.token)] += e.probability;
    before_ = now_;
  }

  [[nodiscard]] std::int64_t n() const noexcept { return n_; }
  /// E[A | s] with n tokens to go, nats.
  [[nodiscard]] const Real& mean_credit(std::size_t s) const noexcept { return now_[s].m; }
  /// (states * vocabulary) E[g | s].
  [[nodiscard]] const std::vector<Real>& mean(std::size_t s) const noexcept { return now_[s].u; }
  /// tr Cov(g | s).
  [[nodiscard]] const Real& trace_cov(std::size_t s) const noexcept { return now_[s].q; }

  /// E[A | s] one token further back than n(), without advancing: what a baseline may need.
  [[nodiscard]] Real next_mean_credit(std::size_t s) const {
    Real m{0};
    for (const Edge<Real>& e : process_->row(s)) m += e.probability * credit(e, now_[e.next].m);
    return m;
  }

  /// To n + 1. @param baseline (states) B of the token with n + 1 to go
  /// Cost: O(nonzeros * states * vocabulary)
  void advance(std::span<const Real> baseline) {
    ++n_;
    std::swap(before_, now_);
    for (std::size_t s = 0; s < now_.size(); ++s) step(s, baseline[s]);
  }

 private:
  struct State {
    Real m, v, q;
    std::vector<Real> u, c;
  };

  [[nodiscard]] std::vector<Real> zeros() const { return std::vector<Real>(size_, Real{0}); }
  [[nodiscard]] std::size_t at(std::size_t s, std::size_t a) const { return s * tokens_ + a; }
  [[nodiscard]] Real credit(const Edge<Real>& e, const Real& ahead) const {
    return e.log_ratio + gamma_ * ahead;
  }
  /// z of token y in state s, component b.
  [[nodiscard]] Real score(std::size_t s, std::size_t y, std::size_t b) const {
    return (y == b ? Real{1} : Real{0}) - policy_[at(s, b)];
  }

  void step(std::size_t s, const Real& baseline) {
    State& now = now_[s];
    now.m = now.v = now.q = Real{0};
    now.u.assign(size_, Real{0});
    now.c.assign(size_, Real{0});
    const auto row = process_->row(s);
    for (const Edge<Real>& e : row) {
      const State& ahead = before_[e.next];
      const Real a = credit(e, ahead.m);
      now.m += e.probability * a;
      for (std::size_t i = 0; i < size_; ++i) now.u[i] += e.probability * ahead.u[i];
      for (std::size_t b = 0; b < tokens_; ++b)
        now.u[at(s, b)] += e.probability * ((a - baseline) * score(s, e.token, b));
    }
    for (const Edge<Real>& e : row) {
      const State& ahead = before_[e.next];
      const Real a = credit(e, ahead.m), gap = a - now.m;
      const Real v_ahead = gamma_ * gamma_ * ahead.v;
      now.v += e.probability * (v_ahead + gap * gap);
      Real q = ahead.q;
      for (std::size_t i = 0; i < size_; ++i) {
        Real x = ahead.u[i] - now.u[i];
        Real c = gamma_ * ahead.c[i];
        if (i >= at(s, 0) && i < at(s + 1, 0)) {
          const Real z = score(s, e.token, i - at(s, 0));
          x += (a - baseline) * z;
          q += z * (v_ahead * z + Real{2} * c);
          c += v_ahead * z;
        }
        q += x * x;
        now.c[i] += e.probability * (c + gap * x);
      }
      now.q += e.probability * q;
    }
  }

  const Process<Real>* process_;
  Real gamma_;
  std::size_t tokens_, size_;
  std::vector<Real> policy_;  ///< (states * vocabulary) pi(a|s)
  std::vector<State> now_, before_;
  std::int64_t n_ = 0;
};

/// E g and tr Cov(g) of one response of at most `max_length` tokens, the state before token 0
/// drawn from `initial`.
///
/// @param gamma in [0, 1]  @param max_length the cut, >= 1
/// @throws std::domain_error if a log-ratio is minus infinity; std::invalid_argument for a cut < 1
/// Cost: O(max_length * nonzeros * states * vocabulary) time; memory O(states^2 * vocabulary), and
/// O(max_length * states) with the baseline `position`
template <class Real>
[[nodiscard]] GradientMoments<Real> gradient_moments(const Process<Real>& process,
                                                     const Real& gamma,
                                                     std::int64_t max_length,
                                                     GradientBaseline baseline) {
  if (max_length < 1) throw std::invalid_argument("a response has at least one token");
  const std::size_t states = process.states();
  std::vector<std::vector<Real>> alive;  // [t] d_t, empty once nobody is
  if (baseline == GradientBaseline::position) {
    StateFlow<Real> flow(process);
    for (; flow.any() && flow.t() < max_length; flow.advance())
      alive.push_back(flow.distribution());
  }
  GradientRecursion<Real> walk(process, gamma);
  std::vector<Real> b(states, Real{0});
  while (walk.n() < max_length) {
    if (baseline == GradientBaseline::value) {
      for (std::size_t s = 0; s < states; ++s) b[s] = walk.next_mean_credit(s);
    } else if (baseline == GradientBaseline::position) {
      const auto t = static_cast<std::size_t>(max_length - walk.n() - 1);
      Real mean{0};
      if (t < alive.size())
        for (std::size_t s = 0; s < states; ++s) mean += alive[t][s] * walk.next_mean_credit(s);
      b.assign(states, mean);
    }
    walk.advance(b);
  }
  GradientMoments<Real> moments;
  moments.mean.assign(states * process.vocabulary(), Real{0});
  for (std::size_t s = 0; s < states; ++s)
    for (std::size_t i = 0; i < moments.mean.size(); ++i)
      moments.mean[i] += process.initial()[s] * walk.mean(s)[i];
  for (std::size_t s = 0; s < states; ++s) {
    if (process.initial()[s] == Real{0}) continue;
    Real spread = walk.trace_cov(s);
    for (std::size_t i = 0; i < moments.mean.size(); ++i) {
      const Real gap = walk.mean(s)[i] - moments.mean[i];
      spread += gap * gap;
    }
    moments.trace_cov += process.initial()[s] * spread;
  }
  return moments;
}

/// What a discount is worth beside gamma = 1 (theory section 6), for batches of B independent
/// gradients of trace `trace_cov` each.
struct GradientScores {
  double bias2;      ///< |E g_gamma - E g_1|^2, nats^2
  double cosine;     ///< of E g_gamma and E g_1; NaN if either is 0
  double alignment;  ///< max(0, <E g_gamma, E g_1>)^2 / (|E g_1|^2 (|E g_gamma|^2 + tr Cov / B)) in
                     ///< [0, 1]; NaN if E g_1 = 0, 0 if g_gamma = 0
  double mse;        ///< bias2 + tr Cov / B, nats^2
};

/// @param batch B > 0  @throws std::invalid_argument otherwise, or for means of unequal size
[[nodiscard]] GradientScores gradient_scores(const GradientMoments<double>& at_gamma,
                                             const GradientMoments<double>& at_one,
                                             double batch);

}  // namespace gammascope::markov
