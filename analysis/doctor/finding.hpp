// SPDX-License-Identifier: MIT
// What a rule found in a log: the row of `findings` in result.json (results.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/core/enum_name.hpp"

namespace gammascope {

enum class Severity : std::uint8_t { error, warning, note };  ///< worst first
template <>
struct EnumName<Severity> {
  static constexpr std::array<std::string_view, 3> names{"error", "warning", "note"};
};

struct Finding {
  std::string rule;  ///< shift, identity_t1, …
  Severity severity = Severity::note;
  std::string message;                                     ///< one sentence, with the number in it
  std::vector<std::pair<std::string, double>> evidence;    ///< name, value
  std::vector<std::pair<std::string, std::string>> where;  ///< name, value
};

}  // namespace gammascope
