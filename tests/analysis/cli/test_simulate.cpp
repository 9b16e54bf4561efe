// SPDX-License-Identifier: MIT
// The verb simulate as a user meets it, and the whole way round: what is measured on a simulated
// log is what exact says.
#include <cmath>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;
using Json = nlohmann::json;

TEST_CASE("the same seed writes the same bytes and another seed others") {
  const test::Workplace place;
  const std::string what = "simulate --family clustered --prompts 8 --samples 2 --quiet ";
  REQUIRE(test::gammascope(place, what + "-o a.jsonl").status == 0);
  REQUIRE(test::gammascope(place, what + "-o b.jsonl").status == 0);
  REQUIRE(test::gammascope(place, what + "--seed 2 -o c.jsonl").status == 0);
  CHECK(place.read("a.jsonl") == place.read("b.jsonl"));
  CHECK(place.read("a.jsonl") != place.read("c.jsonl"));
  CHECK(test::gammascope(place, what + "-o -").out == place.read("a.jsonl"));
}

TEST_CASE("more prompts or samples only add rollouts") {
  const test::Workplace place;
  const std::string what = "simulate --family ragged --quiet --max-length 32 ";
  REQUIRE(test::gammascope(place, what + "--prompts 3 --samples 2 -o a.jsonl").status == 0);
  REQUIRE(test::gammascope(place, what + "--prompts 5 --samples 3 -o b.jsonl").status == 0);
  const std::string large = place.read("b.jsonl");
  std::string small = place.read("a.jsonl");
  small.erase(0, small.find('\n') + 1);  // the header
  while (!small.empty()) {
    const std::string line = small.substr(0, small.find('\n') + 1);
    CHECK(large.find(line) != std::string::npos);
    small.erase(0, line.size());
  }
}

TEST_CASE("a simulated log says what it is and how many there are") {
  const test::Workplace place;
  const test::Said said = test::gammascope(place,
                                           "simulate --family ragged --prompts 20 --samples 3 "
                                           "--max-length 50 -o log.jsonl --json r.json");
  REQUIRE(said.status == 0);
  const std::string log = place.read("log.jsonl");
  const Json header = Json::parse(log.substr(0, log.find('\n'))).at("header");
  CHECK(header.at("max_response") == 50);
  CHECK(header.at("vocab_size") == 4);
  CHECK(header.at("eos_ids") == Json::array({2, 3}));
  CHECK(header.at("dtype") == "float32");
  CHECK(header.at("task").get<std::string>().find("family ragged stop=0.01") != std::string::npos);
  std::int64_t rows = 0, tokens = 0, cut = 0;
  for (std::size_t at = log.find('\n') + 1; at < log.size(); at = log.find('\n', at) + 1) {
    const Json row = Json::parse(log.substr(at, log.find('\n', at) - at));
    ++rows;
    tokens += static_cast<std::int64_t>(row.at("student_logprobs").size());
    cut += row.at("finish_reason") == "length" ? 1 : 0;
    for (const char* column :
         {"teacher_logprobs", "rollout_logprobs", "token_ids", "entropy", "prefix_kl"})
      CHECK(row.at(column).size() == row.at("student_logprobs").size());
  }
  const Json source = Json::parse(place.read("r.json")).at("source");
  CHECK(rows == 60);
  CHECK(source.at("rollouts") == rows);
  CHECK(source.at("prompts") == 20);
  CHECK(source.at("tokens") == tokens);
  CHECK(source.at("truncated") == cut);
  CHECK(said.out == "wrote 60 rollouts of 20 prompts, " + std::to_string(tokens) + " tokens, " +
                        std::to_string(cut) + " cut at 50: log.jsonl\n");
}

// 95 % limits of 15 cells of one fixed log. By the calibration each misses with probability about
// 5 %; more than 5 misses of 15 have probability below 1e-4 were the cells independent, and the
// seed is fixed.
TEST_CASE("what is measured on a simulated log is what exact says") {
  const test::Workplace place;
  const std::string what =
      "--family ragged --param stop=.05,student=.5,teacher=.3 --max-length 64 ";
  const std::string cells = "--gamma 0,0.9,1 --alignment window,position,horizon --at 1,8 --json ";
  REQUIRE(test::gammascope(place,
                           "simulate " + what + "--prompts 600 --samples 4 --seed 5 -o log --quiet")
              .status == 0);
  const test::Said exact = test::gammascope(place, "exact " + what + cells);
  const test::Said measured = test::gammascope(place, "measure log " + cells);
  CAPTURE(measured.err);
  REQUIRE(exact.status == 0);
  REQUIRE(measured.status == 0);
  const Json truth = Json::parse(exact.out).at("cells");
  const Json found = Json::parse(measured.out).at("cells");
  int compared = 0, inside = 0;
  for (const Json& t : truth) {
    if (t.at("quantity") != "variance" && t.at("quantity") != "mean") continue;
    for (const Json& m : found) {
      bool same = true;
      for (const char* key : {"quantity", "alignment", "gamma", "n"})
        same = same && m.at(key) == t.at(key);
      if (!same || m.at("lower").is_null()) continue;
      ++compared;
      const double value = t.at("value").get<double>();
      inside +=
          m.at("lower").get<double>() <= value && value <= m.at("upper").get<double>() ? 1 : 0;
      CHECK(m.at("value").get<double>() == Approx(value).epsilon(0.25));
    }
  }
  CHECK(compared >= 30);
  CHECK(inside >= compared - compared / 6);
}

