// SPDX-License-Identifier: MIT
// The one hash that names a prompt everywhere: clusters, groups of prompts, draw counters, states.
// Tests: tests/analysis/io/test_prompt_hash.cpp (known answers of the xxHash project)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/core/rollout.hpp"

namespace gammascope::io {

/// XXH3-64 with seed 0 of the bytes of `prompt_id` as they are (UTF-8, no terminator). Cost: under
/// 1 ns a byte.
[[nodiscard]] std::uint64_t prompt_hash(std::string_view prompt_id) noexcept;

/// The hash of a response: of prompt_id where there is one, else of the bytes of student_logprob
/// followed by those of teacher_logprob (little-endian float32), so that every response is a
/// cluster of its own.
[[nodiscard]] std::uint64_t prompt_hash(const RolloutRecord& rollout) noexcept;

/// XXH3-128 with seed 0 of any bytes, as 32 hexadecimal digits in the canonical order (most
/// significant first): names the contents of a file. It keeps no secrets.
[[nodiscard]] std::string content_hash(std::string_view bytes);

/// The hash of what a response is, for "have I seen it": prompt_id, run, teacher, domain, step,
/// sample_id, finish_reason, mask, turns, and both log-probs of every sampled token. The same
/// whether it was read from JSONL or from a store. Cost: under 1 ns a byte.
[[nodiscard]] std::uint64_t response_hash(const RolloutRecord& rollout) noexcept;

}  // namespace gammascope::io
