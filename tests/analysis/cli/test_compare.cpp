// SPDX-License-Identifier: MIT
// compare: logs, stores, states and results against each other.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/report/result_json.hpp"
#include "tests/support/command.hpp"

using namespace gammascope;

namespace {

/// a.jsonl, b.jsonl: two draws of one process over the same 64 prompts.
void two_logs(const test::Workplace& place) {
  REQUIRE(test::shell(place,
                      "for s in 1 2; do gammascope simulate --family clustered --prompts 64 --seed "
                      "$s --max-length 64 --quiet -o $s.jsonl || exit 1; done; mv 1.jsonl a.jsonl; "
                      "mv 2.jsonl b.jsonl")
              .status == 0);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

report::Result compared(const test::Workplace& place, const std::string& args) {
  const test::Said said = test::gammascope(place, "compare --quiet --json - " + args);
  CAPTURE(args, said.err);
  REQUIRE(said.status == 0);
  report::Result result = report::from_json(said.out, "-");
  CHECK(report::to_json(result) == said.out);
  return result;
}

std::vector<Cell> changes(const report::Result& result) {
  std::vector<Cell> found;
  for (const Cell& c : result.cells)
    if (c.change) found.push_back(c);
  return found;
}

const Finding& finding(const report::Result& result, const std::string& rule) {
  for (const Finding& f : result.findings)
    if (f.rule == rule) return f;
  FAIL("no finding " << rule);
  return result.findings.front();
}

double evidence(const Finding& f, const std::string& name) {
  for (const auto& [key, value] : f.evidence)
    if (key == name) return value;
  FAIL("no evidence " << name);
  return 0;
}

void require_same_numbers(const report::Result& a, const report::Result& b) {
  const auto x = changes(a), y = changes(b);
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(x[i].value == y[i].value);
    CHECK(x[i].lower == y[i].lower);
    CHECK(x[i].upper == y[i].upper);
    CHECK(x[i].change->p_changed == y[i].change->p_changed);
  }
}

}  // namespace

TEST_CASE("logs stores and states of the same responses compare to the same numbers in pairs") {
  const test::Workplace place;
  two_logs(place);
  REQUIRE(
      test::shell(place,
                  "gammascope convert b.jsonl -o b.store --quiet && for l in a b; do gammascope "
                  "measure $l.jsonl --at 16,64 --state $l.state --quiet || exit 1; done")
          .status == 0);
  const auto logs = compared(place, "a.jsonl b.jsonl --at 16,64");
  CHECK(changes(logs).size() == 2 * 4 * 2);
  const Finding& pairing = finding(logs, "pairing");
  CHECK(contains(pairing.message, "in pairs: 64 of 64 prompts (100 %) are shared"));
  CHECK(evidence(pairing, "shared") == 64);
  for (const Cell& c : changes(logs)) {
    CHECK(c.method == "HJS2");
    CHECK(c.prompts == 64);
    CHECK(c.lower < c.value);
    CHECK(c.value < c.upper);
  }
  require_same_numbers(logs, compared(place, "a.jsonl b.store --at 16,64"));
  require_same_numbers(logs, compared(place, "a.state b.state"));
  require_same_numbers(logs, compared(place, "a.state b.jsonl"));
  require_same_numbers(logs, compared(place, "a.jsonl b.state"));
}

TEST_CASE("prompts that one log lacks are left out and below four fifths there are no pairs") {
  const test::Workplace place;
  two_logs(place);
  // The prompts of the simulator are numbered; each has four rows.
  REQUIRE(test::shell(place,
                      "head -n 1 b.jsonl >head; tail -n +2 b.jsonl >rows; (cat head; head -n 224 "
                      "rows) >most.jsonl; (cat head; head -n 160 rows) >few.jsonl; (head -n 1 "
                      "a.jsonl; tail -n +2 a.jsonl | head -n 224) >same.jsonl")
              .status == 0);
  const auto most = compared(place, "a.jsonl most.jsonl --at 16");
  const Finding& pairing = finding(most, "pairing");
  CHECK(contains(pairing.message, "in pairs: 56 of 64"));
  CHECK(contains(pairing.message, "8 of the first and 0 of the second are left out"));
  CHECK(evidence(pairing, "left_out") == 8);
  require_same_numbers(most, compared(place, "same.jsonl most.jsonl --at 16"));
  REQUIRE(test::shell(place,
                      "for l in a most; do gammascope measure $l.jsonl --at 16 --state $l.state "
                      "--quiet || exit 1; done")
              .status == 0);
  require_same_numbers(most, compared(place, "a.state most.state"));
  require_same_numbers(most, compared(place, "a.jsonl most.state"));
  const auto few = compared(place, "a.jsonl few.jsonl --at 16");
  CHECK(contains(finding(few, "pairing").message, "not in pairs: 40 of 64"));
  for (const Cell& c : changes(few))
    CHECK(c.method == (c.quantity == Quantity::ratio ? "MOVER" : "Welch"));
}

