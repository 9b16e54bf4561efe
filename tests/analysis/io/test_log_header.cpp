// SPDX-License-Identifier: MIT
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

#include "analysis/io/json.hpp"
#include "analysis/io/line_error.hpp"
#include "analysis/io/log_header.hpp"

namespace io = gammascope::io;
using gammascope::LogHeader;

TEST_CASE("a header that was read is written as it was") {
  const std::string raw =
      R"({ "z": [1, 2], "temperature": 0.70, "eos_ids": [2], "vocab_size": 10 })";
  CHECK(io::header_text(io::parse_header(raw)) == raw);
}

TEST_CASE("what the typed fields say beyond the text is added to it") {
  LogHeader header = io::parse_header(R"({"z":1,"seed":3})");
  header.vocab_size = 10;
  header.seed = 4;
  header.eos_ids = {7};
  header.teacher_temperature = 0.5;
  const auto json = io::Json::parse(io::header_text(header));
  CHECK(json == io::Json::parse(
                    R"({"z":1,"seed":4,"vocab_size":10,"eos_ids":[7],"teacher_temperature":0.5})"));
  const LogHeader back = io::parse_header(io::header_text(header));
  CHECK(back.vocab_size == 10);
  CHECK(back.teacher_temperature == 0.5);
}

TEST_CASE("numbers in memory are nats so no other base is written") {
  LogHeader header;
  header.log_base = 2;
  CHECK(io::nats_per_unit(header) == Approx(0.6931471805599453));
  CHECK(io::nats_per_unit(io::parse_header(io::header_text(header))) == 1);
  CHECK(io::nats_per_unit(io::parse_header(R"({"log_base":2.71828183})")) == 1);
  CHECK(io::nats_per_unit(io::parse_header("{}")) == 1);
}

TEST_CASE("a header is one line even when its text is not") {
  CHECK(io::parse_header("{\n\"a\":\r\n1}").raw == R"({"a":1})");
}

TEST_CASE("sampling fields of a header outside their range are errors that name field and rule") {
  const auto error_of = [](const char* text) -> std::string {
    try {
      (void)io::parse_header(text);
    } catch (const io::LineError& error) {
      return error.field + ": " + error.rule;
    }
    return "";
  };
  for (const char* good : {R"({"top_p":1})",
                           R"({"top_p":0.1,"top_k":-1})",
                           R"({"top_k":0})",
                           R"({"top_k":50,"eos_ids":[0,9],"vocab_size":10})",
                           R"({"eos_ids":7,"temperature":0})",
                           R"({"top_p":null,"top_k":null,"eos_ids":null})"})
    CHECK(error_of(good).empty());
  CHECK(error_of(R"({"top_p":0})").find("header.top_p: must be above 0") == 0);
  CHECK(error_of(R"({"top_p":1.5})").find("header.top_p: must be above 0") == 0);
  CHECK(error_of(R"({"top_p":"1"})").find("header.top_p: must be a number") == 0);
  CHECK(error_of(R"({"top_k":-2})").find("header.top_k: must be at least 1") == 0);
  CHECK(error_of(R"({"top_k":1.5})").find("header.top_k: must be an integer") == 0);
  CHECK(error_of(R"({"eos_ids":[-1]})").find("header.eos_ids: must be token ids") == 0);
  CHECK(error_of(R"({"eos_ids":["</s>"]})").find("header.eos_ids: must be a list of integers") ==
        0);
  CHECK(error_of(R"({"eos_ids":[10],"vocab_size":10})").find("below vocab_size") !=
        std::string::npos);
  CHECK(error_of(R"({"temperature":-1})").find("header.student_temperature: must not") == 0);
}

TEST_CASE("text that is no object is refused by the writer") {
  LogHeader header;
  header.raw = "[1]";
  CHECK_THROWS_AS(io::header_text(header), std::invalid_argument);
  header.raw = "{";
  CHECK_THROWS_AS(io::header_text(header), std::invalid_argument);
}
