// SPDX-License-Identifier: MIT
// What `gammascope LOG` says of the shipped log, against numbers of an independent script (NumPy;
// the log is described in examples/data/README.md), and of logs that lack something.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analysis/report/text.hpp"
#include "tests/support/command.hpp"

using namespace gammascope;

namespace {

const std::string sums = "examples/data/sums.jsonl.zst";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const nlohmann::json& cell(const nlohmann::json& result,
                           const std::string& quantity,
                           double gamma) {
  for (const auto& c : result.at("cells"))
    if (c.at("quantity") == quantity && (c.at("gamma").is_null() || c.at("gamma") == gamma))
      return c;
  throw std::runtime_error("no such cell");
}

/// Rows of a shell line that make a log of `prompts` x 2 responses of 40 tokens; `teacher` is a
/// Python expression of s, t.
std::string make_log(const std::string& teacher, int prompts) {
  return "python3 - >made.jsonl <<'E'\nimport random, json\nrandom.seed(5)\nfor p in range(" +
         std::to_string(prompts) +
         "):\n  for k in range(2):\n    s = [-random.expovariate(1) for _ in range(40)]\n    u = "
         "[" +
         teacher +
         " for t in range(40)]\n    print(json.dumps({'prompt_id': p, 'sample_id': k, "
         "'student_logprobs': s, 'teacher_logprobs': u, "
         "'finish_reason': 'stop'}))\nE\n";
}

}  // namespace

TEST_CASE("the first look at the real log agrees with an independent script") {
  const test::Workplace place;
  const test::Said said = test::gammascope(place, sums + " --json");
  REQUIRE(said.status == 0);
  const auto result = nlohmann::json::parse(said.out);
  CHECK(result.at("source").at("rollouts") == 512);
  CHECK(result.at("source").at("prompts") == 128);
  CHECK(result.at("source").at("tokens") == 38513);
  CHECK(result.at("source").at("truncated") == 58);
  CHECK(std::fabs(cell(result, "t4", 0).at("value").get<double>() - 0.0754) < 5e-5);
  CHECK(std::fabs(cell(result, "t2", 0).at("value").get<double>() - 0.9964) < 5e-5);
  CHECK(std::fabs(cell(result, "t3", 0).at("value").get<double>() - (3.045 - 3.032)) < 1e-3);
  // At gamma 0 the window does not matter: .577 with rows as independent; clustering moves it below
  // .5 %.
  CHECK(std::fabs(cell(result, "variance", 0).at("value").get<double>() - 0.577) < 0.003);
}

TEST_CASE("the table fits 100 columns and 35 lines and ends in the next command") {
  const test::Workplace place;
  const test::Said said = test::gammascope(place, sums);
  std::istringstream lines(said.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    CAPTURE(line);
    CHECK(report::display_width(line) <= 100);
  }
  CHECK(count <= 35);
  CHECK(contains(said.out, "next: gammascope check " + sums));
  CHECK(contains(said.out, "alignment ok"));
}

TEST_CASE("B01 a shifted log is said to be and check and measure refuse it without force") {
  const test::Workplace place;
  REQUIRE(
      test::shell(place, make_log("min(-1e-3, s[t - 1] + random.gauss(0, .1)) if t else -1.0", 40))
          .status == 0);
  const test::Said look = test::gammascope(place, "made.jsonl");
  CHECK(look.status == 0);
  CHECK(contains(look.out, "shift by +1 suspected"));
  CHECK(contains(look.out, "next: line up student_logprobs and teacher_logprobs"));
  CHECK_FALSE(contains(look.out, "next: gammascope check"));
  for (const std::string verb : {"check", "measure"}) {
    const test::Said refused = test::gammascope(place, verb + " made.jsonl");
    CHECK(refused.status == 65);
    CHECK(contains(refused.err, "shift"));
    CHECK(contains(refused.err, "--force"));
    // With --force check still says that the log breaks a rule.
    CHECK(test::gammascope(place, verb + " made.jsonl --force").status ==
          (verb == "check" ? 1 : 0));
  }
  REQUIRE(test::shell(place, make_log("min(-1e-3, s[t] + random.gauss(0, .1))", 40)).status == 0);
  CHECK(contains(test::gammascope(place, "made.jsonl").out, "alignment ok"));
  CHECK(test::gammascope(place, "measure made.jsonl").status == 0);
}

