// SPDX-License-Identifier: MIT
// One log, one answer: whatever the threads, the order of the rows, and the files they lie in.
#include <algorithm>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;

namespace {

const std::string measure =
    "gammascope measure LOGS --alignment position,horizon,window,infinite --at log --gamma "
    "0,0.9,0.99,1 --quiet --json";

std::string with(std::string line, const std::string& logs, const std::string& more = "") {
  return line.replace(line.find("LOGS"), 4, logs) + " " + more;
}

/// All but the names of the files, which differ.
std::string without_files(const std::string& json) {
  auto result = nlohmann::ordered_json::parse(json);
  result.at("source").erase("files");
  return result.dump();
}

}  // namespace

TEST_CASE("one and two and eight threads give the same bytes") {
  const test::Workplace place;
  for (const std::string start : {"--start 0", "--start all"}) {
    const test::Said one =
        test::shell(place, with(measure, "examples/data/sums.jsonl.zst", start + " --threads 1"));
    REQUIRE(one.status == 0);
    CHECK(test::shell(place, with(measure, "examples/data/sums.jsonl.zst", start + " --threads 2"))
              .out == one.out);
    CHECK(test::shell(place, with(measure, "examples/data/sums.jsonl.zst", start + " --threads 8"))
              .out == one.out);
  }
}

TEST_CASE("a log that is split into three files and shuffled gives every verb the same numbers") {
  const test::Workplace place;
  REQUIRE(test::shell(place,
                      "gammascope simulate --family heavy_tailed --prompts 40 --max-length 64 "
                      "--seed 7 -o drawn.jsonl --quiet; zstd -dcq examples/data/sums.jsonl.zst "
                      ">real.jsonl")
              .status == 0);
  for (const std::string log : {"real", "drawn"}) {
    CAPTURE(log);
    REQUIRE(test::shell(place,
                        "rm -f part.*; head -n 1 " + log + ".jsonl >head; tail -n +2 " + log +
                            ".jsonl >rows; shuf --random-source=rows rows >mixed; split -n l/3 "
                            "mixed part.; for p in aa ab ac; do cat head part.$p >$p.jsonl; done; "
                            "gzip -f ab.jsonl")
                .status == 0);
    // The first look and check print sums over all tokens: identities, lag scan, inputs of bounds.
    for (const std::string& line :
         {measure,
          std::string("gammascope LOGS --quiet --json"),
          std::string("gammascope check LOGS --quiet --json"),
          std::string("gammascope check LOGS --bound kl,on_policy,drift --max-loss 50 --max-delta "
                      "20 --noise-variance 9 --drift-variance 9 --alignment position,window "
                      "--quiet --json")}) {
      CAPTURE(line);
      const test::Said whole = test::shell(place, with(line, log + ".jsonl"));
      const test::Said parts = test::shell(place, with(line, "ac.jsonl aa.jsonl ab.jsonl.gz"));
      REQUIRE(whole.status < 3);
      CHECK(parts.status == whole.status);
      CHECK(without_files(parts.out) == without_files(whole.out));
    }
  }
}

TEST_CASE("more cells than one reading holds are measured in several with the same numbers") {
  const test::Workplace place;
  // 256 positions x 5 gammas = 1280 cells.
  const std::string all =
      "gammascope measure examples/data/sums.jsonl.zst --alignment position --gamma "
      "0,0.5,0.9,0.99,1 --quiet --json ";
  const test::Said curve = test::shell(place, all + "--at all");
  REQUIRE(curve.status == 0);
  const auto cells = nlohmann::json::parse(curve.out).at("cells");
  CHECK(cells.size() == 5 * 1280);
  const test::Said few = test::shell(place, all + "--at 0,7,200");
  const auto some = nlohmann::json::parse(few.out).at("cells");
  CHECK(some.size() == 5 * 15);
  for (const auto& cell : some) CHECK(std::find(cells.begin(), cells.end(), cell) != cells.end());
  const test::Said refused =
      test::shell(place,
                  "gammascope measure examples/data/sums.jsonl.zst --alignment "
                  "position,horizon,window --at all --gamma $(seq -s, 0 0.01 0.99)");
  CHECK(refused.status == 64);
  CHECK(refused.err.find("76800 cells") != std::string::npos);
}

TEST_CASE("run repeats a run from its folder byte for byte") {
  const test::Workplace place;
  REQUIRE(test::shell(place,
                      "gammascope measure examples/data/sums.jsonl.zst --gamma 0.9,1 --at 4,16 "
                      "--clock count --sample 50% --out first --quiet")
              .status == 0);
  REQUIRE(test::shell(place, "gammascope run first/config.toml --out second --quiet").status == 0);
  CHECK(place.read("first/result.json") == place.read("second/result.json"));
  CHECK(place.read("first/config.toml") == place.read("second/config.toml"));
}
