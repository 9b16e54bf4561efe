// SPDX-License-Identifier: MIT
// Splits, the alphabet of bytes, patterns, UTF-8: by their definitions.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "lab/models/tokenizer/byte_level.hpp"
#include "lab/models/tokenizer/regex.hpp"
#include "lab/models/tokenizer/split.hpp"
#include "lab/models/tokenizer/unicode.hpp"

using namespace gammascope::lab;

TEST_CASE("the five ways to split are those of the documentation of tokenizers") {
  // "the-final--countdown" at "-", from the documentation of SplitDelimiterBehavior
  const std::string_view text = "the-final--countdown";
  const auto matches = Regex("-", "", "").find_all(text);
  using Pieces = std::vector<std::string_view>;
  CHECK(split(text, matches, SplitBehavior::removed) == Pieces{"the", "final", "countdown"});
  CHECK(split(text, matches, SplitBehavior::isolated) ==
        Pieces{"the", "-", "final", "-", "-", "countdown"});
  CHECK(split(text, matches, SplitBehavior::merged_with_previous) ==
        Pieces{"the-", "final-", "-", "countdown"});
  CHECK(split(text, matches, SplitBehavior::merged_with_next) ==
        Pieces{"the", "-final", "-", "-countdown"});
  CHECK(split(text, matches, SplitBehavior::contiguous) ==
        Pieces{"the", "-", "final", "--", "countdown"});
  CHECK(split(text, matches, SplitBehavior::removed, true) == Pieces{"-", "-", "-"});
  CHECK(split("", {}, SplitBehavior::isolated).empty());
  CHECK_FALSE(split_behavior("isolated").has_value());
}

TEST_CASE("empty matches come once and never behind a match") {
  // x* in "axxb": before a, xx, then the end (the one at b's left stands directly behind xx)
  CHECK(Regex("x*", "", "").find_all("axxb") == std::vector<Found>{{0, 0}, {1, 3}, {4, 4}});
  CHECK(Regex("é*", "", "").find_all("").size() == 1);
}

TEST_CASE("each byte has a character of its own and comes back") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string characters = bytes_to_characters(all);
  CHECK(characters_to_bytes(characters) == all);
  // known from GPT-2's files: space, newline, tab, and the first byte of many scripts
  CHECK(bytes_to_characters(" ") == "Ġ");
  CHECK(bytes_to_characters("\n") == "Ċ");
  CHECK(bytes_to_characters("\t") == "ĉ");
  CHECK(bytes_to_characters("é") == "Ã©");
  CHECK_FALSE(characters_to_bytes("a b").has_value());
}

TEST_CASE("bytes that are no UTF-8 become one sign for each longest start of a character") {
  const std::string sign = "\xEF\xBF\xBD";
  // The Unicode Standard 15, tables 3-8 to 3-11
  CHECK(replace_invalid("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41") ==
        sign + sign + sign + sign + sign + sign + sign + sign + "A");
  CHECK(replace_invalid("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41") ==
        sign + sign + sign + sign + sign + sign + sign + sign + "A");
  CHECK(replace_invalid("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42") ==
        sign + sign + sign + sign + sign + "A" + sign + sign + "B");
  CHECK(replace_invalid("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41") == sign + sign + sign + sign + "A");
  CHECK(replace_invalid("ok é 😀") == "ok é 😀");
  CHECK(valid_prefix("a\xC3") == 1);
}

TEST_CASE("normal forms are those of the examples of Unicode Standard Annex 15") {
  // figures 3 and 6
  CHECK(normal_form("\u212B", NormalForm::nfc) == "\u00C5");
  CHECK(normal_form("\u00F4", NormalForm::nfd) == "o\u0302");
  CHECK(normal_form("\u1E9B\u0323", NormalForm::nfc) == "\u1E9B\u0323");
  CHECK(normal_form("\u1E9B\u0323", NormalForm::nfkc) == "\u1E69");
  CHECK(normal_form("\u1E9B\u0323", NormalForm::nfkd) == "s\u0323\u0307");
  CHECK(normal_form(std::string("a\0b", 3), NormalForm::nfc) == std::string("a\0b", 3));
}

TEST_CASE("white space is the property of that name") {
  CHECK(leading_space(" \t\u00A0\u3000\u2028x") == 1 + 1 + 2 + 3 + 3);
  CHECK(trailing_space("x\u0085 \u2003") == 2 + 1 + 3);
  CHECK(leading_space("\u200B") == 0);
  CHECK(trailing_space("x\u180E") == 0);
  CHECK(leading_space("") == 0);
}
