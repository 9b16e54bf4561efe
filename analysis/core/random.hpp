// SPDX-License-Identifier: MIT
// Philox4x32-10: random numbers as a pure function of (key, counter), so a draw depends on what is
// drawn, never on order or threads. Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers:
// as easy as 1, 2, 3", SC 2011, section 3.3 and table 2. Tests: tests/analysis/core/test_random.cpp
// (known answers of the Random123 distribution, and against it)
#pragma once

#include <array>
#include <cstdint>

namespace gammascope {

using PhiloxBlock = std::array<std::uint32_t, 4>;

/// Ten rounds of Philox4x32. Cost: about 20 ns a block.
[[nodiscard]] constexpr PhiloxBlock philox_block(PhiloxBlock counter,
                                                 std::array<std::uint32_t, 2> key) noexcept {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

/// Two uniforms on [0, 1) with 53 bits each for the draw (seed, prompt hash, sample, t): counter
/// (t, sample, prompt hash), key = seed. Distinct (seed, prompt, sample, t) give distinct blocks.
[[nodiscard]] constexpr std::array<double, 2> uniform_pair(std::uint64_t seed,
                                                           std::uint64_t prompt,
                                                           std::uint32_t sample,
                                                           std::uint32_t t) noexcept {
  const PhiloxBlock block = philox_block(
      {t, sample, static_cast<std::uint32_t>(prompt), static_cast<std::uint32_t>(prompt >> 32)},
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  const auto unit = [](std::uint32_t high, std::uint32_t low) {
    return static_cast<double>((std::uint64_t{high} << 32 | low) >> 11) * 0x1p-53;
  };
  return {unit(block[0], block[1]), unit(block[2], block[3])};
}

}  // namespace gammascope
