// SPDX-License-Identifier: MIT
// The verb exact as a user meets it: every reference number out of result.json, words, refusals.
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"
#include "tests/support/reference.hpp"

using namespace gammascope;
using Json = nlohmann::json;

namespace {

using Key = std::tuple<std::string, std::string, double, std::int64_t>;  // -1: absent

struct Cells {
  std::map<Key, Json> cells;

  explicit Cells(const Json& result) {
    for (const Json& c : result.at("cells")) {
      const Key key{c.at("quantity"),
                    c.at("alignment"),
                    c.at("gamma").is_null() ? -1.0 : c.at("gamma").get<double>(),
                    c.at("n").is_null() ? -1 : c.at("n").get<std::int64_t>()};
      REQUIRE(cells.emplace(key, c).second);
      CHECK(c.at("lower").is_null());
      CHECK(c.at("upper").is_null());
    }
  }
  [[nodiscard]] double value(const std::string& quantity,
                             const std::string& alignment,
                             double gamma,
                             std::int64_t n) const {
    const auto it = cells.find({quantity, alignment, gamma, n});
    if (it == cells.end()) return std::nan("");
    CHECK(it->second.at("status") == "exact");
    return it->second.at("value").get<double>();
  }
};

bool close(double value, const Json& expected) {
  const double truth = test::decimal(expected);
  return truth == 0 ? std::abs(value) <= 1e-15 : std::abs(value - truth) <= 1e-11 * std::abs(truth);
}

Cells exact(const test::Workplace& place, const std::string& args) {
  const test::Said said = test::gammascope(place, "exact " + args + " --json");
  CAPTURE(said.err);
  REQUIRE(said.status == 0);
  return Cells(Json::parse(said.out));
}

/// The words of a text, however its lines are broken.
std::string words_of(const std::string& text) {
  std::istringstream in(text);
  std::string words, word;
  while (in >> word) words += (words.empty() ? "" : " ") + word;
  return words;
}

}  // namespace

TEST_CASE("exact prints every number of the reference processes to eleven digits") {
  const Json file = test::reference("markov.json");
  const test::Workplace place;
  int compared = 0, wrong = 0;
  const auto check = [&](double value, const Json& expected) {
    ++compared;
    wrong += close(value, expected) ? 0 : 1;
  };
  for (const Json& c : file.at("cases")) {
    CAPTURE(c.at("name"));
    place.write("process.json", c.at("process").dump());
    const Cells cells = exact(place,
                              "process.json --gamma 0,0.25,0.5,0.9,0.99,0.999,1 --alignment "
                              "position,horizon,window,infinite --at all --max-length " +
                                  c.at("max_length").dump());
    for (const char* quantity : {"noise_variance", "drift_variance", "max_log_ratio"})
      check(cells.value(quantity, "position", -1, -1),
            c.at(quantity == std::string("max_log_ratio") ? quantity
                                                          : std::string(quantity) + "_max"));
    check(cells.value("sigma2", "position", -1, -1), c.at("sigma2_max_over_t"));
    for (std::size_t t = 0; t < c.at("alive").size(); ++t)
      check(cells.value("alive", "position", -1, static_cast<std::int64_t>(t)), c.at("alive")[t]);
    for (const Json& r : c.at("results")) {
      const double gamma = test::decimal(r.at("gamma"));
      const auto rows = [&](const char* key, const char* alignment, const char* n) {
        if (!r.contains(key)) return;
        for (const Json& row : r.at(key))
          for (const char* quantity : {"mean", "variance"})
            check(cells.value(quantity, alignment, gamma, row.at(n).get<std::int64_t>()),
                  row.at(quantity));
      };
      rows("by_position", "position", "t");
      rows("window_at_0", "window", "window");
      rows("by_horizon_stopped", "horizon", "horizon");
      if (r.contains("by_horizon_stopped"))
        for (const Json& row : r.at("by_horizon_stopped"))
          check(cells.value("probability", "horizon", -1, row.at("horizon").get<std::int64_t>()),
                row.at("probability"));
      if (r.contains("infinite_at_0"))
        for (const char* quantity : {"mean", "variance"})
          check(cells.value(quantity, "infinite", gamma, -1), r.at("infinite_at_0").at(quantity));
    }
  }
  CHECK(wrong == 0);
  CHECK(compared == 10484);
}

