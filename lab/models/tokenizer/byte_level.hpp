// SPDX-License-Identifier: MIT
// The alphabet of byte-level BPE: each byte as one visible character, so that every token is text.
// Source: bytes_to_unicode of GPT-2's encoder. Private to the tokenizer.
// Tests: tests/lab/models/tokenizer/test_pieces.cpp
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gammascope::lab {

/// Bytes that are visible in Latin-1 (!..~, ¡..¬, ®..ÿ) are the character of that number, the
/// others U+0100, U+0101, … in their order.
[[nodiscard]] std::string bytes_to_characters(std::string_view bytes);

/// The way back; none if some character stands for no byte.
[[nodiscard]] std::optional<std::string> characters_to_bytes(std::string_view text);

}  // namespace gammascope::lab
