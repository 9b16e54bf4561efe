// SPDX-License-Identifier: MIT
// Where toml++ enters this folder. It reads; the writing is by hand, because toml++ prints 0.1 with
// 17 digits and sorts the keys.
#include "analysis/report/toml_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <toml++/toml.h>

#include "analysis/core/errors.hpp"
#include "analysis/report/utf8.hpp"

namespace gammascope::report {
namespace {

TomlNode plain(const toml::node& node);

TomlTable plain_table(const toml::table& table) {
  std::vector<std::pair<toml::source_position, TomlNode>> found;
  for (const auto& [key, node] : table) {
    TomlNode value = plain(node);
    value.key = key.str();
    value.key_line = static_cast<std::int64_t>(key.source().begin.line);
    found.emplace_back(key.source().begin, std::move(value));
  }
  // toml++ keeps keys sorted by name; people order them by meaning.
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  TomlTable table_of;
  for (auto& [where, value] : found) table_of.nodes.push_back(std::move(value));
  return table_of;
}

TomlNode plain(const toml::node& node) {
  TomlNode result;
  result.line = static_cast<std::int64_t>(node.source().begin.line);
  if (const auto x = node.value_exact<bool>()) {
    result.value = *x;
  } else if (const auto i = node.value_exact<std::int64_t>()) {
    result.value = *i;
  } else if (const auto d = node.value_exact<double>()) {
    result.value = *d;
  } else if (const auto s = node.value_exact<std::string>()) {
    result.value = *s;
  } else if (const toml::array* array = node.as_array()) {
    TomlList list;
    for (const toml::node& item : *array) list.push_back(plain(item));
    result.value = std::move(list);
  } else if (const toml::table* table = node.as_table()) {
    result.value = plain_table(*table);
  }
  return result;
}

}  // namespace

std::vector<std::pair<const std::string&, const TomlNode&>> members(const TomlTable& table) {
  std::vector<std::pair<const std::string&, const TomlNode&>> all;
  for (const TomlNode& node : table.nodes) all.emplace_back(node.key, node);
  return all;
}

const TomlNode* find_member(const TomlTable& table, std::string_view key) {
  for (const TomlNode& node : table.nodes)
    if (node.key == key) return &node;
  return nullptr;
}

TomlTable parse_toml(std::string_view text, const std::string& file) {
  try {
    return plain_table(toml::parse(text, std::string_view(file)));
  } catch (const toml::parse_error& error) {
    throw BadData({file,
                   static_cast<std::int64_t>(error.source().begin.line),
                   "",
                   "not TOML: " + std::string(error.description())});
  }
}

std::string toml_quoted(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = next_code_point(text, at);
    if (!c.valid) {
      result += "\xEF\xBF\xBD";
    } else if (c.value == '"' || c.value == '\\') {
      result.append("\\").append(text.substr(at, 1));
    } else if (c.value < 0x20 || c.value == 0x7F) {
      result.append("\\u00").append(1, hex[c.value >> 4]).append(1, hex[c.value & 0xF]);
    } else {
      result.append(text.substr(at, c.size));
    }
    at += c.size;
  }
  return result + "\"";
}

std::string toml_number(double x) {
  if (x != x) return "nan";
  std::array<char, 64> buffer{};
  std::string digits(buffer.data(),
                     std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr);
  // Without a point or an exponent it would read as an integer.
  return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
}

}  // namespace gammascope::report
