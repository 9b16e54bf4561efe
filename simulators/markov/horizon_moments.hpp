// SPDX-License-Identifier: MIT
// Exact moments by horizon: the token with exactly n left, itself included, over the responses that
// end by the end token within the cut (results.md; theory sections 4 and 5.4). Given the future end
// the student is another policy, pi_n(e|s) = p e_{n-1}(s') / e_n(s), e_n(s) = P(exactly n tokens,
// then the end). Tests: tests/simulators/markov/test_horizon_moments.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/core/gamma.hpp"
#include "analysis/core/interrupt.hpp"
#include "simulators/markov/exact_moments.hpp"

namespace gammascope::markov {

/// Walks n = 0, 1, 2, …: e_n(s) = sum_e p e_{n-1}(s'), e_0 = 1 at the end state. The vector is
/// scaled so that its largest entry is 1; the scale is kept apart, so that ratios survive where
/// the probability itself underflows.
template <class Real>
class EndingIn {
 public:
  explicit EndingIn(const Process<Real>& process)
      : process_(&process), reachable_(reachable_states(process)), now_(process.states(), Real{0}) {
    if (process.end_state()) now_[*process.end_state()] = Real{1};
    before_ = now_;
  }
  [[nodiscard]] std::int64_t n() const noexcept { return n_; }
  /// (states) e_n / scale, and e_{n-1} / its scale.
  [[nodiscard]] const std::vector<Real>& scaled() const noexcept { return now_; }
  [[nodiscard]] const std::vector<Real>& scaled_before() const noexcept { return before_; }
  /// e_n = scale * scaled; may underflow to 0.
  [[nodiscard]] const Real& scale() const noexcept { return scale_; }

  /// To n + 1. Cost: O(nonzeros). @throws Interrupted
  void advance() {
    stop_if_interrupted();
    ++n_;
    std::swap(before_, now_);
    Real largest{0};
    for (std::size_t s = 0; s < now_.size(); ++s) {
      Real sum{0};
      if (reachable_[s])
        for (const Edge<Real>& e : process_->row(s)) sum += e.probability * before_[e.next];
      now_[s] = sum;
      if (sum > largest) largest = sum;
    }
    if (!(largest > Real{0})) return;
    for (Real& e : now_) e /= largest;
    scale_ *= largest;
  }