TEST_CASE("N38 a column that is absent or all null or all zero gives no number") {
  const test::Workplace place;
  for (const std::string teacher : {"None", "0.0"}) {
    REQUIRE(test::shell(place, make_log(teacher, 20)).status == 0);
    const test::Said look = test::gammascope(place, "made.jsonl");
    CAPTURE(teacher, look.out, look.err);
    CHECK(look.status == 0);
    CHECK(contains(look.out, "No variance can be had"));
    CHECK_FALSE(contains(look.out, "E exp(-D)"));
    CHECK(test::gammascope(place, "measure made.jsonl").status == 65);
  }
  place.write("absent.jsonl", "{\"prompt_id\":1,\"student_logprobs\":[-1.0,-0.5]}\n");
  CHECK(test::gammascope(place, "absent.jsonl").status == 0);
  CHECK(test::gammascope(place, "measure absent.jsonl").status == 65);
}

TEST_CASE("every number of the table and of the closing sentence has limits") {
  const test::Workplace place;
  const test::Said said = test::gammascope(place, sums);
  const auto result = nlohmann::json::parse(test::gammascope(place, sums + " --json").out);
  const auto& ratio = cell(result, "ratio", 0.99);
  const double value = ratio.at("value").get<double>();
  // Var .99 over Var 0: the two estimates themselves; the limits lie around it.
  CHECK(std::fabs(value / (cell(result, "variance", 0.99).at("value").get<double>() /
                           cell(result, "variance", 0).at("value").get<double>()) -
                  1) < 1e-12);
  CHECK(ratio.at("lower").get<double>() < value);
  CHECK(ratio.at("upper").get<double>() > value);
  CHECK(contains(said.out, "times noisier than at 0"));
  std::istringstream lines(said.out);
  int limits = 0, rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (contains(line, "length price"))
      CHECK(line.find("95 % limits") != line.rfind("95 % limits"));
    if (line.rfind("0.9", 0) != 0 && line.rfind("1 ", 0) != 0) continue;
    ++rows;
    limits += static_cast<int>(std::count(line.begin(), line.end(), '['));
  }
  CHECK(rows == 3);
  CHECK(limits == 2 * rows);
}

TEST_CASE("the first look takes the options it has room for and names measure for the others") {
  const test::Workplace place;
  const auto at = nlohmann::json::parse(
      test::gammascope(place, sums + " --at 7 --confidence 0.9 --noise-floor 1e-6 --json").out);
  CHECK(cell(at, "variance", 1).at("n") == 7);
  CHECK(cell(at, "variance", 1).at("confidence") == 0.9);
  const auto measured = nlohmann::json::parse(
      test::gammascope(place, "measure " + sums + " --at 7 --confidence 0.9 --json").out);
  CHECK(cell(at, "variance", 1).at("upper") == cell(measured, "variance", 1).at("upper"));
  for (const std::string option : {"--alignment horizon",
                                   "--start all",
                                   "--truncated drop",
                                   "--weight prompt",
                                   "--max-length 300",
                                   "--at 4,8"}) {
    const test::Said refused = test::gammascope(place, sums + " " + option);
    CAPTURE(option, refused.err);
    CHECK(refused.status == 64);
    CHECK(contains(refused.err, "measure LOG " + option));
    CHECK(refused.out.empty());
  }
}

