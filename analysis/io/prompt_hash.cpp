// SPDX-License-Identifier: MIT
// The adapter of libxxhash: nothing else includes it.
#include "analysis/io/prompt_hash.hpp"

#include <array>
#include <cstddef>

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

std::uint64_t response_hash(const RolloutRecord& rollout) noexcept {
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset(&state);
  const auto number = [&](std::uint64_t x) { XXH3_64bits_update(&state, &x, sizeof x); };
  const auto text = [&](std::string_view s) {
    number(s.size());
    XXH3_64bits_update(&state, s.data(), s.size());
  };
  const auto perhaps = [&](const std::optional<std::int64_t>& x) {
    number(x ? 1 : 0);
    number(static_cast<std::uint64_t>(x.value_or(0)));
  };
  number(rollout.prompt_id ? 1 : 0);
  text(rollout.prompt_id.value_or(""));
  text(rollout.run);
  text(rollout.teacher);
  text(rollout.domain);
  perhaps(rollout.step);
  perhaps(rollout.sample_id);
  number(static_cast<std::uint64_t>(rollout.finish));
  const Rollout view = rollout.view();
  number(view.length());
  // What stands at a masked token is nobody's; 0 and -0 are one number.
  struct Token {
    float student, teacher;
    std::int32_t turn, counts;
  };
  std::array<Token, 256> block;
  for (std::size_t t = 0; t < view.length();) {
    std::size_t n = 0;
    for (; n < block.size() && t < view.length(); ++n, ++t) {
      const bool counts = view.counts(t);
      block[n] = {counts ? view.student_logprob[t] + 0.0F : 0.0F,
                  counts ? view.teacher_logprob[t] + 0.0F : 0.0F,
                  view.turn.empty() ? -1 : view.turn[t],
                  counts ? 1 : 0};
    }
    XXH3_64bits_update(&state, block.data(), n * sizeof(Token));
  }
  return XXH3_64bits_digest(&state);
}

}  // namespace gammascope::io
