// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/byte_level.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "lab/models/tokenizer/unicode.hpp"

namespace gammascope::lab {
namespace {

struct Alphabet {
  Alphabet() {
    char32_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const bool visible =
          (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      append_character(characters[byte], visible ? static_cast<char32_t>(byte) : next++);
      bytes.emplace(characters[byte], static_cast<char>(byte));
    }
  }
  std::array<std::string, 256> characters;
  std::map<std::string, char, std::less<>> bytes;
};

const Alphabet& alphabet() {
  static const Alphabet made;
  return made;
}

}  // namespace

std::string bytes_to_characters(std::string_view bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char byte : bytes) out += alphabet().characters[static_cast<unsigned char>(byte)];
  return out;
}

std::optional<std::string> characters_to_bytes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = std::min(character_size(text[at]), text.size() - at);
    const auto found = alphabet().bytes.find(text.substr(at, size));
    if (found == alphabet().bytes.end()) return std::nullopt;
    out += found->second;
    at += size;
  }
  return out;
}

}  // namespace gammascope::lab
