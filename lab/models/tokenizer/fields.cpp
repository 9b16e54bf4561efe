// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/fields.hpp"

#include <algorithm>
#include <utility>

namespace gammascope::lab {

Fields::Fields(const io::SortedJson& json, const std::string& file, std::string path)
    : json_(&json), file_(&file), path_(std::move(path)) {
  if (!json.is_object()) fail("", "must be an object");
}

void Fields::fail(std::string_view key, const std::string& rule) const {
  throw BadData({*file_, 0, path(key), rule});
}

std::string Fields::path(std::string_view key) const {
  if (path_.empty() || key.empty()) return path_ + std::string(key);
  return path_ + "." + std::string(key);
}

void Fields::only(std::initializer_list<std::string_view> known) const {
  for (const auto& [key, value] : json_->items())
    if (std::ranges::find(known, key) == known.end())
      fail(key, "this option is not supported here");
}

const io::SortedJson* Fields::find(std::string_view key) const {
  const auto it = json_->find(std::string(key));
  return it == json_->end() || it->is_null() ? nullptr : &*it;
}

const io::SortedJson& Fields::need(std::string_view key) const {
  const io::SortedJson* value = find(key);
  if (value == nullptr) fail(key, "this field is missing");
  return *value;
}

std::string Fields::text(std::string_view key) const {
  const io::SortedJson& value = need(key);
  if (!value.is_string()) fail(key, "must be a string");
  return value.get<std::string>();
}

bool Fields::flag(std::string_view key) const {
  const io::SortedJson& value = need(key);
  if (!value.is_boolean()) fail(key, "must be true or false");
  return value.get<bool>();
}

bool Fields::flag(std::string_view key, bool when_missing) const {
  return find(key) == nullptr ? when_missing : flag(key);
}

std::uint32_t Fields::whole(std::string_view key, std::uint32_t most) const {
  const io::SortedJson& value = need(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
    fail(key, "must be a whole number from 0 to " + std::to_string(most));
  return value.get<std::uint32_t>();
}

Fields Fields::object(std::string_view key) const { return {need(key), *file_, path(key)}; }

std::vector<Fields> Fields::objects(std::string_view key) const {
  const io::SortedJson& value = need(key);
  if (!value.is_array()) fail(key, "must be an array");
  std::vector<Fields> out;
  for (std::size_t i = 0; i < value.size(); ++i)
    out.emplace_back(value[i], *file_, path(key) + "[" + std::to_string(i) + "]");
  return out;
}

}  // namespace gammascope::lab
