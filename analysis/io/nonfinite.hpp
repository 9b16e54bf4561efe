// SPDX-License-Identifier: MIT
// Numbers that cannot be a log-probability, how they were written, and what is done with them
// (--nonfinite). Tests: tests/analysis/io/test_nonfinite.cpp, inputs: case B12
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "analysis/core/enum_name.hpp"

namespace gammascope::io {

/// --nonfinite error (default) | drop-rollout | mask-token | clip C
struct NonFinitePolicy {
  enum class Kind : std::uint8_t { error, drop_rollout, mask_token, clip } kind = Kind::error;
  double clip = 0;  ///< nats, with Kind::clip: |Delta| is limited to it
};

/// Each spelling of a bad number, counted per log and never lost.
struct NonFiniteCounts {
  std::int64_t nan = 0, minus_inf = 0, plus_inf = 0, null = 0;
  std::int64_t sentinel_9999 = 0, sentinel_10000 = 0, sentinel_1000 = 0, sentinel_100 = 0;
  std::int64_t sentinel_plus_1 = 0;  ///< exactly +1.0
  std::int64_t positive = 0;         ///< any other value above 1e-6
  [[nodiscard]] std::int64_t total() const noexcept {
    return nan + minus_inf + plus_inf + null + sentinel_9999 + sentinel_10000 + sentinel_1000 +
           sentinel_100 + sentinel_plus_1 + positive;
  }
};

}  // namespace gammascope::io

namespace gammascope {
template <>
struct EnumName<io::NonFinitePolicy::Kind> {
  static constexpr std::array<std::string_view, 4> names{
      "error", "drop-rollout", "mask-token", "clip"};
};
}  // namespace gammascope
