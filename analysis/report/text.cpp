// SPDX-License-Identifier: MIT
#include "analysis/report/text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <unistd.h>

#include "analysis/report/utf8.hpp"

namespace gammascope::report {
namespace {

using Range = std::pair<char32_t, char32_t>;

// Combining marks and zero-width characters of the scripts met in file names and prompt ids.
constexpr std::array<Range, 14> zero_width{{{0x0300, 0x036F},
                                            {0x0483, 0x0489},
                                            {0x0591, 0x05BD},
                                            {0x0610, 0x061A},
                                            {0x064B, 0x065F},
                                            {0x0900, 0x0902},
                                            {0x0E34, 0x0E3A},
                                            {0x0E47, 0x0E4E},
                                            {0x200B, 0x200F},
                                            {0x202A, 0x202E},
                                            {0x20D0, 0x20FF},
                                            {0xFE00, 0xFE0F},
                                            {0xFE20, 0xFE2F},
                                            {0xFEFF, 0xFEFF}}};
// East-Asian wide and emoji (Unicode TR 11, classes W and F).
constexpr std::array<Range, 13> double_width{{{0x1100, 0x115F},
                                              {0x2E80, 0x303E},
                                              {0x3041, 0x33FF},
                                              {0x3400, 0x4DBF},
                                              {0x4E00, 0x9FFF},
                                              {0xA000, 0xA4CF},
                                              {0xAC00, 0xD7A3},
                                              {0xF900, 0xFAFF},
                                              {0xFE30, 0xFE6F},
                                              {0xFF00, 0xFF60},
                                              {0xFFE0, 0xFFE6},
                                              {0x1F300, 0x1FAFF},
                                              {0x20000, 0x3FFFD}}};

template <std::size_t n>
bool within(const std::array<Range, n>& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](Range r) { return c >= r.first && c <= r.second; });
}

std::size_t width_of(const CodePoint& c) {
  if (!c.valid) return 1;
  if (within(zero_width, c.value)) return 0;
  return within(double_width, c.value) ? 2 : 1;
}

/// Length of an ANSI colour sequence at `at`, else 0.
std::size_t colour_sequence(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "\x1b[") return 0;
  std::size_t end = at + 2;
  while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == ';')) ++end;
  return end < text.size() && text[end] == 'm' ? end + 1 - at : 0;
}

/// The longest beginning of `text` within `width` columns, in bytes.
std::size_t prefix_bytes(std::string_view text, std::size_t width) {
  std::size_t used = 0, at = 0;
  while (at < text.size()) {
    const CodePoint c = next_code_point(text, at);
    used += width_of(c);
    if (used > width) break;
    at += c.size;
  }
  return at;
}

}  // namespace

TextStyle style_for(int descriptor) {
  const auto variable = [](const char* key) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): read before any thread is started
    const char* text = std::getenv(key);
    return std::string_view(text == nullptr ? "" : text);
  };
  TextStyle style;
  style.colour =
      isatty(descriptor) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  return style;
}

std::string paint(std::string_view text, Colour colour, const TextStyle& style) {
  constexpr std::array<std::string_view, 6> codes{"", "32", "31", "33", "2", "1"};
  const std::string_view code = codes.at(static_cast<std::size_t>(colour));
  if (!style.colour || code.empty()) return std::string(text);
  return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t skip = colour_sequence(text, at); skip > 0) {
      at += skip;
      continue;
    }
    const CodePoint c = next_code_point(text, at);
    width += width_of(c);
    at += c.size;
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = next_code_point(text, at);
    const bool control = c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0);
    // Bidirectional controls can show a line in another order than it stands.
    const bool reorders =
        (c.value >= 0x202A && c.value <= 0x202E) || (c.value >= 0x2066 && c.value <= 0x2069);
    if (!c.valid || control || reorders)
      result += '?';
    else
      result.append(text.substr(at, c.size));
    at += c.size;
  }
  return result;
}

std::string shorten(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width <= 3) return std::string("...").substr(0, width);
  const std::size_t room = width - 3, front = room / 2;
  std::string result(text.substr(0, prefix_bytes(text, front)));
  result += "...";
  // The tail: the first start from which the rest fits.
  std::size_t at = 0;
  while (at < text.size() && display_width(text.substr(at)) > room - front)
    at += next_code_point(text, at).size;
  return result.append(text.substr(at));
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  if (indent + 8 > width) indent = 0;
  std::string result;
  std::size_t used = 0;
  bool line_is_empty = true;
  const auto new_line = [&] {
    result += '\n';
    result.append(indent, ' ');
    used = indent;
    line_is_empty = true;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (!line_is_empty && used + 1 + display_width(word) > width) new_line();
    while (display_width(word) > width - used - (line_is_empty ? 0 : 1)) {
      const std::size_t cut = std::max<std::size_t>(prefix_bytes(word, width - used), 1);
      result.append(word.substr(0, cut));
      word.remove_prefix(cut);
      line_is_empty = false;
      new_line();
    }
    if (!line_is_empty) result += ' ';
    used += display_width(word) + (line_is_empty ? 0 : 1);
    result.append(word);
    line_is_empty = false;
  }
  return result;
}

std::string hanging(std::string_view head,
                    std::string_view text,
                    const TextStyle& style,
                    Colour colour) {
  const std::size_t indent = display_width(head);
  const std::string body =
      wrap(printable(text), style.width > indent + 8 ? style.width - indent : 8);
  std::string result = paint(head, colour, style);
  for (const char c : body) {
    result += c;
    if (c == '\n') result.append(indent, ' ');
  }
  return result + "\n";
}

}  // namespace gammascope::report
