// SPDX-License-Identifier: MIT
// `credit` through the program against tests/data/reference/credit.json, made in 60-digit
// arithmetic by a program that shares nothing with this one.
#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/command.hpp"
#include "tests/support/reference.hpp"

using namespace gammascope;
using nlohmann::json;

namespace {

std::vector<json> lines(const std::string& text) {
  std::vector<json> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(json::parse(line));
  return all;
}

/// Rows for the cases of one gamma: each case with reward -1, then with +1.
std::string log_of(const std::vector<json>& cases) {
  std::string text;
  for (const json& c : cases)
    for (const int reward : {-1, 1}) {
      json row{{"v", 1},
               {"prompt_id", 1},
               {"reward", reward},
               {"mask", c.at("mask")},
               {"student_logprobs", c.at("student_logprobs")},
               {"teacher_logprobs", c.at("teacher_logprobs")}};
      text += row.dump() + "\n";
    }
  return text;
}

/// Largest |got - expected| / max(1, largest |expected|); infinite if nulls disagree.
double distance(const json& got, const json& expected) {
  if (got.size() != expected.size()) return HUGE_VAL;
  double worst = 0, scale = 1;
  for (std::size_t t = 0; t < got.size(); ++t) {
    if (got[t].is_null() != expected[t].is_null()) return HUGE_VAL;
    if (got[t].is_null()) continue;
    worst = std::max(worst, std::abs(got[t].get<double>() - test::decimal(expected[t])));
    scale = std::max(scale, std::abs(test::decimal(expected[t])));
  }
  return worst / scale;
}

}  // namespace

TEST_CASE("credit equals every number of the reference through the command line") {
  const test::Workplace place;
  const json cases = test::reference("credit.json").at("cases");
  std::set<std::string> gammas;
  for (const json& c : cases) gammas.insert(c.at("gamma").get<std::string>());
  std::size_t compared = 0;
  for (const std::string& gamma : gammas) {
    std::vector<json> some;
    for (const json& c : cases)
      if (c.at("gamma") == gamma) some.push_back(c);
    place.write("in.jsonl", log_of(some));
    for (const std::string clock : {"count", "skip", "reset"})
      for (const bool rbm : {false, true}) {
        CAPTURE(gamma, clock, rbm);
        const test::Said said = test::gammascope(place,
                                                 "credit in.jsonl --gamma " + gamma + " --clock " +
                                                     clock + (rbm ? " --rbm" : "") + " -o -");
        CAPTURE(said.err);
        REQUIRE(said.status == 0);
        const std::vector<json> got = lines(said.out);
        REQUIRE(got.size() == 1 + 2 * some.size());
        CHECK(got[0].at("header").at("credit").at("clock") == clock);
        for (std::size_t i = 0; i < some.size(); ++i)
          for (const int sign : {0, 1}) {
            const std::string key = rbm ? "rbm_" + clock + (sign == 0 ? "_minus" : "_plus") : clock;
            const json& row = got[1 + 2 * i + std::size_t(sign)];
            CHECK(distance(row.at("advantages"), some[i].at(key)) < 1e-13);
            compared += some[i].at(key).size();
            // The gate does go red: the same numbers of another clock or reward do not pass, unless
            // they are equal in truth.
            const std::string other = rbm ? "rbm_" + clock + (sign == 0 ? "_plus" : "_minus")
                                          : (clock == "skip" ? "reset" : "skip");
            if (some[i].at(other) != some[i].at(key))
              CHECK(distance(row.at("advantages"), some[i].at(other)) > 1e-13);
          }
      }
  }
  CHECK(compared > 1000);
}

TEST_CASE("credit keeps every other field and replaces advantages that were there") {
  const test::Workplace place;
  place.write("in.jsonl",
              R"({"v":1,"header":{"model":"m"}})"
              "\n"
              R"({"v":1,"prompt_id":"a","token_ids":[5,6],"student_logprobs":[-1,-2],)"
              R"("teacher_logprobs":[-1.5,-2.25],"advantages":[7,8],"text":"x"})"
              "\n");
  const test::Said said = test::gammascope(place, "credit in.jsonl --gamma 0.5 -o -");
  // Delta 0.5 and 0.25: A = -0.625 and -0.25.
  CHECK(said.out ==
        R"({"v":1,"header":{"model":"m","credit":{"gamma":0.5,"clock":"skip","rbm":false}}})"
        "\n"
        R"({"v":1,"prompt_id":"a","token_ids":[5,6],"student_logprobs":[-1,-2],)"
        R"("teacher_logprobs":[-1.5,-2.25],"advantages":[-0.625,-0.25],"text":"x"})"
        "\n");
}

TEST_CASE("credit with the clock of turns spends gamma at a border only") {
  const test::Workplace place;
  place.write("in.jsonl",
              R"({"prompt_id":"a","turn":[0,0,1,1],"student_logprobs":[-1,-1,-1,-1],)"
              R"("teacher_logprobs":[-2,-2,-2,-2]})"
              "\n");
  const test::Said said = test::gammascope(place, "credit in.jsonl --gamma 0.5 --clock turn -o -");
  REQUIRE(said.status == 0);
  CHECK(lines(said.out)[1].at("advantages") == json({-3.0, -2.0, -2.0, -1.0}));
}

TEST_CASE("credit refuses what it cannot compute and leaves nothing behind") {
  const test::Workplace place;
  const auto said = [&](const std::string& row, const std::string& options) {
    place.write("in.jsonl", row + "\n");
    return test::gammascope(place, "credit in.jsonl -o out.jsonl " + options);
  };
  const std::string good = R"({"prompt_id":"a","student_logprobs":[-1],"teacher_logprobs":[-2]})";
  CHECK(said(good, "").status == 64);
  CHECK(said(good, "--gamma 1.5").status == 64);
  CHECK(said(good, "--gamma x").status == 64);
  CHECK(said(good, "--gamma 0.9 --clock hour").status == 64);
  const auto no_reward = said(good, "--gamma 0.9 --rbm");
  CHECK(no_reward.status == 65);
  CHECK(no_reward.err.find("in.jsonl: reward: response 1: --rbm needs -1 or +1, is not recorded") !=
        std::string::npos);
  CHECK(
      said(R"({"reward":0.5,"student_logprobs":[-1],"teacher_logprobs":[-2]})", "--gamma 0.9 --rbm")
          .status == 65);
  CHECK(said(good, "--gamma 0.9 --clock turn").status == 65);
  const auto no_teacher = said(R"({"student_logprobs":[-1]})", "--gamma 0.9");
  CHECK(no_teacher.status == 65);
  CHECK(no_teacher.err.find("teacher_logprobs: response 1: is not recorded") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(place / "out.jsonl"));
  CHECK_FALSE(std::filesystem::exists(place / "out.jsonl.tmp"));
  CHECK(said(good, "--gamma 0.9").status == 0);
}
