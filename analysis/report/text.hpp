// SPDX-License-Identifier: MIT
// Text on a terminal: width in display columns, wrapping, colour. Tests:
// tests/analysis/report/test_text.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gammascope::report {

/// How a table may look. The default is what a file or a pipe gets.
struct TextStyle {
  bool colour = false;      ///< ANSI colour; words say the same without it
  std::size_t width = 100;  ///< display columns, at least 40
};

/// Colour only when `descriptor` is a terminal, TERM is not "dumb", and NO_COLOR is not set to
/// something (no-color.org). The width stays 100: two runs look the same whatever the window.
[[nodiscard]] TextStyle style_for(int descriptor);

enum class Colour : std::uint8_t { none, good, bad, doubt, dim, strong };

/// `text` in `colour`, or as it is when the style has none.
[[nodiscard]] std::string paint(std::string_view text, Colour colour, const TextStyle& style);

/// Columns that UTF-8 `text` takes: wide East-Asian characters and emoji 2, combining marks 0,
/// bytes that are no UTF-8 one each; ANSI colour sequences 0.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Text from outside (file names, prompt ids) made safe for a terminal: control characters, the
/// escape character among them, become "?", a byte that is no UTF-8 too.
[[nodiscard]] std::string printable(std::string_view text);

/// At most `width` columns; what does not fit is replaced by "..." in the middle, so that a path
/// keeps its file name.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t width);

/// `text` broken at spaces into lines of at most `width` columns, each after the first indented by
/// `indent` spaces; a word that is too long is cut. No newline at the end.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

/// `head`, then `text` (made printable) wrapped to the right of it, each line ending in a newline.
/// @param colour of the head
[[nodiscard]] std::string hanging(std::string_view head,
                                  std::string_view text,
                                  const TextStyle& style,
                                  Colour colour = Colour::none);

}  // namespace gammascope::report
