// SPDX-License-Identifier: MIT
// The verb check as a user meets it: words, exit statuses, refusals. The rules themselves:
// tests/analysis/verdict/.
#include <cmath>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;

namespace {

const std::string sums = "examples/data/sums.jsonl.zst";

nlohmann::json verdicts(const std::string& json) {
  return nlohmann::json::parse(json).at("verdicts");
}

test::Said check(const test::Workplace& place, const std::string& options) {
  return test::gammascope(place, "check " + sums + " --json " + options);
}

/// 8 tokens a response, 4 responses a prompt, the student's log-probs varied, Delta = gap
/// everywhere (exact in float).
std::string parallel_log(double gap, int responses) {
  std::string text;
  for (int i = 0; i < responses; ++i) {
    std::string student, teacher;
    for (int t = 0; t < 8; ++t) {
      const double s = -0.5 - 0.125 * ((7 * i + 3 * t) % 11);
      student += (t > 0 ? "," : "") + std::to_string(s);
      teacher += (t > 0 ? "," : "") + std::to_string(s - gap);
    }
    text += "{\"prompt_id\":\"p" + std::to_string(i / 4) +
            "\",\"finish_reason\":\"stop\",\"student_logprobs\":[" + student +
            "],\"teacher_logprobs\":[" + teacher + "]}\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a plain check judges seven claims by split halves") {
  const test::Workplace place;
  const test::Said said = check(place, "");
  const auto all = verdicts(said.out);
  CHECK(all.size() == 7);
  bool evidence = true;
  for (const auto& v : all) {
    CHECK(v.at("alignment") == "window");
    CHECK(v.at("inputs").at(0).at("name") == "sigma2");
    CHECK(v.at("inputs").at(0).at("origin") == "other_prompts");
    CHECK(v.at("p_pass_adjusted").get<double>() >= v.at("p_pass").get<double>());
    evidence = evidence && v.at("verdict") == "pass";
    if (v.at("gamma").get<double>() > 0.5) CHECK(v.at("verdict") == "pass");
  }
  CHECK(said.status == (evidence ? 0 : 2));
}

TEST_CASE("check exits by its worst word") {
  const test::Workplace place;
  CHECK(check(place, "--sigma2 100").status == 0);
  const test::Said failed = check(place, "--sigma2 0.0001");
  CHECK(failed.status == 1);
  CHECK(verdicts(failed.out).at(0).at("verdict") == "fail");
  const test::Said identity = check(place, "--sigma2 same");
  CHECK(identity.status == 2);
  for (const auto& v : verdicts(identity.out)) CHECK(v.at("verdict") == "identity");
  CHECK(check(place, "--sigma2 same --accept no-evidence").status == 0);
  CHECK(check(place, "--sigma2 0.0001 --accept no-evidence").status == 1);
}

TEST_CASE("check on a log without anything to learn is degenerate and never passes") {
  // Case N35: student and teacher move together, D = 0 and D = .1 everywhere.
  const test::Workplace place;
  for (const double gap : {0.0, 0.125}) {
    place.write("log.jsonl", parallel_log(gap, 128));
    for (const std::string sigma2 : {"1", "split"}) {
      const test::Said said =
          test::gammascope(place, "check log.jsonl --force --json --sigma2 " + sigma2);
      CAPTURE(gap, sigma2, said.err);
      REQUIRE(said.status == 2);
      for (const auto& v : verdicts(said.out)) CHECK(v.at("verdict") == "degenerate");
    }
  }
}

TEST_CASE("check refuses on-policy bounds where the future selects and says why") {
  const test::Workplace place;
  const test::Said horizon = check(place, "--bound sharp --max-delta 9 --alignment horizon");
  CHECK(horizon.status == 64);
  CHECK(horizon.err.find("may not be claimed by horizon") != std::string::npos);
  CHECK(check(place, "--bound on_policy --max-delta 9 --truncated drop").status == 64);
  CHECK(check(place, "--bound kl").status == 64);
  CHECK(check(place, "--bound drift --noise-variance 1").status == 64);
  CHECK(check(place, "--bound no_such").status == 64);
  CHECK(check(place, "--sigma2 -1").status == 64);
  CHECK(check(place, "--sigma2 few").status == 64);
  CHECK(check(place, "--accept everything").status == 64);
}

TEST_CASE("check with the KL form takes one sum a response and can only fail") {
  const test::Workplace place;
  const test::Said said = check(place, "--bound kl --max-loss 300 --gamma 0.9,1");
  CHECK(said.status == 2);
  const auto all = verdicts(said.out);
  REQUIRE(all.size() == 2);
  for (const auto& v : all) {
    CHECK(v.at("verdict") == "inconclusive");
    CHECK(v.at("p_pass") == 1.0);
    CHECK(v.at("inputs").at(0).at("name") == "C");
  }
  const test::Said claimed = check(place, "--bound kl --max-loss 0.01 --gamma 1");
  CHECK(verdicts(claimed.out).at(0).at("reason").get<std::string>().find("does not hold") !=
        std::string::npos);

  // Delta = -.125: A over 2 tokens at gamma 1/2 is .1875 in each of 12 responses, by position 6
  // too.
  place.write("log.jsonl", parallel_log(-0.125, 12));
  const double c = 2.0, phi = (c - 1 + std::exp(-c)) / (c * c), a = 0.1875;
  double e = 0;
  for (const double factor : {0.25, 1.0, 4.0})
    e += std::pow(1 + factor * phi * (a + phi * a * a), 12) / 3;
  for (const std::string where : {"window --at 2", "position --at 6"}) {
    const test::Said exact = test::gammascope(
        place,
        "check log.jsonl --force --json --bound kl --max-loss 2 --gamma 0.5 --alignment " + where);
    CAPTURE(where, exact.err);
    CHECK(verdicts(exact.out).at(0).at("p_fail").get<double>() == Approx(1 / e).epsilon(1e-7));
  }
}

TEST_CASE("check gives the same bytes for any number of threads and when run again") {
  const test::Workplace place;
  const test::Said one = check(place, "--bound theorem_3_3,kl --max-loss 300 --threads 1");
  const test::Said two = check(place, "--bound theorem_3_3,kl --max-loss 300 --threads 2");
  CHECK_FALSE(one.out.empty());
  CHECK(verdicts(one.out) == verdicts(two.out));
  CHECK(one.out == check(place, "--bound theorem_3_3,kl --max-loss 300 --threads 1").out);
}
