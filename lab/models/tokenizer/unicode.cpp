// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/unicode.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>

#include <utf8proc.h>

namespace gammascope::lab {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

/// Bytes from `at` on that are a character or the start of one, and whether it is whole.
/// The Unicode Standard, table 3-7.
struct Piece {
  std::size_t size;
  bool whole;
};

Piece piece_at(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return {1, true};
  if (lead < 0xC2 || lead > 0xF4) return {1, false};
  const std::size_t size = character_size(text[at]);
  unsigned low = 0x80, high = 0xBF;  // of the second byte
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  for (std::size_t i = 1; i < size; ++i) {
    if (at + i >= text.size() || byte_at(text, at + i) < low || byte_at(text, at + i) > high)
      return {i, false};
    low = 0x80;
    high = 0xBF;
  }
  return {size, true};
}

/// A text of one character.
bool is_space(std::string_view character) {
  if (character.size() == 1) {
    const char c = character[0];
    return c == ' ' || (c >= '\t' && c <= '\r');
  }
  utf8proc_int32_t code = 0;
  utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(character.data()),
                   static_cast<utf8proc_ssize_t>(character.size()),
                   &code);
  return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
         code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

}  // namespace

std::size_t valid_prefix(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    const Piece piece = piece_at(text, at);
    if (!piece.whole) break;
    at += piece.size;
  }
  return at;
}

std::string replace_invalid(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Piece piece = piece_at(text, at);
    out += piece.whole ? text.substr(at, piece.size) : replacement;
    at += piece.size;
  }
  return out;
}

void append_character(std::string& text, char32_t code) {
  utf8proc_uint8_t bytes[4];
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

std::string normal_form(std::string_view text, NormalForm form) {
  int options = UTF8PROC_STABLE;
  options |=
      form == NormalForm::nfc || form == NormalForm::nfkc ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  if (form == NormalForm::nfkc || form == NormalForm::nfkd) options |= UTF8PROC_COMPAT;
  utf8proc_uint8_t* made = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()),
                                 &made,
                                 static_cast<utf8proc_option_t>(options));
  struct Free {
    void operator()(utf8proc_uint8_t* bytes) const noexcept { std::free(bytes); }
  };
  const std::unique_ptr<utf8proc_uint8_t, Free> owned(made);
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0) throw std::invalid_argument(utf8proc_errmsg(size));
  return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(size)};
}

std::size_t leading_space(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t size = std::min(character_size(text[at]), text.size() - at);
    if (!is_space(text.substr(at, size))) break;
    at += size;
  }
  return at;
}

std::size_t trailing_space(std::string_view text) noexcept {
  std::size_t at = text.size();
  while (at > 0) {
    std::size_t begin = at - 1;
    while (begin > 0 && (byte_at(text, begin) & 0xC0) == 0x80) --begin;
    if (!is_space(text.substr(begin, at - begin))) break;
    at = begin;
  }
  return text.size() - at;
}

}  // namespace gammascope::lab
