// SPDX-License-Identifier: MIT
#include "analysis/io/store_layout.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace gammascope::io {
namespace {

constexpr std::string_view prefix = "shard-", ending = ".safetensors";
constexpr std::size_t digits = 6;  // more are written when they are needed

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

bool is_leftover(std::string_view name) noexcept { return name.ends_with(".safetensors.tmp"); }

std::vector<std::string> list_shards(const std::string& directory) {
  std::vector<std::string> shards;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.path().extension() == ending) shards.push_back(entry.path().string());
  std::ranges::sort(shards);
  return shards;
}

}  // namespace gammascope::io
