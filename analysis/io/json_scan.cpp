// SPDX-License-Identifier: MIT
#include "analysis/io/json_scan.hpp"

#include <cstring>
#include <string>

namespace gammascope::io {
namespace {

constexpr std::size_t npos = std::string_view::npos;

bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The end of a word or number: letters, digits, signs and points.
std::size_t skip_word(std::string_view text, std::size_t at) noexcept {
  while (at < text.size() &&
         ((text[at] >= '0' && text[at] <= '9') || (text[at] >= 'a' && text[at] <= 'z') ||
          (text[at] >= 'A' && text[at] <= 'Z') || text[at] == '+' || text[at] == '-' ||
          text[at] == '.'))
    ++at;
  return at;
}

}  // namespace

std::size_t skip_spaces(std::string_view text, std::size_t at) noexcept {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

/// `at` is the opening quote; returns what is behind the closing one, or npos.
std::size_t skip_string(std::string_view text, std::size_t at) noexcept {
  for (std::size_t from = at + 1; from < text.size();) {
    const auto* quote =
        static_cast<const char*>(std::memchr(text.data() + from, '"', text.size() - from));
    if (quote == nullptr) return npos;
    const auto end = static_cast<std::size_t>(quote - text.data());
    std::size_t slashes = 0;
    while (end - slashes > at + 1 && text[end - slashes - 1] == '\\') ++slashes;
    if (slashes % 2 == 0) return end + 1;
    from = end + 1;
  }
  return npos;
}

std::size_t scan_value(std::string_view text) {
  std::string open;  // the brackets around the place we are at
  std::size_t at = 0;
  for (;;) {
    // Here a value begins.
    at = skip_spaces(text, at);
    if (at >= text.size()) return npos;
    const char c = text[at];
    bool entered = false;  // an object with a first key
    if (c == '"') {
      at = skip_string(text, at);
      if (at == npos) return npos;
    } else if (c == '{' || c == '[') {
      open += c;
      at = skip_spaces(text, at + 1);
      if (at < text.size() && text[at] == (c == '{' ? '}' : ']')) {
        open.pop_back();
        ++at;
      } else if (c == '[') {
        continue;
      } else {
        entered = true;
      }
    } else {
      const std::size_t end = skip_word(text, at);
      if (end == at) return npos;
      at = end;
    }
    while (!entered) {  // here a value has ended
      if (open.empty()) return at;
      at = skip_spaces(text, at);
      if (at >= text.size()) return npos;
      if (text[at] == (open.back() == '{' ? '}' : ']')) {
        open.pop_back();
        ++at;
        continue;
      }
      if (text[at] != ',') return npos;
      ++at;
      break;
    }
    if (!open.empty() && open.back() == '{') {
      at = skip_spaces(text, at);
      if (at >= text.size() || text[at] != '"') return npos;
      at = skip_string(text, at);
      if (at == npos) return npos;
      at = skip_spaces(text, at);
      if (at >= text.size() || text[at] != ':') return npos;
      ++at;
    }
  }
}

bool is_one_value(std::string_view text) {
  const std::size_t end = scan_value(text);
  return end != npos && skip_spaces(text, end) == text.size();
}

}  // namespace gammascope::io
