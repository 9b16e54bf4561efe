// SPDX-License-Identifier: MIT
// Groups of prompts: all whose hash shares its first bits. Tests:
// tests/analysis/core/test_rollout.cpp
#pragma once

#include <cstdint>

namespace gammascope {

/// The first `bits` bits of a hash, the rest 0: the name of the group that it falls into. Fewer
/// bits join whole groups. @param bits 0 to 64
[[nodiscard]] constexpr std::uint64_t hash_prefix(std::uint64_t hash, int bits) noexcept {
  return bits >= 64 ? hash : hash & ~(~std::uint64_t{0} >> bits);
}

}  // namespace gammascope
