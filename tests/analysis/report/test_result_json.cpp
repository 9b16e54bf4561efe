// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

#include <catch2/catch.hpp>

#include "analysis/core/errors.hpp"
#include "analysis/report/json.hpp"
#include "analysis/report/result_json.hpp"
#include "tests/analysis/report/fixture.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope;
using namespace gammascope::report;
using test::same_bits;

namespace {

/// A result whose cells carry `values`, four to a cell.
Result carrying(const std::vector<double>& values) {
  Result r;
  r.verb = "measure";
  for (std::size_t i = 0; i + 3 < values.size(); i += 4) {
    Cell c;
    c.value = values[i];
    c.lower = values[i + 1];
    c.upper = values[i + 2];
    c.blind_spot = values[i + 3];
    r.cells.push_back(c);
  }
  return r;
}

/// How many of the numbers differ in a bit.
std::size_t changed(const Result& before, const Result& after) {
  REQUIRE(before.cells.size() == after.cells.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < before.cells.size(); ++i) {
    const Cell &a = before.cells[i], &b = after.cells[i];
    for (const bool same : {same_bits(a.value, b.value),
                            same_bits(a.lower, b.lower),
                            same_bits(a.upper, b.upper),
                            same_bits(a.blind_spot, b.blind_spot)})
      if (!same) ++n;
  }
  return n;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  try {
    (void)from_json(text, "a.json");
  } catch (const BadData& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("every double reads back to the same bits") {
  std::vector<double> values{5e-324,
                             2.2250738585072011e-308,
                             2.2250738585072014e-308,
                             1.7e308,
                             1.7976931348623157e308,
                             0.1,
                             0.1 + 0.2,
                             1.0,
                             -0.0,
                             0.0,
                             9007199254740993.0,
                             1e22,
                             1e23,
                             -5e-324,
                             123456789012345678.0,
                             1.0 / 3};
  test::RandomResults random(7);
  for (int i = 0; i < 20000; ++i) values.push_back(random.any_double());
  const Result before = carrying(values);
  CHECK(changed(before, from_json(to_json(before), "-")) == 0);

  SECTION("and a writer of fifteen digits would be seen") {
    Result poor = before;
    for (Cell& c : poor.cells) {
      std::array<char, 40> buffer{};
      std::snprintf(buffer.data(), buffer.size(), "%.15g", *c.value);
      c.value = std::strtod(buffer.data(), nullptr);
    }
    CHECK(changed(before, from_json(to_json(poor), "-")) > 1000);
  }
}

TEST_CASE("random results survive writing and reading and writing again") {
  test::RandomResults random(2026);
  for (int i = 0; i < 300; ++i) {
    const Result before = random.result();
    const std::string text = to_json(before);
    const Result after = from_json(text, "-");
    REQUIRE(to_json(after) == text);
    REQUIRE(changed(before, after) == 0);
    REQUIRE(after.settings.size() == before.settings.size());
    for (std::size_t s = 0; s < before.settings.size(); ++s)
      REQUIRE(after.settings[s].second.index() == before.settings[s].second.index());
    REQUIRE(after.verdicts.size() == before.verdicts.size());
    for (std::size_t v = 0; v < before.verdicts.size(); ++v) {
      REQUIRE(after.verdicts[v].outcome == before.verdicts[v].outcome);
      REQUIRE(same_bits(after.verdicts[v].p_fail_adjusted, before.verdicts[v].p_fail_adjusted));
      REQUIRE(after.verdicts[v].inputs.size() == before.verdicts[v].inputs.size());
      REQUIRE(after.verdicts[v].prompts_needed == before.verdicts[v].prompts_needed);
    }
  }
}

TEST_CASE("the smallest result is written with its keys in a fixed order") {
  Result r;
  r.verb = "exact";
  r.version = "9.9.9";
  CHECK(to_json(r) == R"({
  "schema": "gammascope.result/1",
  "version": "9.9.9",
  "verb": "exact",
  "settings": {},
  "source": {
    "files": [],
    "dialect": "",
    "rollouts": 0,
    "prompts": 0,
    "tokens": 0,
    "truncated": 0,
    "hash": null,
    "dropped": {}
  },
  "cells": [],
  "verdicts": [],
  "findings": [],
  "summary": ""
}
)");
}

TEST_CASE("a cell and a verdict have the keys of the schema in its order") {
  Result r = fixture::small_result();
  const Json j = parse_json(to_json(r), "-");
  const Json schema =
      parse_json(test::slurp(std::string(GAMMASCOPE_SOURCE_DIR) + "/docs/result.schema.json"), "-");
  const auto keys = [](const Json& object) {
    std::vector<std::string> names;
    for (const auto& [key, value] : object.items()) names.push_back(key);
    return names;
  };
  CHECK(keys(j) == schema["required"].get<std::vector<std::string>>());
  CHECK(keys(j["cells"][0]) == schema["$defs"]["cell"]["required"].get<std::vector<std::string>>());
  CHECK(keys(j["verdicts"][0]) ==
        schema["$defs"]["verdict"]["required"].get<std::vector<std::string>>());
  CHECK(keys(j["findings"][0]) ==
        schema["$defs"]["finding"]["required"].get<std::vector<std::string>>());
  CHECK(keys(j["source"]) ==
        schema["properties"]["source"]["required"].get<std::vector<std::string>>());
}

TEST_CASE("the words of the schema are those of the program") {
  const Json schema =
      parse_json(test::slurp(std::string(GAMMASCOPE_SOURCE_DIR) + "/docs/result.schema.json"), "-");
  const auto words = [&](const Json& list, const auto& names) {
    return list.get<std::vector<std::string>>() ==
           std::vector<std::string>(names.begin(), names.end());
  };
  const Json& defs = schema["$defs"];
  CHECK(words(defs["cell"]["properties"]["quantity"]["enum"], EnumName<Quantity>::names));
  CHECK(words(defs["alignment"]["enum"], EnumName<Alignment>::names));
  CHECK(words(defs["status"]["enum"], EnumName<CellStatus>::names));
  CHECK(words(defs["verdict"]["properties"]["verdict"]["enum"], EnumName<Outcome>::names));
  CHECK(words(defs["verdict"]["properties"]["relation"]["enum"], EnumName<Relation>::names));
  CHECK(words(defs["verdict"]["properties"]["inputs"]["items"]["properties"]["origin"]["enum"],
              EnumName<Origin>::names));
  CHECK(words(defs["finding"]["properties"]["severity"]["enum"], EnumName<Severity>::names));
}

TEST_CASE("absent and infinite numbers are null and NaN never comes out") {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  Result r;
  r.verb = "check";
  Cell c;
  c.value = nan;
  c.upper = inf;
  r.cells.push_back(c);
  Verdict v;
  v.claim = "on_policy";
  v.bound = inf;
  r.verdicts.push_back(v);
  Finding f;
  f.rule = "shift";
  f.evidence = {{"lag", -inf}};
  r.findings.push_back(f);
  const Json j = parse_json(to_json(r), "-");
  CHECK(j["cells"][0]["value"].is_null());
  CHECK(j["cells"][0]["lower"].is_null());
  CHECK(j["cells"][0]["upper"].is_null());
  CHECK(j["verdicts"][0]["bound"].is_null());
  CHECK(j["findings"][0]["evidence"]["lag"].is_null());
  CHECK(std::isnan(from_json(to_json(r), "-").findings[0].evidence[0].second));

  SECTION("a number that must be there is refused by name") {
    r.verdicts[0].p_pass = nan;
    CHECK_THROWS_WITH(to_json(r), Catch::Contains("verdicts[0].p_pass"));
    r.verdicts[0].p_pass = 1.5;
    CHECK_THROWS_WITH(to_json(r), Catch::Contains("verdicts[0].p_pass"));
    r.verdicts[0].p_pass = 1;
    r.settings = {{"max-loss", inf}};
    CHECK_THROWS_WITH(to_json(r), Catch::Contains("settings.max-loss"));
    r.settings = {{"seed", std::int64_t{1}}, {"seed", std::int64_t{2}}};
    CHECK_THROWS_WITH(to_json(r), Catch::Contains("settings.seed twice"));
  }
}

TEST_CASE("a broken file is refused with its name and the path in it") {
  Result r = fixture::small_result();
  const std::string good = to_json(r);
  REQUIRE(error_of(good) == "no error");
  CHECK_THAT(error_of(""), Catch::StartsWith("a.json: not JSON"));
  CHECK_THAT(error_of(good.substr(0, good.size() / 2)), Catch::Contains("line"));
  CHECK_THAT(error_of("[]"), Catch::Contains("must be an object"));
  CHECK_THAT(error_of(replaced(good, "result/1", "result/2")),
             Catch::Contains("schema: must be \"gammascope.result/1\""));
  CHECK_THAT(error_of("{}"), Catch::Contains("schema"));
  CHECK_THAT(error_of(replaced(good, "\"gamma\": 0.0", "\"gamma\": 1.5")),
             Catch::Contains("cells[0].gamma: must lie in [0, 1]"));
  CHECK_THAT(error_of(replaced(good, "\"quantity\": \"variance\"", "\"quantity\": \"varianse\"")),
             Catch::Contains("cells[0].quantity: \"varianse\" is none of mean | variance"));
  CHECK_THAT(error_of(replaced(good, "\"n\": 256", "\"n\": 2.5")),
             Catch::Contains("cells[0].n: must be an integer"));
  CHECK_THAT(error_of(replaced(good, "\"n\": 256", "\"n\": -1")),
             Catch::Contains("cells[0].n: must not be negative"));
  CHECK_THAT(error_of(replaced(good, "\"n\": 256", "\"n\": 1e400")), Catch::Contains("not JSON"));
  CHECK_THAT(error_of(replaced(good, "\"n\": 256", "\"n\": NaN")), Catch::Contains("not JSON"));
  CHECK_THAT(error_of(replaced(good, "\"n\": 256", "\"n\": 18446744073709551615")),
             Catch::Contains("cells[0].n: too large"));
  CHECK_THAT(error_of(replaced(good, "\"rule\"", "\"rulle\"")),
             Catch::Contains("findings[0].rulle: no such field"));
  CHECK_THAT(error_of(replaced(good, "\"n\": 256,", "")), Catch::Contains("cells[0].n: missing"));
  CHECK_THAT(error_of(replaced(good, "\"n\": 256,", "\"n\": 256, \"n\": 256,")),
             Catch::Contains("n: the same key twice"));
  CHECK_THAT(error_of(replaced(good, "\"claimed\"", "7")),
             Catch::Contains("inputs[0].origin: must be a text"));
  CHECK_THAT(error_of(replaced(good, "\"clock\": \"skip\"", "\"clock\": {}")),
             Catch::Contains("settings.clock: a setting is"));
  CHECK_THAT(error_of(replaced(good, "\"clock\": \"skip\"", "\"clock\": [1, \"a\"]")),
             Catch::Contains("settings.clock: a list"));
  CHECK_THAT(error_of(std::string(100000, '[')), Catch::Contains("not JSON"));
}

TEST_CASE("any beginning of a result is refused and none is read as a smaller one") {
  const std::string good = to_json(fixture::small_result());
  for (std::size_t n = 0; n + 1 < good.size(); n += 61)
    REQUIRE_THROWS_AS(from_json(good.substr(0, n), "-"), BadData);
}
