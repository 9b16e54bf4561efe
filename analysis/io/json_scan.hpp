// SPDX-License-Identifier: MIT
// The outline of JSON text without reading it: where a value ends, whether an object is finished,
// and huge fields that nobody reads taken out of a line before a parser sets up its index of five
// times the line. Private to io. Tests: tests/analysis/io/test_json_scan.cpp
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace gammascope::io {

/// The length of the JSON value at the start of `text` (spaces before it included); npos if it is
/// not finished or its outline is broken. Brackets, strings, commas and colons are checked; words
/// and numbers are taken as they come, so that NaN and Infinity pass. Cost: one pass, no recursion.
[[nodiscard]] std::size_t scan_value(std::string_view text);

/// Whether `text` is one value and nothing else but spaces.
[[nodiscard]] bool is_one_value(std::string_view text);

/// Replaces each value of the top-level object in [data, data + size) that is longer than
/// `longer_than` (at least 4) bytes and whose key is not in use by null, moving the rest down.
/// Returns the new size. Text that is no finished object is left as it is: the parser will say what
/// is wrong.
template <class Used>
std::size_t drop_unused_fields(char* data,
                               std::size_t size,
                               std::size_t longer_than,
                               const Used& is_used);

// --- details ---------------------------------------------------------------------------------

[[nodiscard]] std::size_t skip_spaces(std::string_view text, std::size_t at) noexcept;
[[nodiscard]] std::size_t skip_string(std::string_view text, std::size_t at) noexcept;

template <class Used>
std::size_t drop_unused_fields(char* data,
                               std::size_t size,
                               std::size_t longer_than,
                               const Used& is_used) {
  const std::string_view text(data, size);
  if (!is_one_value(text)) return size;
  std::size_t at = skip_spaces(text, 0);
  if (text[at] != '{') return size;
  std::size_t kept = 0, taken = 0;  // [0, kept) is in place, [0, taken) was looked at
  const auto keep_until = [&](std::size_t end) {
    std::memmove(data + kept, data + taken, end - taken);
    kept += end - taken;
    taken = end;
  };
  for (++at;;) {
    at = skip_spaces(text, at);
    if (text[at] == '}') break;
    const std::size_t key_end = skip_string(text, at);
    const std::string_view key = text.substr(at + 1, key_end - at - 2);
    // A key with escapes may spell one in use.
    const bool used = key.find('\\') != std::string_view::npos || is_used(key);
    at = skip_spaces(text, key_end) + 1;  // behind the colon
    const std::size_t length = scan_value(text.substr(at));
    if (!used && length > longer_than) {
      keep_until(at);
      std::memcpy(data + kept, "null", 4);
      kept += 4;
      taken = at + length;
    }
    at = skip_spaces(text, at + length);
    if (text[at] != ',') break;
    ++at;
  }
  keep_until(size);
  return kept;
}

}  // namespace gammascope::io
