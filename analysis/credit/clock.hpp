// SPDX-License-Identifier: MIT
// What gamma does at a masked token inside a response. All four exist in public code; results with
// different clocks are not compared.
#pragma once

#include <array>
#include <cstdint>

#include "analysis/core/enum_name.hpp"

namespace gammascope {

/// Example (gamma 0.9, rewards 0.2 / - / - / 0.4, mask 1001): skip 0.56, count 0.4916, reset 0.2.
enum class Clock : std::uint8_t {
  skip,   ///< the token is not there: spends no gamma; the default
  count,  ///< it adds nothing, but spends one gamma
  reset,  ///< it cuts the sum
  turn,   ///< one gamma at each turn border, whatever the turns are numbered, none at tokens (needs
          ///< the `turn` column)
};
template <>
struct EnumName<Clock> {
  static constexpr std::array<std::string_view, 4> names{"skip", "count", "reset", "turn"};
};

}  // namespace gammascope
