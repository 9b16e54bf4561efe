// SPDX-License-Identifier: MIT
// The JUnit file and the annotations of GitHub. The file against the schema: check_junit.sh.
#include <string>

#include <catch2/catch.hpp>

#include "analysis/report/junit.hpp"

using namespace gammascope;
using report::JunitInconclusive;

namespace {

Verdict verdict(const std::string& claim, Outcome outcome, double gamma) {
  Verdict v;
  v.claim = claim;
  v.outcome = outcome;
  v.alignment = Alignment::window;
  v.gamma = gamma;
  v.n = 64;
  v.value = 3;
  v.bound = 2;
  v.reason = "a reason, 100 % <sure> & \"so\": yes";
  return v;
}

report::Result sample() {
  report::Result r;
  r.verb = "check";
  r.source.files = {"log, one.jsonl"};
  r.verdicts = {verdict("theorem_3_3.finite", Outcome::pass, 0.9),
                verdict("theorem_3_3.finite", Outcome::fail, 1),
                verdict("theorem_3_3.infinite", Outcome::pass, 0.9),
                verdict("calm", Outcome::inconclusive, 0.9),
                verdict("calm", Outcome::pass, 1),
                verdict("nothing", Outcome::degenerate, 1)};
  for (std::size_t i = 3; i < 5; ++i) r.verdicts[i].where = "my:claims.toml:7";
  return r;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a test case is a claim by one alignment and the worst cell decides") {
  const std::string xml = to_junit(sample(), JunitInconclusive::skipped);
  CHECK(count(xml, "<testcase ") == 4);
  CHECK(count(xml, "<failure ") == 1);
  CHECK(count(xml, "<skipped ") == 2);
  CHECK(xml.find("tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\"") != std::string::npos);
  CHECK(xml.find("<testcase name=\"theorem_3_3.infinite by window\" "
                 "classname=\"gammascope.check\" time=\"0\"/>") != std::string::npos);
  CHECK(xml.find("100 % &lt;sure&gt; &amp; &quot;so&quot;: yes") != std::string::npos);
  CHECK(xml.find("gamma 1, window 64: ") != std::string::npos);
  auto two = sample();
  two.verdicts.push_back(two.verdicts[0]);
  two.verdicts.back().alignment = Alignment::position;
  CHECK(count(to_junit(two, JunitInconclusive::skipped), "<testcase ") == 5);
}

TEST_CASE("what showed nothing is a failure on demand") {
  const std::string xml = to_junit(sample(), JunitInconclusive::failure);
  CHECK(count(xml, "<failure ") == 3);
  CHECK(count(xml, "<skipped ") == 0);
  CHECK(xml.find("type=\"degenerate\"") != std::string::npos);
}

TEST_CASE("errors of the doctor are a test case of their own") {
  report::Result r = sample();
  r.findings.push_back({"shift", Severity::error, "lag 1", {}, {}});
  r.findings.push_back({"dtype", Severity::note, "none", {}, {}});
  const std::string xml = to_junit(r, JunitInconclusive::skipped);
  CHECK(count(xml, "<failure ") == 2);
  CHECK(xml.find("the log can be trusted") != std::string::npos);
  CHECK(xml.find("dtype") == std::string::npos);
}

TEST_CASE("what XML forbids is replaced") {
  report::Result r = sample();
  r.verdicts[1].reason = std::string(
      "a\x01"
      "b\xff"
      "c\n");
  const std::string xml = to_junit(r, JunitInconclusive::skipped);
  CHECK(xml.find("a\xEF\xBF\xBD"
                 "b\xEF\xBF\xBD"
                 "c&#10;") != std::string::npos);
}

TEST_CASE("annotations are escaped and point to the claim or the log") {
  const std::string lines = to_github(sample());
  CHECK(count(lines, "::error ") == 1);
  CHECK(count(lines, "::warning ") == 2);
  CHECK(
      lines.rfind("::error file=log%2C one.jsonl,title=fail%3A theorem_3_3.finite by window::fail: "
                  "gamma 1, window 64: a reason, 100 %25 <sure> & \"so\": yes",
                  0) == 0);
  CHECK(lines.find("::warning file=my%3Aclaims.toml,line=7,title=inconclusive%3A calm") !=
        std::string::npos);
  report::Result r = sample();
  r.verdicts[1].reason = "one\ntwo\r";
  CHECK(to_github(r).find("one%0Atwo%0D") != std::string::npos);
  r.verdicts = {sample().verdicts[0]};
  CHECK(to_github(r).empty());
}