TEST_CASE("results are compared by their limits and say that nothing is adjusted") {
  const test::Workplace place;
  two_logs(place);
  REQUIRE(test::shell(place,
                      "for l in a b; do gammascope measure $l.jsonl --at 16 --json $l.json --out "
                      "$l.out --quiet || exit 1; done")
              .status == 0);
  const auto results = compared(place, "a.json b.out");
  CHECK(changes(results).size() == 8);
  CHECK(contains(finding(results, "pairing").message, "of a result only the limits are left"));
  for (const Cell& c : changes(results)) {
    CHECK(c.lower < c.value);
    CHECK_FALSE(c.change->p_changed);
  }
  // A log beside a result is measured as the result was.
  const auto mixed = compared(place, "a.json b.jsonl");
  const auto x = changes(results), y = changes(mixed);
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i].lower == y[i].lower);
  CHECK(contains(test::gammascope(place, "compare a.json b.json").out, "results allow no"));
}

TEST_CASE("what must not be compared is refused with the name of the setting") {
  const test::Workplace place;
  two_logs(place);
  REQUIRE(
      test::shell(place,
                  "gammascope measure a.jsonl --at 16 --state a.state --json a.json --quiet && "
                  "gammascope measure b.jsonl --at 16 --clock count --state b.state --json "
                  "b.json --quiet && gammascope measure b.jsonl --at 17 --state c.state --quiet")
          .status == 0);
  for (const std::string pair : {"a.state b.state", "a.json b.json", "a.state b.json"}) {
    const test::Said said = test::gammascope(place, "compare " + pair);
    CAPTURE(pair, said.err);
    CHECK(said.status == 65);
    CHECK(contains(said.err, ": clock: is count here and skip in a."));
  }
  CHECK(test::gammascope(place, "compare a.state c.state").status == 65);
  CHECK(test::gammascope(place, "compare a.state").status == 64);
  const test::Said other = test::gammascope(place, "compare a.state b.jsonl --gamma 0.5");
  CHECK(other.status == 64);
  CHECK(contains(other.err, "--gamma: a.state was measured with 0,0.9,0.99,1, which decides"));
  CHECK(test::gammascope(place, "compare a.state a.state a.state").status == 64);
  CHECK(test::gammascope(place, "compare a.state missing").status == 66);
  CHECK(test::gammascope(place, "compare a.state a.state --band -1").status == 64);
  CHECK(test::gammascope(place, "compare a.jsonl b.jsonl --weight prompt").status == 64);
}

TEST_CASE("responses that stand in both logs are counted and a log against itself is no evidence") {
  const test::Workplace place;
  two_logs(place);
  const auto self = compared(place, "a.jsonl a.jsonl --at 16 --band 50%");
  CHECK(evidence(finding(self, "shared_responses"), "shared") == 256);
  for (const Cell& c : changes(self)) {
    CHECK(c.change->word == ChangeWord::cannot_tell);
    CHECK(c.status == CellStatus::degenerate);
  }
  REQUIRE(test::shell(place, "(cat b.jsonl; tail -n 40 a.jsonl) >mixed.jsonl").status == 0);
  const auto mixed = compared(place, "a.jsonl mixed.jsonl --at 16");
  CHECK(evidence(finding(mixed, "shared_responses"), "shared") == 40);
}

TEST_CASE("a planted change is found and none is called where there is none") {
  const test::Workplace place;
  REQUIRE(
      test::shell(place,
                  "for s in 1 2; do gammascope simulate --family ergodic --prompts 256 --seed $s "
                  "--max-length 64 --quiet -o $s.jsonl || exit 1; done; gammascope simulate "
                  "--family clustered --prompts 256 --max-length 64 --quiet -o other.jsonl")
          .status == 0);
  int changed = 0;
  for (const Cell& c : changes(compared(place, "1.jsonl other.jsonl --at 16 --gamma 0.9")))
    changed += c.change->word == ChangeWord::changed ? 1 : 0;
  CHECK(changed >= 1);
  for (const Cell& c : changes(compared(place, "1.jsonl 2.jsonl --at 16 --gamma 0.9 --band 100%")))
    CHECK(c.change->word != ChangeWord::changed);
  const test::Said text = test::gammascope(place, "compare 1.jsonl 2.jsonl --at 16 --band 100%");
  CHECK(text.status == 0);
  CHECK(contains(text.out, "did not (within 100 %)"));
  CHECK(contains(text.out, "wrong word at most 5 %"));
  for (std::size_t from = 0; from < text.out.size();) {
    const std::size_t end = text.out.find('\n', from);
    CHECK(end - from <= 110);  // 100 columns; some letters take two bytes
    from = end + 1;
  }
}

TEST_CASE("the folder of a comparison repeats it") {
  const test::Workplace place;
  two_logs(place);
  REQUIRE(test::gammascope(place, "compare a.jsonl b.jsonl --at 16 --band 10% --out first --quiet")
              .status == 0);
  REQUIRE(test::gammascope(place, "run first/config.toml --out second --quiet").status == 0);
  CHECK(place.read("first/result.json") == place.read("second/result.json"));
}
