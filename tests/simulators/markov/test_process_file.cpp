// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "simulators/families/registry.hpp"
#include "simulators/markov/process_file.hpp"
#include "tests/simulators/support/random_process.hpp"

namespace {

using namespace gammascope;
using namespace gammascope::markov;

const std::string good =
    R"({"states": 2, "actions": 2, "end_state": 1, "initial": ["1", 0],
 "student": [["1/4", "3/4"], null], "teacher": [["0.5", "1/2"], null], "next": [[0, 1], null],
 "max_length": 9})";

std::string with(const std::string& from, const std::string& to) {
  std::string text = good;
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string complaint(const std::string& text) {
  try {
    (void)parse_process(text, "p.json");
  } catch (const BadData& error) {
    CHECK(error.status() == ExitStatus::bad_data);
    return error.what();
  }
  return "accepted";
}

/// 0 where bits agree; else the distance in units of the last place of `a`.
double ulps(double a, double b) {
  if (a == b) return 0;
  return std::abs(a - b) / (std::nextafter(std::abs(a), 1e308) - std::abs(a));
}

}  // namespace

TEST_CASE("a process file is read as it says") {
  const ProcessFile file = parse_process(good, "p.json");
  CHECK(file.max_length == 9);
  const auto row = file.process.row(0);
  REQUIRE(row.size() == 2);
  CHECK(row[0].probability == 0.25);
  CHECK(row[0].log_ratio == std::log(2.0));
  CHECK(row[1].log_ratio == Approx(std::log(2.0 / 3.0)).epsilon(1e-15));
  CHECK(row[1].next == 1);
  CHECK(file.process.is_end(1));
  CHECK(parse_process(with("\"max_length\": 9", "\"name\": \"x\", \"about\": \"y\""), "p")
            .max_length == std::nullopt);
}

TEST_CASE("every malformed process file is refused with file field and rule") {
  CHECK(complaint("[]") == "p.json: a process file is one JSON object");
  CHECK(complaint("{").find("p.json:1: not valid JSON") == 0);
  CHECK(complaint(with("\"next\"", "\"net\"")) ==
        "p.json: net: there is no such field in a process file");
  CHECK(complaint(with("\"max_length\": 9", "\"states\": 2")) ==
        "p.json: states: this key stands twice in the same object");
  CHECK(complaint(with("\"states\": 2, ", "")) == "p.json: states: this field is missing");
  CHECK(complaint(with("\"states\": 2", "\"states\": 0")) ==
        "p.json: states: must be a whole number, at least 1 and below 2^32 - 1");
  CHECK(complaint(with("\"actions\": 2", "\"actions\": 2.5")) ==
        "p.json: actions: must be a whole number, at least 1 and below 2^32 - 1");
  CHECK(complaint(with("\"end_state\": 1", "\"end_state\": 2")) ==
        "p.json: end_state: must be a state, 0 to 1");
  CHECK(complaint(with("\"max_length\": 9", "\"max_length\": 0")) ==
        "p.json: max_length: must be a whole number of tokens, at least 1");
  CHECK(complaint(with("[\"1\", 0]", "[\"1\"]")) ==
        "p.json: initial: must be an array with one entry for each state (2)");
  CHECK(complaint(with("[\"1\", 0]", "[\"1/2\", \"1/2\"]")) ==
        "p.json: initial[1]: a response cannot begin in the end state");
  CHECK(complaint(with("[\"1\", 0]", "[\"1/2\", 0]")) ==
        "p.json: initial: must sum to 1, but sums to 0.500000");
  CHECK(complaint(
            with("\"student\": [[\"1/4\", \"3/4\"], null]", "\"student\": [[\"1/4\"], null]")) ==
        "p.json: student[0]: must be an array with one entry for each token (2)");
  CHECK(complaint(with("\"3/4\"", "\"3/x\"")) ==
        "p.json: student[0][1]: \"3/x\" is neither a fraction nor a decimal");
  CHECK(complaint(with("\"3/4\"", "\"-3/4\"")) ==
        "p.json: student[0][1]: a probability must not be negative");
  CHECK(complaint(with("\"3/4\"", "1.5")) ==
        "p.json: student[0][1]: a probability must not exceed 1");
  CHECK(complaint(with("\"3/4\"", "true")) ==
        "p.json: student[0][1]: must be a number or a string such as \"3/5\"");
  CHECK(complaint(with("\"3/4\"", "0.74")) ==
        "p.json: student[0]: must sum to 1, but sums to 0.990000");
  CHECK(complaint(with("\"3/4\"", "0.7500001")) ==
        "p.json: student[0]: must sum to 1, but sums to 1.000000 (off by more than 1e-12)");
  CHECK(complaint(with("\"0.5\"", "\"0.4\"")) ==
        "p.json: teacher[0]: must sum to 1, but sums to 0.900000; mass on tokens outside the table "
        "needs \"unnormalised_teacher\": true");
  CHECK(complaint(with("\"0.5\"", "\"0.6\"")) ==
        "p.json: teacher[0]: must sum to 1, but sums to 1.100000");
  CHECK(complaint(with("\"max_length\": 9", "\"unnormalised_teacher\": 1")) ==
        "p.json: unnormalised_teacher: must be true or false");
  CHECK(complaint(with("[0, 1]", "[0, 2]")) == "p.json: next[0][1]: must be a state, 0 to 1");
  CHECK(complaint(with("[0, 1]", "[0, -1]")) == "p.json: next[0][1]: must be a state, 0 to 1");
  CHECK(complaint(with("[0, 1]", "[0, null]")) == "p.json: next[0][1]: must be a state, 0 to 1");
  CHECK(complaint(with("\"max_length\": 9", "\"kernel\": [[[], []], null]")) ==
        "p.json: next: exactly one of `next` and `kernel` must be there");
}

