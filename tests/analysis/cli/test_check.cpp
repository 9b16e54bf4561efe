// SPDX-License-Identifier: MIT
// The verb check as a user meets it: words, exit statuses, refusals. The rules themselves:
// tests/analysis/verdict/.
#include <cmath>
#include <cstdint>
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
    if (v.at("gamma").get<double>() <= 0.5) continue;
    // Far below (used: 3 % and less), and sigma2 is taken where many prompts carry it.
    CHECK(v.at("p_pass_adjusted").get<double>() < 0.01);
    CHECK(v.at("verdict") == "pass");
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

  // Delta = -.125: A over 2 tokens at gamma 1/2 is .1875 in each of 12 responses of 3 prompts, by
  // position 6 too.
  place.write("log.jsonl", parallel_log(-0.125, 12));
  const double c = 2.0, phi = (c - 1 + std::exp(-c)) / (c * c), a = 0.1875;
  double e = 0;
  for (const double factor : {0.25, 1.0, 4.0})
    e += std::pow(1 + factor * phi * (a + phi * a * a), 3) / 3;
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

namespace {
/// 50 prompts of 4 responses of 8 tokens; Delta is `shift` and between -.375 and .375, nats.
std::string varied_log(double shift = 0.0625) {
  std::string text;
  std::uint32_t state = 1;
  for (int i = 0; i < 200; ++i) {
    std::string student, teacher;
    for (int t = 0; t < 8; ++t) {
      state = state * 1664525u + 1013904223u;
      const double s = -0.5 - 0.125 * ((state >> 24) % 11);
      const double delta = shift + 0.125 * (int((state >> 16) % 7) - 3);
      student += (t > 0 ? "," : "") + std::to_string(s - 1);
      teacher += (t > 0 ? "," : "") + std::to_string(s - 1 - delta);
    }
    text += "{\"prompt_id\":\"p" + std::to_string(i / 4) +
            "\",\"finish_reason\":\"stop\",\"student_logprobs\":[" + student +
            "],\"teacher_logprobs\":[" + teacher + "]}\n";
  }
  return text;
}

std::string reason(const test::Said& said, std::size_t i = 0) {
  return verdicts(said.out).at(i).at("reason").get<std::string>();
}
}  // namespace

TEST_CASE(
    "on-policy bounds stay undecided where the header says that no teacher has the log-ratios") {
  const test::Workplace place;
  const std::string options =
      " --json --gamma 0.9 --sigma2 100 --max-delta 9 --bound on_policy,theorem_3_3.finite ";
  const std::string text = varied_log();
  place.write("yes.jsonl", text);
  CHECK(verdicts(test::gammascope(place, "check yes.jsonl" + options).out).at(0).at("verdict") ==
        "pass");
  place.write("no.jsonl", "{\"v\":1,\"header\":{\"realisable\":false}}\n" + text);
  const test::Said no = test::gammascope(place, "check no.jsonl" + options);
  CHECK(reason(no).find("no teacher") != std::string::npos);
  CHECK(verdicts(no.out).at(0).at("verdict") == "inconclusive");
  CHECK(verdicts(no.out).at(1).at("verdict") == "pass");
}

TEST_CASE("on-policy bounds stay undecided where lines or tokens were changed for what they hold") {
  const test::Workplace place;
  const std::string text = varied_log();
  const std::string options = " --json --gamma 0.9 --sigma2 100 --max-delta 9 --bound on_policy ";
  place.write("bad.jsonl", text + "{\"student_logprobs\":[1,2}\n");
  const test::Said skip = test::gammascope(place, "check bad.jsonl --on-error skip" + options);
  CHECK(reason(skip).find("--on-error skip left out 1") != std::string::npos);
  place.write("nan.jsonl",
              text +
                  "{\"prompt_id\":\"q\",\"finish_reason\":\"stop\",\"student_logprobs\":[-1,-0.5],"
                  "\"teacher_logprobs\":[NaN,-1]}\n");
  for (const std::string how : {"mask-token", "drop-rollout"}) {
    const test::Said masked =
        test::gammascope(place, "check nan.jsonl --nonfinite " + how + options);
    CAPTURE(how, masked.err);
    CHECK(reason(masked).find("--nonfinite changed 1") != std::string::npos);
  }
}

