// SPDX-License-Identifier: MIT
// The one door to nlohmann-json (architecture.md, Dependencies): documents small enough to be held
// whole, such as process files, headers and results. Logs are read by simdjson instead.
// Tests: tests/analysis/io/test_json.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/core/errors.hpp"

namespace gammascope::io {

/// Keeps the order in which keys were inserted, so that equal runs write equal bytes.
using Json = nlohmann::ordered_json;

/// Keys in a tree: for objects of very many keys, where finding one among Json's takes too long.
using SortedJson = nlohmann::json;

/// Parses a whole document. `file` is only for the message.
///
/// A key that stands twice in one object is an error: either of the two could be the one meant.
/// Nesting is limited, because writing and copying a document take stack for each level.
/// @throws BadData naming file, line (1-based) and rule, or the key that stands twice
template <class Document = Json>
[[nodiscard]] Document parse_json(std::string_view text, const std::string& file) {
  std::vector<std::set<std::string>> keys;
  constexpr int deepest = 256;
  using Event = typename Document::parse_event_t;
  const auto unique_keys = [&](int depth, Event event, Document& parsed) {
    if (depth > deepest)
      throw BadData({file, 0, "", "is nested deeper than " + std::to_string(deepest) + " levels"});
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key) {
      const auto& key = parsed.template get_ref<const std::string&>();
      if (!keys.back().insert(key).second)
        throw BadData({file, 0, key, "this key stands twice in the same object"});
    }
    return true;
  };
  try {
    return Document::parse(text, unique_keys);
  } catch (const typename Document::parse_error& error) {
    const std::size_t end = std::min<std::size_t>(error.byte, text.size());
    const auto line = 1 + std::ranges::count(text.substr(0, end), '\n');
    std::string why = error.what();  // "[json.exception…] parse error at line L, column C: …"
    if (const auto colon = why.find(": "); colon != std::string::npos) why.erase(0, colon + 2);
    throw BadData({file, static_cast<std::int64_t>(line), "", "not valid JSON: " + why});
  } catch (const typename Document::out_of_range& error) {
    std::string why = error.what();  // "[json.exception…] number overflow parsing '1e999'"
    if (const auto bracket = why.find("] "); bracket != std::string::npos)
      why.erase(0, bracket + 2);
    throw BadData({file, 0, "", "a number beyond the range of a double: " + why});
  }
}

}  // namespace gammascope::io
