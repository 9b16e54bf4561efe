// SPDX-License-Identifier: MIT
// `convert` as a user meets it: nothing lost, nothing half-written, every refusal with its status.
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;

namespace {

const std::string row =
    R"({"prompt_id":"a","student_logprobs":[-1,-2],"teacher_logprobs":[-1.5,-2.5],"mine":1})"
    "\n";

}  // namespace

TEST_CASE("convert goes through every form and comes back with the same bytes") {
  const test::Workplace place;
  const test::Said said = test::shell(place,
                                      "set -e\n"
                                      "gammascope convert examples/data/sums.jsonl.zst -o a.jsonl\n"
                                      "gammascope convert a.jsonl -o store\n"
                                      "gammascope convert store -o b.jsonl.gz\n"
                                      "gammascope convert b.jsonl.gz -o c.jsonl.zst\n"
                                      "gammascope convert c.jsonl.zst -o - > d.jsonl\n"
                                      "gammascope convert - -o - < d.jsonl > e.jsonl\n"
                                      "cmp a.jsonl d.jsonl && cmp a.jsonl e.jsonl\n"
                                      "gzip -dc b.jsonl.gz | cmp - a.jsonl\n");
  CAPTURE(said.out, said.err);
  CHECK(said.status == 0);
  CHECK(said.out.find("wrote 512 rollouts of 128 prompts, 38513 tokens: store") !=
        std::string::npos);
  // The file says as much before as after.
  CHECK(test::gammascope(place, "store").out == [&] {
    std::string text = test::gammascope(place, "a.jsonl").out;
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"canonical v1", "store v1"}, {"a.jsonl", "store"}})
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
        text.replace(at, from.size(), to);
    return text;
  }());
}

TEST_CASE("convert joins logs and names what it left out") {
  const test::Workplace place;
  place.write("a.jsonl", row + row);
  place.write("b.jsonl", row);
  const test::Said said = test::gammascope(place, "convert a.jsonl b.jsonl -o c.jsonl");
  CHECK(said.status == 0);
  CHECK(said.out ==
        "wrote 3 rollouts of 1 prompts, 6 tokens: c.jsonl\nleft out, as no field of the format: "
        "mine (3)\n");
  CHECK(place.read("c.jsonl").find("mine") == std::string::npos);
}

TEST_CASE("convert that fails leaves nothing behind and overwrites only by force") {
  const test::Workplace place;
  place.write("bad.jsonl", row + "{\"student_logprobs\":[\n" + row);
  place.write("good.jsonl", row);
  const std::string to = GENERATE(as<std::string>(), "out.jsonl", "out.jsonl.zst", "out");
  test::Said said = test::gammascope(place, "convert bad.jsonl -o " + to);
  CHECK(said.status == 65);
  CHECK(said.err.find("bad.jsonl:2: ") != std::string::npos);
  for (const auto& entry : std::filesystem::directory_iterator(place.path()))
    CHECK_FALSE(entry.path().filename().string().starts_with("out"));
  CHECK(test::gammascope(place, "convert good.jsonl -o " + to).status == 0);
  said = test::gammascope(place, "convert good.jsonl -o " + to);
  CHECK(said.status == 64);
  CHECK(said.err.find("--force") != std::string::npos);
  CHECK(test::gammascope(place, "convert good.jsonl good.jsonl -o " + to + " --force").status == 0);
  CHECK(test::gammascope(place, "convert bad.jsonl -o " + to + " --force").status == 65);
  CHECK(test::gammascope(place, "convert " + to + " -o -").out.size() > row.size());
  // An output is never an input, --force or not.
  CHECK(test::gammascope(place, "convert " + to + " -o " + to + " --force").status == 64);
  CHECK(test::gammascope(place, "convert " + to + " -o -").out.size() > row.size());
}

TEST_CASE("convert to a full disk or a closed pipe is an error with a status") {
  const test::Workplace place;
  if (std::filesystem::exists("/dev/full")) {
    const test::Said full =
        test::gammascope(place, "convert examples/data/sums.jsonl.zst -o /dev/full");
    CHECK(full.status == 66);
    CHECK(full.err.find("/dev/full: cannot be written") != std::string::npos);
  }
  const test::Said pipe = test::shell(place,
                                      "(gammascope convert examples/data/sums.jsonl.zst -o -; echo "
                                      "$? > status) | head -c 1 > /dev/null");
  CHECK(place.read("status") == "66\n");
  CHECK(test::gammascope(place, "convert missing -o x.jsonl").status == 66);
  CHECK(test::gammascope(place, "convert examples/data/sums.jsonl.zst -o no/such/x.jsonl").status ==
        66);
  place.write("empty", "");
  CHECK(test::gammascope(place, "convert empty -o x.jsonl").status == 65);
}

TEST_CASE("the policies for bad numbers reach the converted log") {
  const test::Workplace place;
  place.write("a.jsonl",
              R"({"prompt_id":1,"student_logprobs":[-1,-2],"teacher_logprobs":[-1,-9999]})"
              "\n"
              R"({"prompt_id":1,"student_logprobs":[-1,-2],"teacher_logprobs":[-1,-2]})"
              "\n");
  const auto converted = [&](const std::string& policy) {
    return test::gammascope(place, "convert a.jsonl -o - --nonfinite " + policy);
  };
  CHECK(converted("error").status == 65);
  CHECK(converted("error").err.find("1 -9999") != std::string::npos);
  CHECK(converted("drop-rollout").out ==
        R"({"v":1,"prompt_id":"1","student_logprobs":[-1,-2],"teacher_logprobs":[-1,-2]})"
        "\n");
  CHECK(
      converted("mask-token")
          .out.find(
              R"("masked_bad":1,"mask":[1,0],"student_logprobs":[-1,null],"teacher_logprobs":[-1,null])") !=
      std::string::npos);
  CHECK(converted("clip 5").out.find(
            R"("clipped":1,"student_logprobs":[-1,-2],"teacher_logprobs":[-1,-7])") !=
        std::string::npos);
}

TEST_CASE("the example writer keeps infinities apart from what is no number") {
  const test::Workplace place;
  const test::Said said = test::shell(
      place,
      "python3 -B -c \"import sys; sys.path.insert(0, 'examples'); from write_log import "
      "write_log; "
      "write_log('w.jsonl', [{'a': [float('-inf'), float('inf'), float('nan'), 1.5]}])\"");
  if (said.err.find("python3: not found") != std::string::npos) return;
  CAPTURE(said.err);
  CHECK(place.read("w.jsonl") == "{\"v\": 1, \"a\": [\"-inf\", \"inf\", null, 1.5]}\n");
}

TEST_CASE("the example writer makes a log that is read without a complaint") {
  const test::Workplace place;
  const test::Said said =
      test::shell(place,
                  "python3 examples/write_log.py demo.jsonl && gammascope convert "
                  "demo.jsonl -o - && gammascope demo.jsonl");
  if (said.err.find("python3: not found") != std::string::npos) return;
  CAPTURE(said.out, said.err);
  CHECK(said.status == 0);
  CHECK(said.out.find("left out") == std::string::npos);
}
