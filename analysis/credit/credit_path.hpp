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

/// The sums that start at each t in [first, last) and end before `last` (the end of the response,
/// or of a window), for all gammas. `state` is scratch: on return it holds A_first. Precondition:
/// first <= last <= path.length().
template <CreditSink Sink>
void scan_credit(const CreditPath& path,
                 std::size_t first,
                 std::size_t last,
                 std::span<const double> gamma,
                 std::vector<double>& state,
                 Sink&& sink) {
  state.assign(gamma.size(), 0.0);
  double* const a = state.data();
  const double* const g = gamma.data();
  const std::size_t lanes = gamma.size();
  for (std::size_t t = last; t-- > first;) {
    const double delta = path.delta[t];
    const std::uint32_t spend = path.uniform ? 1 : path.spend[t];
    if (spend == 1) {
      for (std::size_t i = 0; i < lanes; ++i) a[i] = g[i] * a[i] - delta;
    } else if (spend == CreditPath::cut) {
      for (std::size_t i = 0; i < lanes; ++i) a[i] = -delta;
    } else if (t + 1 == last) {  // nothing lies behind the last token: its spend is not this sum's
      for (std::size_t i = 0; i < lanes; ++i) a[i] = -delta;
    } else {
      for (std::size_t i = 0; i < lanes; ++i) {
        double behind = a[i];
        for (std::uint32_t k = 0; k < spend && behind != 0.0 && g[i] != 1.0; ++k)
          behind = g[i] * behind;
        a[i] = behind - delta;
      }
    }
    sink(t, std::span<const double>(state));
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
