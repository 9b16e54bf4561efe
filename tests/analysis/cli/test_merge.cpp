// SPDX-License-Identifier: MIT
// measure --state and merge: parts of a real log, measured apart, are the whole.
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;

namespace {

const std::string sums = "examples/data/sums.jsonl.zst";
const std::string how = " --at 4,16 --gamma 0,0.99,1 --alignment position,horizon,window";

/// all.jsonl, and its rows shuffled into `parts` files 00.jsonl, 01.jsonl, …, each with the header.
void split(const test::Workplace& place, int parts) {
  const std::string n = std::to_string(parts);
  REQUIRE(test::shell(place,
                      "rm -f rows mixed part.* ??.jsonl; zstd -dcq " + sums +
                          " >all.jsonl; head -n 1 all.jsonl >head; tail -n +2 all.jsonl >rows; "
                          "shuf --random-source=rows rows >mixed; split -d -n l/" +
                          n +
                          " mixed part.; for p in part.*; do cat head $p >${p#part.}.jsonl; done")
              .status == 0);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("shuffled parts of a log merge in any order to the state and the result of the whole") {
  const test::Workplace place;
  REQUIRE(
      test::gammascope(place, "measure " + sums + how + " --state whole --quiet --json whole.json")
          .status == 0);
  for (const int parts : {1, 3, 17}) {
    split(place, parts);
    REQUIRE(test::shell(place,
                        "rm -f *.part; for p in ??.jsonl; do gammascope measure $p --quiet" + how +
                            " --state $p.part || exit 1; done")
                .status == 0);
    for (const std::string order :
         {"ls *.part", "ls -r *.part", "ls *.part | shuf --random-source=rows"}) {
      const test::Said said = test::shell(
          place, "gammascope merge $(" + order + ") -o merged --quiet --json merged.json");
      CAPTURE(parts, order, said.err);
      REQUIRE(said.status == 0);
      CHECK(place.read("merged") == place.read("whole"));
      const auto merged = nlohmann::json::parse(place.read("merged.json"));
      const auto whole = nlohmann::json::parse(place.read("whole.json"));
      CHECK(merged.at("cells") == whole.at("cells"));
      CHECK(merged.at("summary") == whole.at("summary"));
      for (const std::string key : {"rollouts", "prompts", "tokens", "truncated", "dropped"})
        CHECK(merged.at("source").at(key) == whole.at("source").at(key));
      for (const std::string key :
           {"gamma", "clock", "start", "max-length", "noise-floor", "weight"})
        CHECK(merged.at("settings").at(key) == whole.at("settings").at(key));
    }
  }
}

TEST_CASE("a log and the store made from it have one state and are not merged twice") {
  const test::Workplace place;
  REQUIRE(test::gammascope(place, "convert " + sums + " -o s.store --quiet").status == 0);
  REQUIRE(test::gammascope(place, "measure " + sums + " --state a --quiet").status == 0);
  REQUIRE(test::gammascope(place, "measure s.store --state b --quiet").status == 0);
  CHECK(place.read("a") == place.read("b"));
  for (const std::string pair : {"a a", "a b", "b a"}) {
    const test::Said said = test::gammascope(place, "merge --force " + pair + " -o c");
    CAPTURE(pair, said.err);
    CHECK(said.status == 65);
    CHECK(contains(said.err, "the same responses are in"));
    CHECK_FALSE(std::filesystem::exists(place / "c"));
  }
}

TEST_CASE("a part inside an earlier sum is refused and a few equal responses are said") {
  const test::Workplace place;
  split(place, 3);
  REQUIRE(test::shell(place,
                      "cat 00.jsonl >both.jsonl; tail -n +2 01.jsonl >>both.jsonl;"
                      "for p in 00 01 02 both; do gammascope measure $p.jsonl --at 8 --quiet "
                      "--state $p.state || exit 1; done; gammascope merge 00.state 02.state -o "
                      "sum.state --quiet")
              .status == 0);
  const test::Said inside = test::gammascope(place, "merge sum.state 00.state 01.state");
  CHECK(inside.status == 65);
  CHECK(contains(inside.err, "00.state: responses: the same responses are in sum.state already"));
  // Half of it is new, half is not.
  const test::Said half = test::gammascope(place, "merge 00.state both.state");
  CHECK(half.status == 65);
  const test::Said other = test::gammascope(place, "merge sum.state both.state");
  CHECK(other.status == 65);
  CHECK(contains(other.err, "of the responses are in sum.state already"));
  CHECK(contains(other.err, "--force"));
  const test::Said forced = test::gammascope(place, "merge sum.state both.state --force --json");
  REQUIRE(forced.status == 0);
  const auto result = nlohmann::json::parse(forced.out);
  CHECK(result.at("findings").at(0).at("rule") == "shared_responses");
}

TEST_CASE("states that cannot be merged are one error that names file and setting") {
  const test::Workplace place;
  split(place, 3);
  const auto measured = [&](const std::string& part, const std::string& options) {
    return test::gammascope(
        place, "measure " + part + ".jsonl --quiet --state " + part + ".state " + options);
  };
  REQUIRE(measured("00", "--at 8").status == 0);
  REQUIRE(measured("01", "--at 8 --clock count").status == 0);
  REQUIRE(measured("02", "--at 9").status == 0);
  const test::Said clock = test::gammascope(place, "merge 00.state 01.state");
  CHECK(clock.status == 65);
  CHECK(contains(clock.err, "01.state: clock: is count here and skip in 00.state"));
  const test::Said at = test::gammascope(place, "merge 00.state 02.state");
  CHECK(at.status == 65);
  CHECK(contains(at.err, "02.state: at: is 9 here and 8 in 00.state"));
  const test::Said foreign = test::gammascope(place, "merge 00.state 00.jsonl");
  CHECK(foreign.status == 65);
  CHECK(contains(foreign.err, "00.jsonl: is no state of `measure --state`"));
  REQUIRE(test::shell(place, "head -c 5000 00.state >cut.state").status == 0);
  CHECK(test::gammascope(place, "merge cut.state").status == 65);
  CHECK(test::gammascope(place, "merge missing.state").status == 66);
  CHECK(test::gammascope(place, "merge").status == 64);
}

TEST_CASE("a state is written whole over an earlier state only and never over an input") {
  const test::Workplace place;
  place.write("mine", "the only copy\n");
  const std::string start = "measure " + sums + " --at 8 --quiet --state ";
  CHECK(test::gammascope(place, start + "mine").status == 64);
  CHECK(place.read("mine") == "the only copy\n");
  CHECK(test::gammascope(place, start + "-").status == 64);
  CHECK(test::gammascope(place, start + "no/such/folder").status == 66);
  CHECK(test::gammascope(place, start + "same --json same").status == 64);
  REQUIRE(test::shell(place, "cp " + sums + " own.zst").status == 0);
  CHECK(test::gammascope(place, "measure own.zst --at 8 --force --state own.zst").status == 64);
  REQUIRE(test::gammascope(place, start + "s").status == 0);
  REQUIRE(test::gammascope(place, start + "s").status == 0);
  CHECK(test::gammascope(place, "merge s -o s").status == 64);
  CHECK(test::gammascope(place, "merge s -o mine").status == 64);
  CHECK(test::gammascope(place, "merge s -o mine --force --quiet").status == 0);
  CHECK(place.read("mine") == place.read("s"));
  // A full disk leaves what was there.
  CHECK(test::shell(place,
                    "ulimit -f 8; gammascope measure " + sums +
                        " --at 8 --alignment position,horizon --quiet --state s")
            .status != 0);
  CHECK(place.read("mine") == place.read("s"));
  CHECK_FALSE(std::filesystem::exists(place / "s.tmp"));
}

TEST_CASE("windows from every start need a largest length that no part decides") {
  const test::Workplace place;
  place.write(
      "log.jsonl",
      "{\"prompt_id\":\"a\",\"student_logprobs\":[-1,-2,-1.5],\"teacher_logprobs\":[-1,-1,-2]}"
      "\n{\"prompt_id\":\"b\",\"student_logprobs\":[-1,-2.5],\"teacher_logprobs\":[-1,-1]}\n");
  const test::Said said =
      test::gammascope(place, "measure log.jsonl --at 2 --start all --state s --force");
  CHECK(said.status == 64);
  CHECK(contains(said.err, "--max-length"));
  CHECK(test::gammascope(
            place, "measure log.jsonl --at 2 --start all --max-length 8 --state s --quiet --force")
            .status == 0);
}

TEST_CASE("the folder of a merge repeats the merge") {
  const test::Workplace place;
  REQUIRE(test::gammascope(place, "measure " + sums + " --at 8 --quiet --state s").status == 0);
  REQUIRE(test::gammascope(place, "merge s --out first --quiet").status == 0);
  REQUIRE(test::gammascope(place, "run first/config.toml --out second --quiet").status == 0);
  CHECK(place.read("first/result.json") == place.read("second/result.json"));
}
