// SPDX-License-Identifier: MIT
// UTF-8 and the adapter of utf8proc (normal forms). Private to the tokenizer.
// Tests: tests/lab/models/tokenizer/test_pieces.cpp
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gammascope::lab {

/// Bytes at the start of `text` that are UTF-8 (no surrogates, nothing over U+10FFFF); all of them
/// if it is well-formed.
[[nodiscard]] std::size_t valid_prefix(std::string_view text) noexcept;

/// Each longest start of a character that does not go on becomes one U+FFFD (The Unicode Standard,
/// 3.9, "Substitution of Maximal Subparts").
[[nodiscard]] std::string replace_invalid(std::string_view text);

/// Bytes of the character that starts with `lead`; 1 for a byte that starts none.
[[nodiscard]] constexpr std::size_t character_size(char lead) noexcept {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// UTF-8 of a code point.
void append_character(std::string& text, char32_t code);

enum class NormalForm { nfc, nfd, nfkc, nfkd };

/// @param text UTF-8. Unicode 14.0 with utf8proc 2.8. @throws std::invalid_argument if it is not
/// UTF-8
[[nodiscard]] std::string normal_form(std::string_view text, NormalForm form);

/// Bytes at the start or at the end of `text` that are characters with the property White_Space.
[[nodiscard]] std::size_t leading_space(std::string_view text) noexcept;
[[nodiscard]] std::size_t trailing_space(std::string_view text) noexcept;

}  // namespace gammascope::lab