TEST_CASE("on-policy bounds stay undecided where the end token is not in the log") {
  const test::Workplace place;
  for (const bool logged : {true, false}) {
    std::string text = "{\"header\":{\"eos_ids\":[2],\"dtype\":\"float32\"}}\n";
    for (int i = 0; i < 120; ++i)
      text += "{\"prompt_id\":\"p" + std::to_string(i / 2) + "\",\"finish_reason\":\"stop\"," +
              "\"token_ids\":[5," + (logged || i != 7 ? "2" : "9") +
              "],\"student_logprobs\":[-1.0,-0.5],\"teacher_logprobs\":[" +
              (i % 3 ? "-1.125,-0.5" : "-0.875,-0.625") + "]}\n";
    place.write("ends.jsonl", text);
    const test::Said said = test::gammascope(
        place, "check ends.jsonl --json --bound on_policy,theorem_3_3 --max-delta 9 --gamma 0.9");
    int on_policy = 0;
    for (const auto& v : verdicts(said.out)) {
      const bool reason =
          v.at("reason").is_string() &&
          v.at("reason").get<std::string>().find("end token not logged") != std::string::npos;
      if (v.at("claim") != "on_policy") {
        CHECK_FALSE(reason);  // Theorem 3.3 may be claimed all the same
        continue;
      }
      ++on_policy;
      CHECK(reason == !logged);
      if (!logged) CHECK(v.at("verdict") == "inconclusive");
    }
    CHECK(on_policy > 0);
  }
}

TEST_CASE("check prints the range of blind spots of its cells as the first look does") {
  const test::Workplace place;
  const test::Said look = test::gammascope(place, sums),
                   checked = test::gammascope(place, "check " + sums);
  const auto spots = [](std::string text) {
    for (const char* gap : {"\n  ", "\n"})
      for (std::size_t at = 0; (at = text.find(gap, at)) != std::string::npos;)
        text.replace(at, std::string(gap).size(), " ");
    const std::size_t at = text.find("sqrt(variance G/3) nats (");
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find(')', at + 20) - at);
  };
  CHECK(spots(look.out) == spots(checked.out));
  CHECK(spots(look.out).find(" to ") != std::string::npos);
}

TEST_CASE("a broken identity is found and takes the ground from on-policy bounds") {
  // Delta is negative at every token: E Delta >= 0 and E exp(-Delta) <= 1 do not hold.
  const test::Workplace place;
  place.write("log.jsonl", varied_log(-0.5));
  const test::Said said =
      test::gammascope(place,
                       "check log.jsonl --force --json --gamma 0.9 --sigma2 100 "
                       "--max-delta 9 --bound on_policy,theorem_3_3.finite");
  CHECK(said.status == 1);
  const auto result = nlohmann::json::parse(said.out);
  bool found = false;
  for (const auto& finding : result.at("findings"))
    found = found || finding.at("severity") == "error";
  CHECK(found);
  CHECK(result.at("summary").get<std::string>().find("the log breaks ") == 0);
  CHECK(result.at("summary").get<std::string>().find(
            "the verdicts mean nothing until that is explained; of 2 claims") != std::string::npos);
  CHECK(reason(said).find("identity t") == 0);
  CHECK(verdicts(said.out).at(1).at("verdict") == "pass");
}

TEST_CASE("huge numbers are judged and exit by their words") {
  const test::Workplace place;
  for (const std::string options : {"--sigma2 1e150",
                                    "--sigma2 1e308",
                                    "--bound drift --noise-variance 1e300 --drift-variance 1e300",
                                    "--bound sharp --sigma2 1e300 --max-delta 50"}) {
    const test::Said said = check(place, options);
    CAPTURE(options, said.err);
    CHECK(said.status != 70);
    CHECK_FALSE(verdicts(said.out).empty());
  }
}

TEST_CASE("split halves show the variance that was judged beside its bound") {
  // Of the shipped log the halves differ, so none of the seven rows is the variance of all prompts.
  const test::Workplace place;
  const auto result = nlohmann::json::parse(
      test::gammascope(place, "check examples/data/sums.jsonl.zst --json --gamma 0.9").out);
  const auto& whole = result.at("cells").at(0);
  for (const auto& v : result.at("verdicts")) {
    CHECK(v.at("value") != whole.at("value"));
    CHECK(v.at("lower") < v.at("value"));
    // Half of the prompts: limits about sqrt 2 times as wide; 1.1 leaves room for chance.
    CHECK(v.at("upper").get<double>() - v.at("lower").get<double>() >
          1.1 * (whole.at("upper").get<double>() - whole.at("lower").get<double>()));
  }
  const auto claimed = nlohmann::json::parse(
      test::gammascope(place, "check examples/data/sums.jsonl.zst --json --gamma 0.9 --sigma2 1")
          .out);
  CHECK(claimed.at("verdicts").at(0).at("value") == whole.at("value"));
}