TEST_CASE("exact says what is infinite and what is not there") {
  const test::Workplace place;
  place.write("p.json",
              R"({"states": 2, "actions": 2, "end_state": 1, "initial": [1, 0],
    "student": [["1/2", "1/2"], null], "teacher": [[1, 0], null], "next": [[0, 1], null],
    "max_length": 8})");
  const test::Said said = test::gammascope(
      place, "exact p.json --json --gamma 0.5 --alignment window,horizon,position --at 2,9");
  CHECK(said.status == 0);
  const Cells cells(Json::parse(said.out));
  const Json& infinite = cells.cells.at({"variance", "window", 0.5, 2});
  CHECK(infinite.at("value").is_null());
  CHECK(infinite.at("status") == "exact");
  CHECK(infinite.at("reason").get<std::string>().find("infinite: ") == 0);
  for (const char* alignment : {"window", "horizon", "position"}) {
    const Json& absent = cells.cells.at({"variance", alignment, 0.5, 9});
    CHECK(absent.at("status") == "not_available");
    CHECK(absent.at("value").is_null());
    CHECK_FALSE(absent.at("reason").is_null());
  }
  CHECK(words_of(test::gammascope(place, "exact p.json").out).find("variance infinite") !=
        std::string::npos);
}

TEST_CASE("exact takes its length from the option then the file then the default") {
  const test::Workplace place;
  const auto length = [&](const std::string& args) {
    const test::Said said = test::gammascope(place, "exact --gamma 1 " + args + " --json");
    REQUIRE(said.status == 0);
    return Json::parse(said.out).at("settings").at("max-length").get<int>();
  };
  place.write("p.json",
              R"({"states": 1, "actions": 1, "initial": [1], "student": [[1]], "teacher": [[1]],
    "next": [[0]], "max_length": 33})");
  CHECK(length("p.json") == 33);
  CHECK(length("p.json --max-length 7") == 7);
  CHECK(length("--family frozen") == 256);
  CHECK(length("--family frozen --at 1000") == 1000);
  CHECK(length("--family frozen --at 1000 --alignment position") == 1001);
}

TEST_CASE("exact splits by prompt where prompts differ and notes what no teacher has") {
  const test::Workplace place;
  const Cells cells =
      exact(place, "--family clustered --gamma 0.9 --alignment window,infinite --at 64");
  for (const std::int64_t n : {std::int64_t{64}, std::int64_t{-1}}) {
    const std::string alignment = n > 0 ? "window" : "infinite";
    CHECK(cells.value("between_prompts", alignment, 0.9, n) +
              cells.value("within_prompts", alignment, 0.9, n) ==
          Approx(cells.value("variance", alignment, 0.9, n)).epsilon(1e-12));
  }
  const test::Said frozen = test::gammascope(place, "exact --family frozen");
  CHECK(frozen.status == 0);
  CHECK(words_of(frozen.out).find("no teacher has these log-ratios") != std::string::npos);
  const test::Said ergodic = test::gammascope(place, "exact --family ergodic");
  CHECK(words_of(ergodic.out).find("no teacher has these log-ratios") == std::string::npos);
}

TEST_CASE("exact refuses what it cannot read by name") {
  const test::Workplace place;
  place.write("bad.json", R"({"states": 1})");
  const auto refused = [&](const std::string& args, int status, const std::string& words) {
    const test::Said said = test::gammascope(place, "exact " + args);
    CAPTURE(args, said.err);
    CHECK(said.status == status);
    CHECK(said.err.find(words) != std::string::npos);
    CHECK(said.out.empty());
  };
  refused("", 64, "which process?");
  refused("bad.json --family frozen", 64, "not both");
  refused("bad.json --param p=1", 64, "--param");
  refused("bad.json", 65, "bad.json: actions: this field is missing");
  refused("gone.json", 66, "gone.json");
  refused("--family frozen --param sigma=-1", 64, "parameter sigma of frozen");
  refused("--family frozen --gamma 2", 64, "--gamma");
  refused("--family frozen --at 0", 64, "--at");
  refused("--family frozen --start 3", 64, "--start");
  refused("--family frozen --max-length 0", 64, "--max-length");
}

TEST_CASE("a run of exact is repeated from its folder") {
  const test::Workplace place;
  const test::Said said = test::shell(
      place,
      "gammascope exact --family clustered --param kinds=2 --gamma 0.9 --at 8,16 --start all --out "
      "first --quiet && gammascope run first/config.toml --json again.json --quiet && cmp "
      "first/result.json again.json");
  CAPTURE(said.out, said.err);
  CHECK(said.status == 0);
}
