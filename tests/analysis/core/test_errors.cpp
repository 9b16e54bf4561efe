// SPDX-License-Identifier: MIT
#include <string>

#include <catch2/catch.hpp>

#include "analysis/core/errors.hpp"
#include "analysis/core/interrupt.hpp"
#include "analysis/core/shortened.hpp"

using namespace gammascope;

TEST_CASE("a data error names file and line and field and rule") {
  CHECK(DataError{"log.jsonl", 7, "teacher_logprobs[17]", "a log-probability must not be positive"}
            .message() ==
        "log.jsonl:7: teacher_logprobs[17]: a log-probability must not be positive");
  CHECK(DataError{"log.jsonl", 0, "", "the file is empty"}.message() ==
        "log.jsonl: the file is empty");
}

TEST_CASE("each error carries its documented exit status") {
  CHECK(static_cast<int>(UsageError("x").status()) == 64);
  CHECK(static_cast<int>(BadData({}).status()) == 65);
  CHECK(static_cast<int>(NoInput("x").status()) == 66);
  CHECK(static_cast<int>(Unavailable("x").status()) == 69);
  CHECK(static_cast<int>(Interrupted().status()) == 130);
}

TEST_CASE("long values are shortened and never within a character") {
  CHECK(shortened("0.5") == "0.5");
  CHECK(shortened(std::string(60, '1')) == std::string(60, '1'));
  CHECK(shortened(std::string(10000, '1')) == std::string(24, '1') + "... (10000 bytes)");
  std::string umlauts = "x";
  for (int i = 0; i < 40; ++i) umlauts += "\xc3\xbc";
  CHECK(shortened(umlauts) == umlauts.substr(0, 23) + "... (81 bytes)");
}

TEST_CASE("a set interrupt flag stops the next safe point and a clear one does not") {
  CHECK_NOTHROW(stop_if_interrupted());
  interrupt_flag() = true;
  CHECK_THROWS_AS(stop_if_interrupted(), Interrupted);
  interrupt_flag() = false;
  CHECK_NOTHROW(stop_if_interrupted());
}
