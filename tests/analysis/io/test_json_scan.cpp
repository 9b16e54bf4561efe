// SPDX-License-Identifier: MIT

#include <string>

#include <catch2/catch.hpp>

#include "analysis/io/json.hpp"
#include "analysis/io/json_scan.hpp"
#include "tests/analysis/io/draw.hpp"

namespace io = gammascope::io;
using gammascope::io::test::Draw;
using io::Json;

namespace {

Json random_json(Draw& draw, int depth) {
  switch (draw() % (depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return draw() % 2 == 0;
    case 2:
      return std::int64_t(draw()) - 1000;
    case 3:
      return double(draw()) / 7;
    case 4: {
      std::string text;
      for (unsigned n = draw() % 8; n > 0; --n) text += "a\\\"{}[],: \n"[draw() % 11];
      return text;
    }
    case 5: {
      Json array = Json::array();
      for (unsigned n = draw() % 4; n > 0; --n) array.push_back(random_json(draw, depth - 1));
      return array;
    }
    default: {
      Json object = Json::object();
      for (unsigned n = draw() % 4; n > 0; --n)
        object["n" + std::to_string(draw() % 1000)] = random_json(draw, depth - 1);
      return object;
    }
  }
}

}  // namespace

TEST_CASE("the end of a value is found in random JSON and no prefix of an object is one") {
  Draw draw(1);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random_json(draw, 4).dump(draw() % 2 == 0 ? -1 : 1);
    INFO(text);
    CHECK(io::scan_value(text) == text.size());
    CHECK(io::scan_value(text + ",1]") == text.size());
    CHECK(io::is_one_value(" " + text + "\t\r\n"));
    CHECK_FALSE(io::is_one_value(text + " 1"));
    if (text[0] == '{' || text[0] == '[' || text[0] == '"')
      for (std::size_t n = 0; n < text.size(); ++n)
        CHECK_FALSE(io::is_one_value(text.substr(0, n)));
  }
}

TEST_CASE("a broken outline is no value and what a strict parser takes is one") {
  Draw draw(2);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = random_json(draw, 3).dump();
    const std::size_t at = draw() % text.size();
    switch (draw() % 3) {
      case 0:
        text.erase(at, 1);
        break;
      case 1:
        text.insert(at, 1, "[]{},:\"\\ 1"[draw() % 10]);
        break;
      default:
        text[at] = "[]{},:\"\\ 1"[draw() % 10];
        break;
    }
    INFO(text);
    // Words and numbers are not judged by the scan, so it may take more than the parser, never
    // less.
    if (Json::accept(text)) CHECK(io::is_one_value(text));
    refused += io::is_one_value(text) ? 0 : 1;
  }
  CHECK(refused > 1000);
  for (const char* text : {"[1,]",
                           "{,}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "[1 2]",
                           "{\"a\":1 \"b\":2}",
                           "]",
                           "",
                           "[",
                           "\"",
                           "\"\\",
                           "{\"a\":1,}",
                           "[}",
                           "{]",
                           "{1:2}",
                           "[1]]",
                           "nul l"})
    CHECK_FALSE(io::is_one_value(text));
}

TEST_CASE("deep nesting needs no stack") {
  const std::string open(5000000, '[');
  CHECK_FALSE(io::is_one_value(open));
  CHECK(io::is_one_value(open + std::string(5000000, ']')));
}

TEST_CASE("long unused fields become null and nothing else changes") {
  Draw draw(3);
  for (int i = 0; i < 2000; ++i) {
    Json object = Json::object();
    for (unsigned n = draw() % 6; n > 0; --n)
      object["k" + std::to_string(draw() % 10)] = random_json(draw, 3);
    std::string text = object.dump(draw() % 2 == 0 ? -1 : 2);
    const std::size_t longer_than = 4 + draw() % 20;
    Json expected = object;
    for (auto& [key, value] : expected.items()) {
      if (key < "k5") continue;
      // The length in the text, indented or not, spaces before it included.
      const std::size_t begin = text.find('"' + key + "\":") + key.size() + 3;
      if (io::scan_value(std::string_view(text).substr(begin)) > longer_than) value = nullptr;
    }
    const std::size_t size = io::drop_unused_fields(
        text.data(), text.size(), longer_than, [](std::string_view key) { return key < "k5"; });
    text.resize(size);
    INFO(object.dump());
    REQUIRE(Json::accept(text));
    CHECK(Json::parse(text) == expected);
  }
}

TEST_CASE("a key that is spelled with escapes is left to the parser") {
  std::string text = R"({"us\u0065d":"0123456789","unused":"0123456789"})";
  text.resize(io::drop_unused_fields(
      text.data(), text.size(), 4, [](std::string_view key) { return key == "used"; }));
  CHECK(text == R"({"us\u0065d":"0123456789","unused":null})");
}

TEST_CASE("text that is no finished object is left as it is") {
  for (const std::string before :
       {"[1,2,3,4,5,6]", "{\"a\":\"0123456789\"", "", "7", "{\"a\":[1,2,3,4,5}"}) {
    std::string text = before;
    CHECK(io::drop_unused_fields(text.data(), text.size(), 4, [](std::string_view) {
            return false;
          }) == before.size());
    CHECK(text == before);
  }
}
