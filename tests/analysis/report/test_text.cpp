// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/report/text.hpp"
#include "analysis/report/utf8.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope::report;

TEST_CASE("width counts columns and not bytes") {
  CHECK(display_width("") == 0);
  CHECK(display_width("abc") == 3);
  CHECK(display_width("\xC3\xA9t\xC3\xA9") == 3);         // é t é
  CHECK(display_width("e\xCC\x81") == 1);                 // e and a combining accent
  CHECK(display_width("\xE4\xBD\xA0\xE5\xA5\xBD") == 4);  // two Chinese characters
  CHECK(display_width("\xF0\x9F\x98\x80") == 2);          // an emoji
  CHECK(display_width("\xFF\xC3") == 2);                  // no UTF-8: one column a byte
  CHECK(display_width("\x1b[31mred\x1b[0m") == 3);
}

TEST_CASE("UTF-8 is read strictly") {
  CHECK_FALSE(next_code_point("\xC0\x80", 0).valid);          // overlong zero
  CHECK_FALSE(next_code_point("\xE0\x80\x80", 0).valid);      // overlong
  CHECK_FALSE(next_code_point("\xED\xA0\x80", 0).valid);      // surrogate
  CHECK_FALSE(next_code_point("\xF4\x90\x80\x80", 0).valid);  // beyond U+10FFFF
  CHECK_FALSE(next_code_point("\xE4\xBD", 0).valid);          // cut off
  CHECK(next_code_point("\xF4\x8F\xBF\xBF", 0).value == 0x10FFFF);
  CHECK(next_code_point("\xE4\xBD\xA0", 0).size == 3);
}

TEST_CASE("text from outside cannot steer the terminal") {
  CHECK(printable("a\x1b[2Jb") == "a?[2Jb");
  CHECK(printable("a\nb\tc\x7f") == "a?b?c?");
  CHECK(printable("\xC2\x9B"
                  "31m") == "?31m");            // the one-byte form of the escape
  CHECK(printable("x\xE2\x80\xAEy") == "x?y");  // right-to-left override
  CHECK(printable("\xFF") == "?");
  CHECK(printable("caf\xC3\xA9") == "caf\xC3\xA9");
}

TEST_CASE("a path that is too long keeps its ends") {
  CHECK(shorten("short", 5) == "short");
  CHECK(shorten("/data/runs/2026/rollouts.jsonl", 20) == "/data/ru...uts.jsonl");
  CHECK(shorten("abcdef", 2) == "..");
  for (std::size_t width = 0; width < 30; ++width)
    CHECK(display_width(shorten("\xE4\xBD\xA0\xE5\xA5\xBD/\xF0\x9F\x98\x80/rollouts.jsonl.zst",
                                width)) <= width);
}

TEST_CASE("wrapping keeps every word and no line is too long") {
  CHECK(wrap("one two three", 7) == "one two\nthree");
  CHECK(wrap("one two three", 9, 1) == "one two\n three");
  CHECK(wrap("", 10).empty());
  CHECK(wrap("abcdefghij", 4) == "abcd\nefgh\nij");
  CHECK(hanging("note  ", "one two three", {false, 14}) == "note  one two\n      three\n");
  test::RandomResults random(3);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = printable(random.text() + " " + random.text());
    const std::size_t width = 9 + random.below(60), indent = random.below(5);
    std::istringstream lines(wrap(text, width, indent));
    for (std::string line; std::getline(lines, line);) REQUIRE(display_width(line) <= width);
    std::string letters = wrap(text, width, indent), original = text;
    for (std::string* s : {&letters, &original})
      s->erase(std::remove_if(s->begin(), s->end(), [](char c) { return c == ' ' || c == '\n'; }),
               s->end());
    REQUIRE(letters == original);
  }
}

TEST_CASE("colour is for terminals and NO_COLOR forbids it") {
  const TextStyle plain;
  CHECK(paint("pass", Colour::good, plain) == "pass");
  CHECK(paint("pass", Colour::good, {true, 100}) == "\x1b[32mpass\x1b[0m");
  CHECK(paint("pass", Colour::none, {true, 100}) == "pass");

  int pipe_ends[2] = {-1, -1};
  REQUIRE(::pipe(pipe_ends) == 0);
  CHECK_FALSE(style_for(pipe_ends[1]).colour);
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);

  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0)
    return;  // no pseudo-terminals here
  const char* const old_no_color = ::getenv("NO_COLOR");
  const std::string kept = old_no_color == nullptr ? "" : old_no_color;
  const char* const old_term = ::getenv("TERM");
  const std::string kept_term = old_term == nullptr ? "" : old_term;
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "xterm", 1);
  CHECK(style_for(terminal).colour);
  ::setenv("NO_COLOR", "1", 1);
  CHECK_FALSE(style_for(terminal).colour);
  ::setenv("NO_COLOR", "", 1);
  CHECK(style_for(terminal).colour);
  ::setenv("TERM", "dumb", 1);
  CHECK_FALSE(style_for(terminal).colour);
  ::setenv("TERM", kept_term.c_str(), 1);
  ::setenv("NO_COLOR", kept.c_str(), 1);
  ::close(terminal);
}
