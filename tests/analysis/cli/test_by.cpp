// SPDX-License-Identifier: MIT
// --by: parts of a log, with the right values of case N12.
#include <cmath>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analysis/report/result_json.hpp"
#include "tests/support/command.hpp"

using namespace gammascope;

namespace {

/// One response of `length` tokens whose log-ratios are `delta` and -`delta` in turn. Neither
/// column is constant: such a one counts as not recorded.
std::string response(const std::string& fields, int length, double delta) {
  std::string student, teacher;
  for (int t = 0; t < length; ++t) {
    const double base = t % 4 < 2 ? -2 : -2.5;
    student += (t > 0 ? "," : "") + std::to_string(base + (t % 2 == 0 ? delta : -delta));
    teacher += (t > 0 ? "," : "") + std::to_string(base);
  }
  return "{" + fields + ",\"student_logprobs\":[" + student + "],\"teacher_logprobs\":[" + teacher +
         "],\"finish_reason\":\"stop\"}\n";
}

/// Case N12: three domains, the same number of prompts, 4000, 1500 and 200 tokens.
std::string three_domains() {
  std::string log;
  const struct {
    const char* name;
    int length;
  } domains[] = {{"math", 4000}, {"code", 1500}, {"chat", 200}};
  int prompt = 0;
  for (const auto& d : domains)
    for (int p = 0; p < 8; ++p, ++prompt)
      log += response("\"prompt_id\":" + std::to_string(prompt) +
                          ",\"step\":" + std::to_string(p % 2) + ",\"domain\":\"" + d.name + "\"",
                      d.length,
                      0.1 + 0.05 * p + (d.length == 200 ? 1.0 : 0.0));
  return log;
}

report::Result measured(const test::Workplace& place, const std::string& args) {
  const test::Said said = test::gammascope(place, "measure " + args + " --quiet --json");
  CAPTURE(args, said.err);
  REQUIRE(said.status == 0);
  return report::from_json(said.out, "-");
}

const Cell& cell(const report::Result& r,
                 Quantity quantity,
                 const std::string& group,
                 double gamma = 0) {
  for (const Cell& c : r.cells)
    if (c.quantity == quantity && c.group == group && (!c.gamma || *c.gamma == gamma)) return c;
  FAIL("no such cell: " << name(quantity) << " of " << group);
  return r.cells.front();
}

}  // namespace

TEST_CASE(
    "domains of unequal length own the tokens as case N12 says and pooled numbers are not shown") {
  const test::Workplace place;
  place.write("log.jsonl", three_domains());
  const auto r = measured(place, "log.jsonl --by domain --at 1 --gamma 0,1 --force");
  const double all = 8 * (4000 + 1500 + 200);
  CHECK(*cell(r, Quantity::token_share, "domain=math").value == Approx(0.702).margin(0.0005));
  CHECK(*cell(r, Quantity::token_share, "domain=code").value == Approx(0.263).margin(0.0005));
  CHECK(*cell(r, Quantity::token_share, "domain=chat").value == Approx(0.035).margin(0.0005));
  CHECK(*cell(r, Quantity::tokens, "domain=math").value == 32000);
  CHECK(*cell(r, Quantity::tokens, "domain=chat").value / all == Approx(1600 / all));
  CHECK(cell(r, Quantity::variance, "domain=chat").rollouts == 8);
  double sum = 0;
  for (const char* d : {"domain=math", "domain=code", "domain=chat"}) {
    const Cell& share = cell(r, Quantity::variance_share, d, 0);
    sum += *share.value;
    CHECK(*share.lower < *share.value);
    CHECK(*share.value < *share.upper);
  }
  CHECK(sum == Approx(1));
  // A = -Delta of the first token: -.1 to -.45 twice, -1.1 to -1.45; sums of squares by hand.
  const double within = 8 * 0.05 * 0.05 * 5.25, far = 8 * std::pow(2.0 / 3, 2),
               near = 8 * std::pow(1.0 / 3, 2);
  CHECK(*cell(r, Quantity::variance_share, "domain=chat", 0).value ==
        Approx((within + far) / (3 * within + far + 2 * near)).epsilon(1e-6));
  const test::Said text =
      test::gammascope(place, "measure log.jsonl --by domain --at 1 --gamma 0 --force");
  CHECK(text.status == 0);
  CHECK(text.out.find("domain=math") != std::string::npos);
  CHECK(text.out.find("70 %") != std::string::npos);
  CHECK(text.out.find("variance of A (nats^2), by window") == std::string::npos);
  CHECK(text.out.find("factor of 20") != std::string::npos);
  const test::Said even =
      test::gammascope(place, "measure log.jsonl --by step --at 1 --gamma 0 --force");
  CHECK(even.out.find("step=0") != std::string::npos);
  CHECK(even.out.find("variance of A (nats^2), by window") != std::string::npos);
}

