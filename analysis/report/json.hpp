// SPDX-License-Identifier: MIT
// Where nlohmann/json enters this folder. Private: no public header includes it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/core/errors.hpp"

namespace gammascope::report {

/// Keys keep the order in which they were added.
using Json = nlohmann::ordered_json;

/// Parses one JSON text, strictly: no comments, no key twice, no number beyond a double.
/// @throws BadData naming file, line and what is wrong
[[nodiscard]] inline Json parse_json(std::string_view text, const std::string& file) {
  std::vector<std::set<std::string>> keys;
  std::string twice;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second &&
        twice.empty())
      twice = parsed.get<std::string>();
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, watch);
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 3, column 1: …": the id helps nobody.
    const std::string_view what = error.what();
    const std::size_t id_end = what.find("] ");
    throw BadData(
        {file,
         0,
         "",
         "not JSON: " +
             std::string(id_end == std::string_view::npos ? what : what.substr(id_end + 2))});
  }
  if (!twice.empty()) throw BadData({file, 0, twice, "the same key twice in one object"});
  return json;
}

}  // namespace gammascope::report
