// SPDX-License-Identifier: MIT
// Where a number that a bound took came from: the one place where an inequality that holds by
// construction is told from evidence (theory 5.1, 5.2).
#pragma once

#include <array>
#include <cstdint>

#include "analysis/core/enum_name.hpp"

namespace gammascope {

enum class Origin : std::uint8_t { claimed, other_prompts, exact, same_rollouts };
template <>
struct EnumName<Origin> {
  static constexpr std::array<std::string_view, 4> names{
      "claimed", "other_prompts", "exact", "same_rollouts"};
};

}  // namespace gammascope
