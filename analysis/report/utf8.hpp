// SPDX-License-Identifier: MIT
// One step through UTF-8 text, strict about what is no UTF-8. Private to this folder.
#pragma once

#include <cstddef>
#include <string_view>

namespace gammascope::report {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 1;  ///< bytes taken, at least 1
  bool valid = true;     ///< false: one byte that is no part of UTF-8
};

/// The code point that starts at `text[at]`; at < text.size(). Overlong forms, surrogates and
/// values beyond U+10FFFF are not valid.
[[nodiscard]] constexpr CodePoint next_code_point(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return {first, 1, true};
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + size > text.size()) return {first, 1, false};
  char32_t value = first & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xC0u) != 0x80u) return {first, 1, false};
    value = (value << 6) | (byte(at + i) & 0x3Fu);
  }
  const bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return {first, 1, false};
  return {value, size, true};
}

}  // namespace gammascope::report
