// SPDX-License-Identifier: MIT
// Where toml++ enters this folder. It reads; the writing is by hand, because toml++ prints 0.1 with
// 17 digits and sorts the keys.
#include "analysis/report/config_toml.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <type_traits>
#include <variant>

#include <toml++/toml.h>

#include "analysis/core/errors.hpp"
#include "analysis/core/version.hpp"
#include "analysis/report/utf8.hpp"

namespace gammascope::report {
namespace {

std::string quoted(std::string_view text) {
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

std::string toml_text(bool x) { return x ? "true" : "false"; }
std::string toml_text(std::int64_t x) { return std::to_string(x); }
std::string toml_text(const std::string& x) { return quoted(x); }
std::string toml_text(double x) {
  if (x != x) return "nan";
  std::array<char, 64> buffer{};
  std::string digits(buffer.data(),
                     std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr);
  // Without a point or an exponent it would read as an integer.
  return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
}
template <class T>
std::string toml_text(const std::vector<T>& list) {
  std::string text = "[";
  for (const T& x : list) text.append(text.size() > 1 ? ", " : "").append(toml_text(x));
  return text + "]";
}

std::string key_text(const std::string& key) {
  const bool bare = !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare ? key : quoted(key);
}

[[noreturn]] void bad(const std::string& file,
                      const toml::node& node,
                      const std::string& key,
                      const std::string& rule) {
  throw BadData({file, static_cast<std::int64_t>(node.source().begin.line), key, rule});
}

/// Files and options end at a NUL where the system reads them: another name than the one written.
template <class T>
const T& without_nul(const T& value,
                     const toml::node& node,
                     const std::string& file,
                     const std::string& key) {
  if constexpr (std::is_same_v<T, std::string>)
    if (value.find('\0') != std::string::npos)
      bad(file, node, key, "must not hold a NUL character");
  return value;
}

std::string text_of(const toml::node& node, const std::string& file, const std::string& key) {
  if (const auto text = node.value_exact<std::string>()) return without_nul(*text, node, file, key);
  bad(file, node, key, "must be a text");
}

template <class T>
std::optional<std::vector<T>> list_of(const toml::array& array,
                                      const std::string& file,
                                      const std::string& key) {
  std::vector<T> list;
  for (const toml::node& item : array) {
    const auto x = item.value_exact<T>();
    if (!x) return std::nullopt;
    list.push_back(without_nul(*x, item, file, key));
  }
  return list;
}

Setting setting_of(const toml::node& node, const std::string& file, const std::string& key) {
  if (const auto x = node.value_exact<bool>()) return *x;
  if (const auto x = node.value_exact<std::int64_t>()) return *x;
  if (const auto x = node.value_exact<double>()) return *x;
  if (const auto x = node.value_exact<std::string>()) return without_nul(*x, node, file, key);
  if (const toml::array* array = node.as_array()) {
    if (array->empty()) bad(file, node, key, "must not be an empty list; \"\" is the default");
    if (auto list = list_of<double>(*array, file, key)) return *list;
    if (auto list = list_of<std::int64_t>(*array, file, key)) return *list;
    if (auto list = list_of<std::string>(*array, file, key)) return *list;
  }
  bad(file,
      node,
      key,
      "must be true, false, a number, a text, or a list of one kind of number or of texts");
}

/// toml++ keeps keys sorted by name; people order them by meaning.
std::vector<ConfigOption> options_of(const toml::table& table, const std::string& file) {
  std::vector<std::pair<toml::source_position, ConfigOption>> found;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const toml::source_position place = key.source().begin;
    found.emplace_back(place,
                       ConfigOption{without_nul(name, node, file, "options"),
                                    setting_of(node, file, "options." + name),
                                    static_cast<std::int64_t>(place.line)});
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ConfigOption> options;
  for (auto& [place, option] : found) options.push_back(std::move(option));
  return options;
}

toml::table parse_table(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text, std::string_view(file));
  } catch (const toml::parse_error& error) {
    throw BadData({file,
                   static_cast<std::int64_t>(error.source().begin.line),
                   "",
                   "not TOML: " + std::string(error.description())});
  }
}

}  // namespace

std::string to_toml(const Config& config) {
  std::string text =
      "# every option with its final value; `gammascope run` on this file repeats the run\n";
  text += "version = " + quoted(config.version) + "\n";
  text += "verb = " + quoted(config.verb) + "\n";
  if (!config.folder.empty())
    text += "folder = " + quoted(config.folder) + "  # of the run, from this file's own\n";
  text += "files = " + toml_text(config.files) + "\n\n[options]\n";
  for (const ConfigOption& option : config.options)
    text += key_text(option.name) + " = " +
            std::visit([](const auto& v) { return toml_text(v); }, option.value) + "\n";
  return text;
}

Config config_of(const std::string& verb,
                 const std::vector<std::string>& files,
                 const std::vector<std::pair<std::string, Setting>>& settings) {
  Config config{std::string(build_facts().version), verb, {}, files, {}};
  for (const auto& [name, value] : settings) config.options.push_back({name, value, 0});
  return config;
}

Config config_of(const Result& result) {
  Config config = config_of(result.verb, result.source.files, result.settings);
  if (!result.version.empty()) config.version = result.version;
  return config;
}

Config from_toml(std::string_view text, const std::string& file) {
  const toml::table table = parse_table(text, file);
  for (const std::string_view key : {"version", "verb", "files", "options"})
    if (!table.contains(key)) throw BadData({file, 0, std::string(key), "missing"});
  Config config;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (name == "version") {
      config.version = text_of(node, file, name);
    } else if (name == "verb") {
      config.verb = text_of(node, file, name);
    } else if (name == "folder") {
      config.folder = text_of(node, file, name);
    } else if (name == "files") {
      const toml::array* array = node.as_array();
      auto files = array == nullptr ? std::nullopt : list_of<std::string>(*array, file, name);
      if (!files) bad(file, node, name, "must be a list of texts");
      config.files = std::move(*files);
    } else if (name == "options") {
      const toml::table* options = node.as_table();
      if (options == nullptr) bad(file, node, name, "must be a table");
      config.options = options_of(*options, file);
    } else {
      bad(file, node, name, "no such key: version, verb, folder, files, [options]");
    }
  }
  return config;
}

}  // namespace gammascope::report