TEST_CASE("a kernel is read and its faults are named") {
  const auto kernel = [](const std::string& move) {
    return with("\"next\": [[0, 1], null]", "\"kernel\": [[[[0, 1]], " + move + "], null]");
  };
  const auto file = parse_process(kernel("[[0, \"1/3\"], [1, \"2/3\"]]"), "p.json");
  CHECK(file.process.nonzeros() == 3);
  CHECK(file.process.row(0)[1].probability == 0.25);
  CHECK(file.process.row(0)[2].probability == 0.5);
  CHECK(file.process.row(0)[1].log_ratio == file.process.row(0)[2].log_ratio);
  CHECK(complaint(kernel("1")) == "p.json: kernel[0][1]: must be an array of [state, probability]");
  CHECK(complaint(kernel("[[0]]")) ==
        "p.json: kernel[0][1][0]: must be a pair [state, probability]");
  CHECK(complaint(kernel("[[5, 1]]")) == "p.json: kernel[0][1][0][0]: must be a state, 0 to 1");
  CHECK(complaint(kernel("[[0, 0.5], [0, 0.5]]")) ==
        "p.json: kernel[0][1][1][0]: this state stands twice");
  CHECK(complaint(kernel("[[0, 0.5]]")) ==
        "p.json: kernel[0][1]: must sum to 1, but sums to 0.500000");
}

TEST_CASE("zero probabilities of student and teacher mean what the format says") {
  // Student 0: the token never occurs, wherever it would lead.
  auto file = parse_process(with("[[\"1/4\", \"3/4\"], null]", "[[0, 1], null]"), "p");
  CHECK(file.process.nonzeros() == 1);
  CHECK_NOTHROW(parse_process(
      R"({"states": 1, "actions": 2, "initial": [1], "student": [[0, 1]], "teacher": [[0.5, 0.5]],
          "next": [[null, 0]]})",
      "p"));
  // Teacher 0: minus infinity.
  file = parse_process(with("[\"0.5\", \"1/2\"]", "[0, 1]"), "p");
  CHECK(file.process.row(0)[0].log_ratio == -std::numeric_limits<double>::infinity());
  CHECK(meets_minus_infinity(file.process));
  file = parse_process(
      with("\"0.5\", \"1/2\"], null]", "\"0.5\", \"1/4\"], null], \"unnormalised_teacher\": true"),
      "p");
  CHECK(file.process.row(0)[1].log_ratio == Approx(std::log(1.0 / 3.0)));
}

TEST_CASE("log-ratios keep their digits where teacher and student almost agree") {
  const auto file = parse_process(
      R"({"states": 1, "actions": 2, "initial": [1], "next": [[0, 0]],
          "student": [["1/3", "2/3"]],
          "teacher": [["0.33333333333333333334", "0.66666666666666666666"]]})",
      "p");
  CHECK(file.process.row(0)[0].log_ratio == Approx(2e-20).epsilon(1e-15));
  CHECK(file.process.row(0)[1].log_ratio == Approx(-1e-20).epsilon(1e-15));
}

TEST_CASE("a process that is written reads back as the same process") {
  std::mt19937_64 engine(17);
  for (int k = 0; k < 100; ++k) {
    auto process = gammascope::test::random_process(
        engine, {.max_states = 5, .max_tokens = 4, .kernel = k % 2 == 1});
    const std::string text = process_text(process, 77);
    const ProcessFile file = parse_process(text, "written");
    CHECK(file.max_length == 77);
    REQUIRE(file.process.nonzeros() == process.nonzeros());
    CHECK(file.process.initial() == process.initial());
    CHECK(file.process.end_state() == process.end_state());
    for (std::size_t s = 0; s < process.states(); ++s)
      for (std::size_t i = 0; i < process.row(s).size(); ++i) {
        const auto &a = process.row(s)[i], &b = file.process.row(s)[i];
        CHECK(a.next == b.next);
        CHECK(a.token == b.token);
        CHECK(ulps(a.probability, b.probability) <= 1);
        CHECK(ulps(a.log_ratio, b.log_ratio) <= 1);
      }
  }
}

TEST_CASE("every realisable family can be written and the others cannot") {
  for (const auto& family : families::all_families()) {
    INFO(family.name);
    const auto process = unite(families::build(family, families::read_values(family, "")));
    if (family.realisable)
      CHECK(parse_process(process_text(process, {}), "f").process.nonzeros() == process.nonzeros());
    else
      CHECK_THROWS_AS(process_text(process, {}), std::invalid_argument);
  }
}

TEST_CASE("a file that is not there is no bad data") {
  CHECK_THROWS_AS(read_process("/nonexistent/process.json"), NoInput);
  CHECK_THROWS_AS(read_process("/dev/null"), BadData);
}
