// SPDX-License-Identifier: MIT
// A_t^(gamma) of a whole batch, Eq. (7), from flat float columns to a flat float column: what an
// importer or a training loop has in hand. One response is a chain of a multiply and an add per
// token, bound by latency; several responses side by side fill the waiting time, and a lane that
// ends its response takes the next one. Same bits as discounted_advantage() of each response,
// rounded to float once. Tests: tests/analysis/credit/test_advantage_batch.cpp, speed:
// tests/bench/bench_credit.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "analysis/core/gamma.hpp"
#include "analysis/credit/clock.hpp"

namespace gammascope {

/// Flat columns and offsets, as in the native store: response r is [offset[r], offset[r + 1]).
struct FlatBatch {
  std::span<const float> student_logprob, teacher_logprob;  ///< (tokens) nats
  std::span<const std::uint8_t> mask;                       ///< (tokens) or empty: all ones
  std::span<const std::int32_t> turn;                       ///< (tokens) or empty: not recorded
  std::span<const std::size_t> offset;  ///< (responses + 1), ascending from 0 to tokens
};

/// advantage[i] = A_t of token i, nats; NaN at masked tokens, whose log-probabilities are not used.
/// @param advantage (tokens)
/// @throws std::invalid_argument if sizes or offsets disagree, or with clock `turn` if the turn
/// column is missing or goes back inside a response
/// Cost: O(tokens), no allocation.
void discounted_advantage(const FlatBatch& batch,
                          Gamma gamma,
                          Clock clock,
                          std::span<float> advantage);

}  // namespace gammascope
