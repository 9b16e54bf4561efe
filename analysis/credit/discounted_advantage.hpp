// SPDX-License-Identifier: MIT
// A_t^(gamma) = -sum_{t' >= t} gamma^(t'-t) Delta_t', Eq. (7), written out for one response over
// all its tokens. Tests: tests/analysis/credit/test_discounted_advantage.cpp, values:
// tests/data/reference/credit.json
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/core/gamma.hpp"
#include "analysis/core/rollout.hpp"
#include "analysis/credit/clock.hpp"

namespace gammascope {

/// The definition, for any number type: the slow, sequential truth that every other path is
/// compared with.
///
/// advantage[t] of a masked t is left untouched; masked entries, NaN included, never reach the
/// state (a branch, not a product: 0 * NaN is NaN). `turn` is read with clock `turn` only.
/// @param delta (T) nats, t 0-based over all tokens  @param mask (T) or empty: all ones  @param
/// turn (T) or empty
/// @param advantage (T), may alias delta
template <class Real>
constexpr void discounted_advantage(std::span<const Real> delta,
                                    std::span<const std::uint8_t> mask,
                                    std::span<const std::int32_t> turn,
                                    const Real& gamma,
                                    Clock clock,
                                    std::span<Real> advantage) {
  Real a{0};
  bool started = false;
  std::int32_t turn_behind = 0;
  for (std::size_t t = delta.size(); t-- > 0;) {
    if (mask.empty() || mask[t] != 0) {
      if (clock == Clock::turn) {
        if (started && turn[t] != turn_behind) a = gamma * a;
        turn_behind = turn[t];
        a = a - delta[t];
      } else {
        a = gamma * a - delta[t];
      }
      started = true;
      advantage[t] = a;
    } else if (clock == Clock::count) {
      a = gamma * a;
    } else if (clock == Clock::reset) {
      a = Real{0};
    }
  }
}

/// A_t of one response, nats, one entry per token; masked tokens get NaN. Same bits as scan_credit.
/// @throws std::invalid_argument with clock `turn` if the turn column is missing or goes back
/// Cost: O(T), allocates only while `advantage` grows.
void discounted_advantage(const Rollout& rollout,
                          Gamma gamma,
                          Clock clock,
                          std::vector<double>& advantage);

}  // namespace gammascope