TEST_CASE("unfinished stores and temperatures that disagree are warnings") {
  const test::Workplace place;
  REQUIRE(test::shell(place,
                      "gammascope convert " + sums +
                          " -o store --quiet; python3 - store <<'E'\n"
                          "import glob, json, struct, sys\n"
                          "f = sorted(glob.glob(sys.argv[1] + '/*.safetensors'))[-1]\n"
                          "b = open(f, 'rb').read(); n = struct.unpack('<Q', b[:8])[0]\n"
                          "h = json.loads(b[8:8 + n]); del h['__metadata__']['last']\n"
                          "t = json.dumps(h).encode(); t += b' ' * (-len(t) % 8)\n"
                          "open(f, 'wb').write(struct.pack('<Q', len(t)) + t + b[8 + n:])\nE\n")
              .status == 0);
  const auto rules = [&](const std::string& log) {
    std::string all;
    const auto result = nlohmann::json::parse(test::gammascope(place, log + " --json").out);
    for (const auto& f : result.at("findings"))
      all += f.at("rule").get<std::string>() + ":" + f.at("severity").get<std::string>() + " ";
    return all;
  };
  CHECK(contains(rules("store"), "unfinished_store:warning"));
  CHECK_FALSE(contains(rules(sums), "unfinished_store"));
  CHECK_FALSE(contains(rules(sums), "temperature"));
  place.write("t.jsonl",
              "{\"header\":{\"student_temperature\":1.0,\"teacher_temperature\":0.7}}\n"
              "{\"prompt_id\":1,\"student_logprobs\":[-1.0,-0.5],\"teacher_logprobs\":[-1.5,-0.25]}"
              "\n");
  CHECK(contains(rules("t.jsonl"), "temperature:warning"));
}

TEST_CASE("a log-ratio beyond the range names file and line and what goes on") {
  const test::Workplace place;
  place.write(
      "far.jsonl",
      "{\"prompt_id\":\"a\",\"student_logprobs\":[-1.0,-0.5],\"teacher_logprobs\":[-1.5,-0.25]}\n"
      "{\"prompt_id\":\"b\",\"sample_id\":3,\"student_logprobs\":[-1.0,-0.5],"
      "\"teacher_logprobs\":[-1.5,-3e6]}\n");
  const test::Said said = test::gammascope(place, "measure far.jsonl --force");
  CHECK(said.status == 65);
  for (const std::string part :
       {"far.jsonl:2: ", "prompt_id \"b\"", "sample 3", "gamma ", "2^20", "--nonfinite \"clip C\""})
    CHECK(contains(said.err, part));
  CHECK(test::gammascope(place, "measure far.jsonl --force --nonfinite 'clip 10'").status == 0);
}

TEST_CASE("rows given twice are said to be") {
  const test::Workplace place;
  const test::Said twice = test::gammascope(place, sums + " " + sums);
  CHECK(contains(twice.out, "512 responses repeat"));
  CHECK_FALSE(contains(test::gammascope(place, sums).out, "repeat"));
}

TEST_CASE("one response or one prompt gives words instead of numbers") {
  const test::Workplace place;
  place.write(
      "one.jsonl",
      "{\"prompt_id\":1,\"student_logprobs\":[-1.0,-0.5],\"teacher_logprobs\":[-1.5,-0.25]}\n");
  const test::Said said = test::gammascope(place, "one.jsonl");
  CHECK(said.status == 0);
  CHECK(contains(said.out, "not available"));
  CHECK(contains(said.out, "next: log responses to more prompts"));
  CHECK_FALSE(contains(said.out, "next: gammascope check"));
  CHECK_FALSE(contains(said.out, "this says: ;"));
  place.write(
      "masked.jsonl",
      "{\"prompt_id\":1,\"student_logprobs\":[-1.0],\"teacher_logprobs\":[-1.5],\"mask\":[0]}\n");
  CHECK(contains(test::gammascope(place, "masked.jsonl").out, "no response has a sampled token"));
}

TEST_CASE("a column of labels leaves no second share of a bound that is not shown") {
  const test::Workplace place;
  // 12 prompts: the variances are tentative or worse.
  REQUIRE(test::shell(place, make_log("min(-1e-3, s[t] + random.gauss(0, 3))", 12)).status == 0);
  const test::Said said = test::gammascope(place, "made.jsonl");
  CAPTURE(said.out);
  std::istringstream lines(said.out);
  std::string title;
  for (std::string line; std::getline(lines, line);) {
    CHECK(report::display_width(line) <= 100);
    if (line.find("gamma ") == 0) title = line;
  }
  REQUIRE(contains(title, "label"));
  if (!contains(title, "least bound")) {
    CHECK(title.find("used") == title.rfind("used"));
    CHECK_FALSE(contains(said.out, "\n* if Delta"));
  }
}

TEST_CASE("an infinite sum of responses that were cut says what can be measured instead") {
  const test::Workplace place;
  for (const std::string verb : {"measure ", "check "})
    CHECK(contains(test::gammascope(place, verb + sums + " --alignment infinite --json").out,
                   "--alignment window sums what is there"));
}