TEST_CASE("each part of a log is measured as the part alone would be") {
  const test::Workplace place;
  const std::string log = three_domains();
  place.write("log.jsonl", log);
  REQUIRE(
      test::shell(place, "grep code log.jsonl >code.jsonl; grep '\"step\":1' log.jsonl >one.jsonl")
          .status == 0);
  const std::string how =
      " --at 1,50 --alignment window,position --gamma 0,0.9 --max-length 4000 --force";
  for (const auto& [by, group, alone] :
       {std::tuple("domain", "domain=code", "code.jsonl"),
        std::tuple("step", "step=1", "one.jsonl"),
        std::tuple("finish_reason", "finish_reason=stop", "log.jsonl")}) {
    const auto parts = measured(place, "log.jsonl --by " + std::string(by) + how);
    const auto right = measured(place, alone + how);
    std::size_t compared = 0;
    for (const Cell& want : right.cells) {
      if (want.quantity != Quantity::mean && want.quantity != Quantity::variance) continue;
      for (const Cell& got : parts.cells) {
        if (got.group != group || got.quantity != want.quantity || got.gamma != want.gamma ||
            got.n != want.n || got.alignment != want.alignment)
          continue;
        CHECK(got.value == want.value);
        CHECK(got.lower == want.lower);
        CHECK(got.upper == want.upper);
        CHECK(got.prompts == want.prompts);
        ++compared;
      }
    }
    CHECK(compared == 16);
  }
}

TEST_CASE("turns start where they start and own their tokens") {
  const test::Workplace place;
  std::string log;
  for (int p = 0; p < 6; ++p) {
    const std::string d = std::to_string(-1 - 0.1 * p);
    // Turn 0: two tokens, the first masked; turn 1: one; turn 3: two.
    log += "{\"prompt_id\":" + std::to_string(p) + ",\"student_logprobs\":[-9,-1," + d + ",-1," +
           d +
           "],\"teacher_logprobs\":[-9,-1,-1,-1.5,-1],\"mask\":[0,1,1,1,1],\"turn\":[0,0,1,3,3],"
           "\"finish_reason\":\"stop\"}\n";
  }
  place.write("log.jsonl", log);
  const auto r = measured(place, "log.jsonl --by turn --at 2 --gamma 1 --force");
  CHECK(*cell(r, Quantity::tokens, "turn=0", 1).value == 6);
  CHECK(*cell(r, Quantity::tokens, "turn=1", 1).value == 6);
  CHECK(*cell(r, Quantity::tokens, "turn=3", 1).value == 12);
  // A over two tokens from the start of the turn: mean of 0.1 p is 0.25.
  CHECK(*cell(r, Quantity::mean, "turn=0", 1).value == Approx(0.25).margin(1e-6));
  CHECK(*cell(r, Quantity::mean, "turn=1", 1).value == Approx(0.25 - 0.5).margin(1e-6));
  CHECK(*cell(r, Quantity::mean, "turn=3", 1).value == Approx(-0.5 + 0.25).margin(1e-6));
  place.write("none.jsonl",
              response("\"prompt_id\":1", 4, 0.3) + response("\"prompt_id\":2", 4, 0.2));
  const test::Said none = test::gammascope(place, "measure none.jsonl --by turn --at 1 --force");
  CHECK(none.status == 65);
  CHECK(none.err.find("turn: --by turn needs the column turn") != std::string::npos);
}

TEST_CASE("parts do not depend on threads and what is not recorded is a part of its own") {
  const test::Workplace place;
  place.write("log.jsonl", three_domains() + response("\"prompt_id\":99", 40, 0.3));
  const std::string line = "measure log.jsonl --by domain --at 8 --force --quiet --json --threads ";
  const test::Said one = test::gammascope(place, line + "1");
  REQUIRE(one.status == 0);
  CHECK(test::gammascope(place, line + "4").out == one.out);
  CHECK(one.out.find("\"domain not recorded\"") != std::string::npos);
  const test::Said bad = test::gammascope(place, "measure log.jsonl --by colour");
  CHECK(bad.status == 64);
  CHECK(bad.err.find("--by: no such value: 'colour'") != std::string::npos);
}

TEST_CASE("two logs are compared part by part and parts of one side are named") {
  const test::Workplace place;
  const std::string log = three_domains();
  place.write("a.jsonl", log);
  REQUIRE(
      test::shell(place, "grep -v chat a.jsonl | sed 's/-2.100000/-2.110000/' >b.jsonl").status ==
      0);
  const test::Said said = test::gammascope(
      place, "compare a.jsonl b.jsonl --by domain --at 1 --gamma 0 --force --quiet --json -");
  CAPTURE(said.err);
  REQUIRE(said.status == 0);
  const report::Result r = report::from_json(said.out, "-");
  std::size_t changes = 0;
  for (const Cell& c : r.cells)
    if (c.change) {
      CHECK((c.group == "domain=math" || c.group == "domain=code"));
      ++changes;
    }
  CHECK(changes == 4);
  CHECK(*cell(r, Quantity::token_share, "first, domain=math").value ==
        Approx(0.702).margin(0.0005));
  CHECK(*cell(r, Quantity::token_share, "second, domain=math").value == Approx(4000.0 / 5500));
  CHECK(said.out.find("domain=chat (first)") != std::string::npos);
  REQUIRE(
      test::gammascope(place, "measure a.jsonl --at 1 --state a.state --force --quiet").status ==
      0);
  CHECK(test::gammascope(place, "compare a.state b.jsonl --by domain --force").status == 64);
}
