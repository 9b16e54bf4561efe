// SPDX-License-Identifier: MIT
// The number of tokens of a response, and whether its columns agree about it. Private to io.
#pragma once

#include <cstddef>

#include "analysis/core/rollout.hpp"

namespace gammascope::io {

/// T: the length of the first column that is not empty (score_sketch aside), 0 without one.
[[nodiscard]] std::size_t rollout_length(const RolloutRecord& rollout) noexcept;

/// @throws std::invalid_argument naming the column unless every column has 0 or T entries, and
/// score_sketch a multiple of T
void check_lengths(const RolloutRecord& rollout);

}  // namespace gammascope::io
