// SPDX-License-Identifier: MIT
// One log, one answer: whatever the threads, the order of the rows, and the files they lie in.
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;

namespace {

const std::string measure =
    "gammascope measure LOGS --alignment position,horizon,window,infinite --at log --gamma "
    "0,0.9,0.99,1 --quiet --json";

std::string with(const std::string& logs, const std::string& more = "") {
  std::string line = measure;
  return line.replace(line.find("LOGS"), 4, logs) + " " + more;
}

/// The cells alone: the names of the files differ.
std::string cells(const std::string& json) {
  return nlohmann::ordered_json::parse(json).at("cells").dump();
}

}  // namespace

TEST_CASE("one and two and eight threads give the same bytes") {
  const test::Workplace place;
  for (const std::string start : {"--start 0", "--start all"}) {
    const test::Said one =
        test::shell(place, with("examples/data/sums.jsonl.zst", start + " --threads 1"));
    REQUIRE(one.status == 0);
    CHECK(test::shell(place, with("examples/data/sums.jsonl.zst", start + " --threads 2")).out ==
          one.out);
    CHECK(test::shell(place, with("examples/data/sums.jsonl.zst", start + " --threads 8")).out ==
          one.out);
  }
}

TEST_CASE("a log that is split into three files and shuffled measures the same") {
  const test::Workplace place;
  REQUIRE(test::shell(place,
                      "zstd -dcq examples/data/sums.jsonl.zst >all.jsonl; head -n 1 all.jsonl "
                      ">head; tail -n +2 all.jsonl >rows;"
                      "shuf --random-source=rows rows >mixed; split -n l/3 mixed part.;"
                      "for p in aa ab ac; do cat head part.$p >$p.jsonl; done; cat ab.jsonl | gzip "
                      ">ab.jsonl.gz")
              .status == 0);
  const test::Said whole = test::shell(place, with("all.jsonl"));
  const test::Said parts = test::shell(place, with("ac.jsonl aa.jsonl ab.jsonl.gz"));
  REQUIRE(whole.status == 0);
  REQUIRE(parts.status == 0);
  CHECK(cells(whole.out) == cells(parts.out));
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