TEST_CASE("a token that the teacher never emits is drawn only when told how") {
  const test::Workplace place;
  place.write("p.json",
              R"({"states": 2, "actions": 3, "end_state": 1, "initial": [1, 0],
    "student": [["1/2", "1/4", "1/4"], null], "teacher": [["3/4", "1/4", 0], null],
    "next": [[0, 1, 0], null], "max_length": 8})");
  const test::Said no = test::gammascope(place, "simulate p.json -o log.jsonl");
  CHECK(no.status == 65);
  CHECK(no.err.find("--nonfinite") != std::string::npos);
  CHECK(test::shell(place, "test -e log.jsonl").status != 0);
  const test::Said masked =
      test::gammascope(place, "simulate p.json -o m.jsonl --nonfinite mask-token");
  CHECK(masked.status == 0);
  CHECK(masked.out.find("tokens_masked") != std::string::npos);
  CHECK(place.read("m.jsonl").find("\"mask\"") != std::string::npos);
  CHECK(test::gammascope(place, "simulate p.json -o c.jsonl --nonfinite clip 5").status == 0);
  const test::Said dropped =
      test::gammascope(place, "simulate p.json -o d.jsonl --nonfinite drop-rollout");
  CHECK(dropped.status == 0);
  CHECK(dropped.out.find("rollouts_dropped") != std::string::npos);
  for (const char* log : {"m.jsonl", "c.jsonl", "d.jsonl"})
    CHECK(test::gammascope(place, std::string("measure --json ") + log).status == 0);
}

TEST_CASE("simulate refuses what it cannot do by name") {
  const test::Workplace place;
  place.write("there.jsonl", "precious\n");
  const auto refused = [&](const std::string& args, int status, const std::string& words) {
    const test::Said said = test::gammascope(place, "simulate " + args);
    CAPTURE(args, said.err);
    CHECK(said.status == status);
    CHECK(said.err.find(words) != std::string::npos);
  };
  refused("--family ergodic", 64, "--output");
  refused("-o x.jsonl", 64, "which process?");
  refused("--family ergodic --prompts 0 -o x.jsonl", 64, "--prompts");
  refused("--family ergodic --seed -1 -o x.jsonl", 64, "--seed");
  refused("--family ergodic --samples 3000000000 -o x.jsonl", 64, "--samples");
  refused("--family ergodic --max-length 3000000000 -o x.jsonl", 64, "length");
  refused("--family ergodic -o there.jsonl", 64, "there.jsonl");
  refused("--family ergodic -o - --json", 64, "--json");
  // -100 is what some engines write for "no value"; every reader would stop there.
  refused("--family near_attaining --param c=100,p=.5 -o x.jsonl", 65, "-100");
  CHECK(place.read("there.jsonl") == "precious\n");
}

TEST_CASE("what no reader could use is refused or said when it is simulated") {
  const test::Workplace place;
  for (const std::string how : {"", " --nonfinite \"clip 5\"", " --nonfinite mask-token"}) {
    const test::Said said = test::gammascope(place, "simulate --family frozen -o f.jsonl" + how);
    CAPTURE(how, said.err);
    CHECK(said.status == 64);
    CHECK(said.err.find("no teacher has these log-ratios") != std::string::npos);
    CHECK(said.err.find("gammascope exact") != std::string::npos);
  }
  const std::string rest = " --prompts 2 --samples 2 --max-length 8 --force -o n.jsonl";
  CHECK(test::gammascope(place, "simulate --family near_attaining" + rest)
            .out.find("the same at every token: student_logprobs") != std::string::npos);
  CHECK(test::gammascope(place, "simulate --family ergodic" + rest).out.find("the same at") ==
        std::string::npos);
}
