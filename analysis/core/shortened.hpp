// SPDX-License-Identifier: MIT
// Values in messages: a number of ten thousand digits says no more than its beginning. Tests:
// tests/analysis/core/test_errors.cpp
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gammascope {

/// `text`, or its first two fifths of `most` bytes and its length where it is longer than `most`;
/// never cut within a UTF-8 character. Cost: O(most)
[[nodiscard]] inline std::string shortened(std::string_view text, std::size_t most = 60) {
  if (text.size() <= most) return std::string(text);
  std::size_t kept = most * 2 / 5;
  while (kept > 0 && (static_cast<unsigned char>(text[kept]) & 0xC0U) == 0x80U) --kept;
  return std::string(text.substr(0, kept)) + "... (" + std::to_string(text.size()) + " bytes)";
}

}  // namespace gammascope
