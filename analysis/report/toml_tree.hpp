// SPDX-License-Identifier: MIT
// A TOML file as plain values that know their line. toml++ stays in the .cpp. Private to report.
// Tests: tests/analysis/report/test_config_toml.cpp, test_claims_toml.cpp
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gammascope::report {

struct TomlNode;
using TomlList = std::vector<TomlNode>;
/// Members in the order of the file; see members().
struct TomlTable {
  std::vector<TomlNode> nodes;
};
/// A date or a time, which nothing here takes.
struct TomlOther {};

struct TomlNode {
  std::string key;            ///< of a member of a table
  std::int64_t line = 0;      ///< 1-based
  std::int64_t key_line = 0;  ///< of the key
  std::variant<TomlOther, bool, std::int64_t, double, std::string, TomlList, TomlTable> value;

  template <class T>
  [[nodiscard]] const T* as() const {
    return std::get_if<T>(&value);
  }
};

/// Keys and values, for a loop; valid as long as the table is.
[[nodiscard]] std::vector<std::pair<const std::string&, const TomlNode&>> members(
    const TomlTable& table);
/// Null if there is none.
[[nodiscard]] const TomlNode* find_member(const TomlTable& table, std::string_view key);

/// @return the top-level table
/// @throws BadData naming file and line
[[nodiscard]] TomlTable parse_toml(std::string_view text, const std::string& file);

/// A text as a quoted TOML string, a double in the shortest spelling that reads back to the same
/// bits and stays a double.
[[nodiscard]] std::string toml_quoted(std::string_view text);
[[nodiscard]] std::string toml_number(double x);

}  // namespace gammascope::report
