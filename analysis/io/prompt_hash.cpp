// SPDX-License-Identifier: MIT
// The adapter of libxxhash: nothing else includes it.
#include "analysis/io/prompt_hash.hpp"

#define XXH_STATIC_LINKING_ONLY  // the state lies on the stack
#include <xxhash.h>

namespace gammascope::io {

std::uint64_t prompt_hash(std::string_view prompt_id) noexcept {
  return XXH3_64bits(prompt_id.data(), prompt_id.size());
}

std::uint64_t prompt_hash(const RolloutRecord& rollout) noexcept {
  if (rollout.prompt_id) return prompt_hash(std::string_view(*rollout.prompt_id));
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset(&state);
  for (const auto* column : {&rollout.student_logprob, &rollout.teacher_logprob})
    XXH3_64bits_update(&state, column->data(), column->size() * sizeof(float));
  return XXH3_64bits_digest(&state);
}

std::string content_hash(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  std::string digits;
  for (const unsigned char byte : canonical.digest) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    digits += hexadecimal[byte >> 4];
    digits += hexadecimal[byte & 15];
  }
  return digits;
}

std::array<std::uint64_t, 2> hash_128(std::span<const std::byte> bytes) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

}  // namespace gammascope::io
