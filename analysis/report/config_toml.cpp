// SPDX-License-Identifier: MIT
#include "analysis/report/config_toml.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "analysis/core/errors.hpp"
#include "analysis/core/version.hpp"
#include "analysis/report/toml_tree.hpp"

namespace gammascope::report {
namespace {

std::string toml_text(bool x) { return x ? "true" : "false"; }
std::string toml_text(std::int64_t x) { return std::to_string(x); }
std::string toml_text(const std::string& x) { return toml_quoted(x); }
std::string toml_text(double x) { return toml_number(x); }
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
  return bare ? key : toml_quoted(key);
}

[[noreturn]] void bad(const std::string& file,
                      const TomlNode& node,
                      const std::string& key,
                      const std::string& rule) {
  throw BadData({file, node.line, key, rule});
}

/// Files and options end at a NUL where the system reads them: another name than the one written.
template <class T>
const T& without_nul(const T& value,
                     const TomlNode& node,
                     const std::string& file,
                     const std::string& key) {
  if constexpr (std::is_same_v<T, std::string>)
    if (value.find('\0') != std::string::npos)
      bad(file, node, key, "must not hold a NUL character");
  return value;
}

std::string text_of(const TomlNode& node, const std::string& file, const std::string& key) {
  if (const auto* text = node.as<std::string>()) return without_nul(*text, node, file, key);
  bad(file, node, key, "must be a text");
}

template <class T>
std::optional<std::vector<T>> list_of(const TomlList& array,
                                      const std::string& file,
                                      const std::string& key) {
  std::vector<T> list;
  for (const TomlNode& item : array) {
    const T* const x = item.as<T>();
    if (x == nullptr) return std::nullopt;
    list.push_back(without_nul(*x, item, file, key));
  }
  return list;
}

Setting setting_of(const TomlNode& node, const std::string& file, const std::string& key) {
  if (const auto* x = node.as<bool>()) return *x;
  if (const auto* x = node.as<std::int64_t>()) return *x;
  if (const auto* x = node.as<double>()) return *x;
  if (const auto* x = node.as<std::string>()) return without_nul(*x, node, file, key);
  if (const auto* array = node.as<TomlList>()) {
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

std::vector<ConfigOption> options_of(const TomlTable& table, const std::string& file) {
  std::vector<ConfigOption> options;
  for (const auto& [name, node] : members(table))
    options.push_back({without_nul(name, node, file, "options"),
                       setting_of(node, file, "options." + name),
                       node.key_line});
  return options;
}

}  // namespace

std::string to_toml(const Config& config) {
  std::string text =
      "# every option with its final value; `gammascope run` on this file repeats the run\n";
  text += "version = " + toml_quoted(config.version) + "\n";
  text += "verb = " + toml_quoted(config.verb) + "\n";
  if (!config.folder.empty())
    text += "folder = " + toml_quoted(config.folder) + "  # of the run, from this file's own\n";
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
  const TomlTable table = parse_toml(text, file);
  for (const std::string_view key : {"version", "verb", "files", "options"})
    if (find_member(table, key) == nullptr) throw BadData({file, 0, std::string(key), "missing"});
  Config config;
  for (const auto& [name, node] : members(table)) {
    if (name == "version") {
      config.version = text_of(node, file, name);
    } else if (name == "verb") {
      config.verb = text_of(node, file, name);
    } else if (name == "folder") {
      config.folder = text_of(node, file, name);
    } else if (name == "files") {
      const auto* array = node.as<TomlList>();
      auto files = array == nullptr ? std::nullopt : list_of<std::string>(*array, file, name);
      if (!files) bad(file, node, name, "must be a list of texts");
      config.files = std::move(*files);
    } else if (name == "options") {
      const auto* options = node.as<TomlTable>();
      if (options == nullptr) bad(file, node, name, "must be a table");
      config.options = options_of(*options, file);
    } else {
      bad(file, node, name, "no such key: version, verb, folder, files, [options]");
    }
  }
  return config;
}

}  // namespace gammascope::report