 private:
  const Process<Real>* process_;
  std::vector<bool> reachable_;
  std::vector<Real> now_, before_;
  Real scale_{1};
  std::int64_t n_ = 0;
};

template <class Real>
struct HorizonTable {
  std::vector<Real> probability;  ///< [horizon] P(n <= T <= max_length): that such a token exists
  MomentTable<Real> moments;      ///< [gamma][horizon], absent where no such token can exist
};

namespace detail {

/// (states) sum over t <= max_length - n of P(alive at t in s), for each requested n.
template <class Real>
[[nodiscard]] std::vector<std::vector<Real>> visits(const Process<Real>& process,
                                                    std::int64_t max_length,
                                                    std::span<const std::int64_t> horizons) {
  std::vector<std::size_t> order(horizons.size());
  for (std::size_t i = 0; i < horizons.size(); ++i) {
    if (horizons[i] < 1) throw std::invalid_argument("a horizon has at least one token");
    order[i] = i;
  }
  std::ranges::stable_sort(
      order, std::ranges::greater{}, [&](std::size_t i) { return horizons[i]; });
  std::vector<std::vector<Real>> result(horizons.size());
  std::vector<Real> sum(process.states(), Real{0});
  StateFlow<Real> flow(process);
  for (const std::size_t i : order) {
    for (; flow.any() && flow.t() <= max_length - horizons[i]; flow.advance())
      for (std::size_t s = 0; s < sum.size(); ++s) sum[s] += flow.alive() * flow.distribution()[s];
    if (horizons[i] <= max_length) result[i] = sum;
  }
  return result;
}

/// One step of the reweighted policy: moments with exactly n left from those with n - 1 left.
/// `ahead`: e_{n-1} up to a factor.
template <class Real>
void conditioned_step(const Process<Real>& process,
                      const std::vector<Real>& ahead,
                      const Real& gamma,
                      std::vector<Moments<Real>>& now,
                      std::vector<Moments<Real>>& next) {
  std::swap(now, next);
  for (std::size_t s = 0; s < now.size(); ++s) {
    Real total{0}, mean{0};
    const auto value = [&](const Edge<Real>& e) {
      // At gamma = 0 nothing ahead counts, not even an infinity.
      return gamma > Real{0} ? Real(e.log_ratio + gamma * next[e.next].mean) : e.log_ratio;
    };
    for (const Edge<Real>& e : process.row(s)) {
      const Real weight = e.probability * ahead[e.next];
      if (!(weight > Real{0})) continue;
      total += weight;
      mean += weight * value(e);
    }
    now[s] = {};
    if (!(total > Real{0})) continue;
    if (is_minus_infinity(mean)) {
      now[s] = {mean, std::numeric_limits<Real>::infinity()};
      continue;
    }
    mean /= total;
    Real variance{0};
    for (const Edge<Real>& e : process.row(s)) {
      const Real weight = e.probability * ahead[e.next];
      if (!(weight > Real{0})) continue;
      const Real gap = value(e) - mean;
      variance += weight * (gap * gap);
      if (gamma > Real{0}) variance += weight * (gamma * gamma * next[e.next].variance);
    }
    variance /= total;
    now[s] = {mean, variance};
  }
}

}  // namespace detail

/// Moments of A at the token with exactly n left (A then sums exactly n tokens), over all responses
/// with n <= T <= max_length that end by the end token. The token's state has weight
/// sum_{t <= max_length - n} P(alive at t in s) e_n(s), whose total is `probability`.
///
/// This population looks ahead: (OP), the martingale property and the bounds that use them do not
/// hold here (theory 5.4, T2.1e).
/// @param horizons n >= 1, any order; n > max_length has probability 0
/// @throws std::invalid_argument for n < 1. Cost: O(gammas * max n * nonzeros + max_length *
/// nonzeros) time, O(horizons * states) memory
template <class Real>
[[nodiscard]] HorizonTable<Real> horizon_moments(const Process<Real>& process,
                                                 std::span<const Gamma> gammas,
                                                 std::int64_t max_length,
                                                 std::span<const std::int64_t> horizons) {
  const auto visits = detail::visits(process, max_length, horizons);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < horizons.size(); ++i)
    if (!visits[i].empty()) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return horizons[i]; });
  HorizonTable<Real> table{std::vector<Real>(horizons.size(), Real{0}),
                           MomentTable<Real>(gammas.size())};
  for (auto& line : table.moments) line.resize(horizons.size());
  if (!process.end_state()) return table;

  EndingIn<Real> ending(process);
  std::vector<std::vector<Moments<Real>>> now(gammas.size(),
                                              std::vector<Moments<Real>>(process.states()));
  auto next = now;
  std::vector<Real> weights(process.states()), means(weights), variances(weights);
  for (const std::size_t i : order) {
    while (ending.n() < horizons[i]) {
      ending.advance();
      for (std::size_t g = 0; g < gammas.size(); ++g)
        detail::conditioned_step(
            process, ending.scaled_before(), Real(gammas[g].value()), now[g], next[g]);
    }
    Real total{0};
    for (std::size_t s = 0; s < weights.size(); ++s) {
      weights[s] = process.is_end(s) ? Real{0} : Real(visits[i][s] * ending.scaled()[s]);
      total += weights[s];
    }
    if (!(total > Real{0})) continue;
    table.probability[i] = ending.scale() * total;
    for (std::size_t g = 0; g < gammas.size(); ++g) {
      for (std::size_t s = 0; s < weights.size(); ++s) {
        means[s] = now[g][s].mean;
        variances[s] = now[g][s].variance;
      }
      table.moments[g][i] = mix(weights, means, variances);
    }
  }
  return table;
}

/// [k - 1]: E[X^2 of the token with k left | n <= T <= max_length, ended], k = 1, …, n. Its maximum
/// is the sigma2 that Theorem 3.3 needs by horizon n; the maximum over positions is too small
/// (theory 5.4). Empty where no such response exists.
/// @throws std::invalid_argument for n < 1. Cost: O((n + max_length) * nonzeros) time, O(n *
/// states) memory, for one n
template <class Real>
[[nodiscard]] std::vector<Real> horizon_second_moments(const Process<Real>& process,
                                                       std::int64_t max_length,
                                                       std::int64_t n) {
  const auto visits = detail::visits(process, max_length, std::span(&n, 1));
  if (visits[0].empty() || !process.end_state()) return {};
  EndingIn<Real> ending(process);
  std::vector<std::vector<Real>> ahead;  // [k] e_k up to a factor
  for (std::int64_t k = 0; k < n; ++k) {
    ahead.push_back(ending.scaled());
    ending.advance();
  }
  std::vector<Real> weights(process.states(), Real{0}), after(weights);
  Real total{0};
  for (std::size_t s = 0; s < weights.size(); ++s) {
    if (!process.is_end(s)) weights[s] = visits[0][s] * ending.scaled()[s];
    total += weights[s];
  }
  if (!(total > Real{0})) return {};
  for (Real& w : weights) w /= total;
  std::vector<Real> result(static_cast<std::size_t>(n), Real{0});
  for (std::size_t k = static_cast<std::size_t>(n); k >= 1; --k) {
    std::ranges::fill(after, Real{0});
    for (std::size_t s = 0; s < weights.size(); ++s) {
      if (!(weights[s] > Real{0})) continue;
      Real row{0};
      for (const Edge<Real>& e : process.row(s)) row += e.probability * ahead[k - 1][e.next];
      for (const Edge<Real>& e : process.row(s)) {
        if (!(ahead[k - 1][e.next] > Real{0})) continue;
        const Real flow = weights[s] * (e.probability * ahead[k - 1][e.next] / row);
        result[k - 1] += flow * (e.log_ratio * e.log_ratio);
        after[e.next] += flow;
      }
    }
    std::swap(weights, after);
  }
  return result;
}

}  // namespace gammascope::markov
