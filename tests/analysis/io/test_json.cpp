// SPDX-License-Identifier: MIT
#include <string>

#include <catch2/catch.hpp>

#include "analysis/io/json.hpp"

namespace io = gammascope::io;
using gammascope::BadData;

namespace {

std::string message(const std::string& text) {
  try {
    (void)io::parse_json(text, "f.json");
  } catch (const BadData& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a document keeps the order of its keys") {
  CHECK(io::parse_json(R"({"b":1,"a":[2,{"z":3,"y":4}]})", "f").dump() ==
        R"({"b":1,"a":[2,{"z":3,"y":4}]})");
}

TEST_CASE("a broken document is refused with its line") {
  CHECK(message("{\"a\":1}").empty());
  CHECK(message("{\n\"a\":\n}").find("f.json:3: not valid JSON: ") == 0);
  CHECK(message("").find("f.json:1: not valid JSON") == 0);
  CHECK(message("{\"a\":1} x").find("f.json:1: not valid JSON") == 0);
  CHECK(message("{\"a\":NaN}").find("f.json:1: not valid JSON") == 0);
  CHECK(message("{\"a\":1e999}").find("f.json: a number beyond the range of a double") == 0);
}

TEST_CASE("a key that stands twice in one object is refused and twice in two is not") {
  CHECK(message(R"({"a":1,"b":{"c":1,"c":2}})") ==
        "f.json: c: this key stands twice in the same object");
  CHECK(message(R"({"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]})").empty());
}

TEST_CASE("nesting is limited") {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  CHECK(message(nested(200)).empty());
  CHECK(message(nested(2000000)).find("f.json: is nested deeper than 256 levels") == 0);
}
