// SPDX-License-Identifier: MIT
// The verb prove as a user meets it; the statements themselves are tested in tests/proofs_check.
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;
using Json = nlohmann::json;

TEST_CASE("prove prints statement and domain and method and count and result") {
  const test::Workplace place;
  const test::Said said =
      test::gammascope(place, "prove --quick --only proposition_3_2,theorem_3_3_infinite");
  CHECK(said.status == 0);
  for (const char* part : {"holds proposition_3_2: exact over Q",
                           "grad J_seq = E[sum_t",
                           "domain: 2 states",
                           "certified interval",
                           "2 of 2 statements hold"})
    CHECK(said.out.find(part) != std::string::npos);
  CHECK(said.err.empty());
}

TEST_CASE("prove prints a counterexample in full and exits with status 1") {
  const test::Workplace place;
  const test::Said said =
      test::gammascope(place, "prove --quick --only proposition_3_2 --mutant 1");
  CHECK(said.status == 1);
  for (const char* part : {"FAILS proposition_3_2",
                           "altered on purpose: t' > t for t' >= t",
                           "state 0: student (",
                           "d/d logit(",
                           "log ",
                           "0 of 1 statements hold"})
    CHECK(said.out.find(part) != std::string::npos);
}

TEST_CASE("the json of prove is the same bytes on one thread and two") {
  const test::Workplace place;
  const std::string verb = "prove --quick --only on_policy_bound,token_bias --json --threads ";
  const test::Said one = test::gammascope(place, verb + "1"),
                   two = test::gammascope(place, verb + "2");
  CHECK(one.status == 0);
  CHECK(one.out == two.out);
  const Json json = Json::parse(one.out);
  CHECK(json.at("schema") == "gammascope.proofs/1");
  REQUIRE(json.at("statements").size() == 2);
  const Json& first = json.at("statements")[0];
  CHECK(first.at("name") == "on_policy_bound");
  CHECK(first.at("holds") == true);
  CHECK(first.at("counterexample").is_null());
  CHECK(first.at("checked").get<std::int64_t>() > 1000);
  CHECK_FALSE(json.at("statements")[1].at("notes").empty());
}

TEST_CASE("prove refuses statements and mutants that are not there") {
  const test::Workplace place;
  for (const char* args : {"--only nonsense",
                           "--mutant 1",
                           "--only proposition_3_2 --mutant 9",
                           "--only proposition_3_2 --mutant x",
                           "--threads -1"}) {
    CAPTURE(args);
    const test::Said said = test::gammascope(place, std::string("prove --quick ") + args);
    CHECK(said.status == 64);
    CHECK(said.err.find("gammascope: ") == 0);
  }
  const test::Said list = test::gammascope(place, "prove --list");
  CHECK(list.status == 0);
  CHECK(list.out.find("gradient_variance (theory-2 6a)") != std::string::npos);
}
