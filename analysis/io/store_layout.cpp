// SPDX-License-Identifier: MIT
#include "analysis/io/store_layout.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "analysis/core/errors.hpp"
#include "analysis/io/safetensors.hpp"

namespace gammascope::io {
namespace {

constexpr std::string_view prefix = "shard-", ending = ".safetensors";
constexpr std::size_t digits = 6;  // more are written when they are needed

bool bears_mark(const std::string& path) {
  try {
    const TensorFile file(path);
    const auto found = file.layout().metadata.find("format");
    return found != file.layout().metadata.end() && found->second == store_format;
  } catch (const BadData&) {
    return false;
  }
}

}  // namespace

std::string shard_name(std::size_t number) {
  std::string text = std::to_string(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return std::string(prefix) + text + std::string(ending);
}

std::optional<std::size_t> shard_number(std::string_view name) {
  if (!name.starts_with(prefix) || !name.ends_with(ending)) return std::nullopt;
  name = name.substr(prefix.size(), name.size() - prefix.size() - ending.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return number;
}

bool is_leftover(std::string_view name) noexcept {
  constexpr std::string_view temporary = ".tmp";
  if (!name.ends_with(temporary)) return false;
  name.remove_suffix(temporary.size());
  return shard_number(name).has_value();
}

std::vector<std::string> list_shards(const std::string& directory) {
  std::vector<std::string> shards;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.path().extension() == ending) shards.push_back(entry.path().string());
  std::ranges::sort(shards);
  return shards;
}

void check_store_folder(const std::string& directory) {
  namespace fs = std::filesystem;
  const fs::file_status status = fs::status(directory);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) throw UsageError(directory + ": is there and is no folder");
  bool empty = true, ours = false;
  for (const auto& entry : fs::directory_iterator(directory)) {
    empty = false;
    ours |= is_leftover(entry.path().filename().string());
    if (entry.path().extension() != ending) continue;
    if (!bears_mark(entry.path().string()))
      throw UsageError(directory + ": holds " + entry.path().filename().string() +
                       ", which is no shard of a store, so nothing is written or replaced there");
    ours = true;
  }
  if (!empty && !ours)
    throw UsageError(directory +
                     ": is a folder that holds no store, so nothing is written there; choose "
                     "another name");
}

}  // namespace gammascope::io
