// SPDX-License-Identifier: MIT
// The sampled tokens of one response with what gamma does between them, and the one backward pass
// that gives A_t^(gamma) for a whole grid of gammas: Eq. (7), A_t = -sum_{t' >= t} gamma^(t'-t)
// Delta_t', as A_t = gamma A_{t+1} - Delta_t. Never by powers of gamma and a division: gamma^t
// underflows (float32, gamma 0.9: zero from t = 987). Cost: one multiply and one add per token and
// gamma. Determinism: each (response, gamma) is one sequential recursion in double without fused
// multiply-add, so the bits do not depend on the grid, the threads or the caller. Tests:
// tests/analysis/credit/test_credit_path.cpp, values: tests/data/reference/credit.json
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/credit/clock.hpp"

namespace gammascope {

/// One response without its masked tokens; t counts sampled tokens (mask 1), 0-based. Reused from
/// response to response.
struct CreditPath {
  /// In `spend`: the sum is cut between t and t + 1 (clock `reset`).
  static constexpr std::uint32_t cut = 0xffffffffu;

  std::vector<double> delta;  ///< (T) Delta_t, nats
  std::vector<std::uint32_t>
      spend;  ///< (T) gammas spent between t and t + 1, or `cut`; the last entry is 1 and unused
  bool uniform = true;  ///< every spend is 1: the plain recursion

  /// Masked entries, NaN included, are never read.
  /// @throws std::invalid_argument with clock `turn` if the turn column is missing or goes back
  void assign(const Rollout& rollout, Clock clock);

  [[nodiscard]] std::size_t length() const noexcept { return delta.size(); }
};

/// Called at every token of the sum, from the last to the first: `advantage[i]` is A_t at gamma[i],
/// valid during the call only.
template <class Sink>
concept CreditSink = requires(Sink s, std::size_t t, std::span<const double> advantage) {
  { s(t, advantage) } -> std::same_as<void>;
};

namespace detail {

/// `behind` after `spend` gammas: one multiplication each, never a power.
[[nodiscard]] inline double spent(double behind, double gamma, std::uint32_t spend) noexcept {
  for (std::uint32_t k = 0; k < spend && behind != 0.0 && gamma != 1.0; ++k)
    behind = gamma * behind;
  return behind;
}

/// Two doubles in one register of every 64-bit machine.
using Pair [[gnu::vector_size(16)]] = double;

/// A run of tokens [first, last) that spend one gamma each, going on from `state`. With
/// `pairs` > 0 there are 2 * pairs gammas and A_t stays in registers from token to token; 0: any
/// number. The same arithmetic, so the same bits.
template <std::size_t pairs, CreditSink Sink>
void scan_run(const double* delta,
              std::size_t first,
              std::size_t last,
              std::span<const double> gamma,
              std::span<double> state,
              Sink& sink) {
  double* const out = state.data();
  if constexpr (pairs > 0) {
    Pair a[pairs], g[pairs];
    for (std::size_t i = 0; i < pairs; ++i) {
      a[i] = Pair{out[2 * i], out[2 * i + 1]};
      g[i] = Pair{gamma[2 * i], gamma[2 * i + 1]};
    }
    for (std::size_t t = last; t-- > first;) {
      const Pair d{delta[t], delta[t]};
      for (std::size_t i = 0; i < pairs; ++i) {
        a[i] = g[i] * a[i] - d;
        out[2 * i] = a[i][0];
        out[2 * i + 1] = a[i][1];
      }
      sink(t, std::span<const double>(out, 2 * pairs));
    }
  } else {
    const std::size_t size = gamma.size();
    for (std::size_t t = last; t-- > first;) {
      for (std::size_t i = 0; i < size; ++i) out[i] = gamma[i] * out[i] - delta[t];
      sink(t, std::span<const double>(out, size));
    }
  }
}

/// One gamma: a chain of one multiply and one add a token.
template <CreditSink Sink>
void scan_run_of_one(const double* delta,
                     std::size_t first,
                     std::size_t last,
                     double gamma,
                     double& state,
                     Sink& sink) {
  double a = state;
  for (std::size_t t = last; t-- > first;) {
    a = gamma * a - delta[t];
    state = a;
    sink(t, std::span<const double>(&state, 1));
  }
}

template <CreditSink Sink>
void scan_run(const CreditPath& path,
              std::size_t first,
              std::size_t last,
              std::span<const double> gamma,
              std::span<double> state,
              Sink& sink) {
  const double* const delta = path.delta.data();
  switch (gamma.size()) {
    case 1:
      return scan_run_of_one(delta, first, last, gamma[0], state[0], sink);
    case 4:
      return scan_run<2>(delta, first, last, gamma, state, sink);
    case 8:
      return scan_run<4>(delta, first, last, gamma, state, sink);
    case 12:
      return scan_run<6>(delta, first, last, gamma, state, sink);
    case 16:
      return scan_run<8>(delta, first, last, gamma, state, sink);
    default:
      return scan_run<0>(delta, first, last, gamma, state, sink);
  }
}

}  // namespace detail

/// The sums that start at each t in [first, last) and end before `last` (the end of the response,
/// or of a window), for all gammas. `state` is scratch: on return it holds A_first. Precondition:
/// first <= last <= path.length(). Fastest with 1, 4, 8, 12
/// or 16 gammas, as GammaGrid::padded() gives.
template <CreditSink Sink>
void scan_credit(const CreditPath& path,
                 std::size_t first,
                 std::size_t last,
                 std::span<const double> gamma,
                 std::vector<double>& state,
                 Sink&& sink) {
  state.assign(gamma.size(), 0.0);
  const std::span<double> a(state);
  if (path.uniform) return detail::scan_run(path, first, last, gamma, a, sink);
  for (std::size_t t = last; t > first;) {
    std::size_t run = t;  // [run, t) spend one gamma each
    while (run > first && path.spend[run - 1] == 1) --run;
    detail::scan_run(path, run, t, gamma, a, sink);
    if (run == first) return;
    t = run - 1;
    const std::uint32_t spend = path.spend[t];
    // Nothing lies behind the last token: its spend is not this sum's.
    const bool alone = spend == CreditPath::cut || t + 1 == last;
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = (alone ? 0.0 : detail::spent(a[i], gamma[i], spend)) - path.delta[t];
    sink(t, std::span<const double>(a));
  }
}

/// The same over the whole response.
template <CreditSink Sink>
void scan_credit(const CreditPath& path,
                 std::span<const double> gamma,
                 std::vector<double>& state,
                 Sink&& sink) {
  scan_credit(path, 0, path.length(), gamma, state, sink);
}

/// The sum of the weights that A_first gives to the tokens [first, last): geo(gamma, last - first)
/// for uniform spending. What a bound calls G is the largest of these over the rows used (theory
/// 1).
[[nodiscard]] double weight_sum(const CreditPath& path,
                                std::size_t first,
                                std::size_t last,
                                double gamma);

}  // namespace gammascope
