// SPDX-License-Identifier: MIT
#include <sstream>

#include <catch2/catch.hpp>

#include "analysis/report/text_report.hpp"
#include "tests/analysis/report/fixture.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope;
using namespace gammascope::report;

TEST_CASE("the source says what was read and what was left out") {
  const Result r = fixture::small_result();
  CHECK(source_text(r.source) ==
        "log      512 rollouts of 128 prompts, 201 084 tokens, 49 cut (9.6 %); canonical\n"
        "from     runs/2026-03-02/rollouts.jsonl.zst\n"
        "dropped  2 nan teacher\n");
  CHECK(source_text({}).empty());
}

TEST_CASE("cells stand by gamma with unit and label and every reason once") {
  Result r = fixture::small_result();
  r.cells[2].status = CellStatus::tentative;
  r.cells[2].reason = r.cells[3].reason;
  // 0.0888 / 1.2 = 0.0740, 0.0888 · 1.2 = 0.10656, and so on by hand.
  CHECK_THAT(
      cells_text(r.cells),
      Catch::StartsWith("variance of A (nats^2), by window, 95 % limits, HJS\n"
                        "gamma    n     value  95 % limits     prompts  rows  label\n"
                        "0      256    0.0888  [0.074, 0.107]      128   512  ok\n"
                        "0.9    256    0.739   [0.616, 0.887]      128   512  ok\n"
                        "0.99   256   19.98    [16.7, 24.0]        128   512  tentative\n"
                        "1      256  134.9     [112, 162]          128   512  tentative\n"
                        "  tentative (2 of 4): few prompts (neff = 4.1) carry the standard error\n"
                        "  95 % limits, prompts as the unit (G = 128);"));
  // sqrt(0.0888 · 128 / 3) = 1.9465 and sqrt(134.9 · 128 / 3) = 75.867
  CHECK_THAT(cells_text(r.cells), Catch::Contains("(1.946 to 75.87, from cell to cell)"));
}

TEST_CASE("exact cells have no limits and no columns for what was not counted") {
  Cell c;
  c.alignment = Alignment::position;
  c.gamma = 0.5;
  c.n = 3;
  c.value = 0.25;
  c.method = "exact";
  c.status = CellStatus::exact;
  CHECK(cells_text({&c, 1}) ==
        "variance of A (nats^2), by position, exact\n"
        "gamma  n  value  label\n"
        "0.5    3   0.25  exact\n");
}

TEST_CASE("a cell that could not be had shows a dash and its reason") {
  Cell c;
  c.alignment = Alignment::infinite;
  c.gamma = 1;
  c.status = CellStatus::not_available;
  c.reason = "gamma 1 has no infinite sum";
  c.prompts = 9;
  c.rollouts = 9;
  CHECK(cells_text({&c, 1}) ==
        "variance of A (nats^2), by infinite\n"
        "gamma  value  prompts  rows  label\n"
        "1          -        9     9  not available\n"
        "  not available: gamma 1 has no infinite sum\n");
}

TEST_CASE("many cells become a matrix with marks") {
  const std::string text = cells_text(fixture::sweep_result().cells);
  // From the fixture: the last row holds the two unreliable cells.
  CHECK_THAT(text,
             Catch::Contains(
                 "   n      g 0    g 0.5    g 0.9   g 0.97    g 0.99    g 0.999        g 1\n"));
  CHECK_THAT(
      text,
      Catch::Contains("\n1024  0.0888   0.1211   0.7092   3.429    14.67     253.6?     779.7?\n"));
  CHECK_THAT(text, Catch::Contains("marks: ~ tentative, ? unreliable"));
  CHECK_THAT(text, Catch::Contains("unreliable (2 of 77): one prompt carries 41 %"));
}

TEST_CASE("verdicts stand worst first and only a pass needs no sentence") {
  const Result r = fixture::small_result();
  const std::vector<std::size_t> order = worst_first(r.verdicts);
  CHECK(order == std::vector<std::size_t>{4, 3, 0, 1, 2});
  CHECK(verdicts_text(r.verdicts) ==
        "verdicts, worst first; variances and bounds in nats^2\n"
        "verdict       claim       at          gamma     value  limits              bound   used  "
        "p (Holm)\n"
        "fail          on_policy   window 256  0        0.0888  [0.071, 0.107]      0.061  146 %   "
        "0.00062\n"
        "inconclusive  3.3 finite  window 256  1      134.9     [108, 162]      10450      1.3 %   "
        "      1\n"
        "pass          3.3 finite  window 256  0        0.0888  [0.071, 0.107]      0.16    56 %   "
        " 4.3e-6\n"
        "pass          3.3 finite  window 256  0.9      0.739   [0.591, 0.887]     15.9    4.6 %   "
        " 4.3e-6\n"
        "pass          3.3 finite  window 256  0.99    19.98    [16.0, 24.0]     1360.5    1.5 %   "
        " 4.3e-6\n"
        "  bounds took sigma2 = 0.16 (other_prompts), c = 4 (claimed); where sigma2 is of other "
        "prompts, Var\n"
        "  A is of the half of the prompts judged by it\n"
        "  fail, on_policy, window 256, gamma 0: the variance is above the bound beyond the level "
        "of the run.\n"
        "  inconclusive, theorem_3_3.finite, window 256, gamma 1: the upper limit rests on few "
        "prompts, so\n"
        "  the pass is not counted. About 310 prompts would probably settle it.\n");
  CHECK(verdicts_text({}).empty());
}

TEST_CASE("the p of a verdict stays whatever the width and a reason is said once") {
  Result r = fixture::small_result();
  for (Verdict& v : r.verdicts) {
    v.claim = "theorem_3_3.infinite";
    v.outcome = Outcome::inconclusive;
    v.alignment = Alignment::position;
    v.n = 1234567;
    v.value = v.lower = v.upper = 1.234567e-30;
    v.reason = "it cannot be told";
    v.prompts_needed.reset();
  }
  const std::string text = verdicts_text(r.verdicts);
  CHECK_THAT(text, Catch::Contains("p (Holm)\n"));
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    CHECK(text.find('\n', at) - at <= 100);
  CHECK_THAT(text, Catch::Contains("\n  inconclusive (5 of 5): it cannot be told.\n"));
  CHECK(text.find("it cannot be told") == text.rfind("it cannot be told"));
}

TEST_CASE("the order of verdicts is by word and then by how much is used") {
  std::vector<Verdict> v(5);
  const Outcome words[] = {
      Outcome::pass, Outcome::identity, Outcome::degenerate, Outcome::inconclusive, Outcome::fail};
  for (std::size_t i = 0; i < 5; ++i) v[i].outcome = words[i];
  CHECK(worst_first(v) == std::vector<std::size_t>{4, 3, 2, 1, 0});
  for (std::size_t i = 0; i < 5; ++i) {
    v[i].outcome = Outcome::pass;
    v[i].value = static_cast<double>(i + 1);
    v[i].bound = 10;
  }
  v[2].bound = std::nullopt;
  CHECK(worst_first(v) == std::vector<std::size_t>{4, 3, 1, 0, 2});
}

TEST_CASE("a share of the bound needs a bound that is finite and not zero") {
  Verdict v;
  v.value = 2;
  CHECK_FALSE(used_share(v));
  v.bound = 4;
  CHECK(used_share(v) == 0.5);
  v.bound = 0;
  CHECK_FALSE(used_share(v));
  v.bound = std::numeric_limits<double>::infinity();
  CHECK_FALSE(used_share(v));
}

TEST_CASE("the whole text ends with the summary") {
  const Result r = fixture::small_result();
  const std::string text = result_text(r);
  CHECK_THAT(text, Catch::StartsWith("log "));
  CHECK_THAT(text, Catch::EndsWith("would say.\n"));
  CHECK_THAT(text, Catch::Contains("error    shift: teacher is shifted by 1 token"));
}

TEST_CASE("no line of any result passes 100 columns or carries a control character") {
  test::RandomResults random(99);
  for (int i = 0; i < 300; ++i) {
    const Result r = random.result();
    for (const std::size_t long_group : {std::size_t{0}, std::size_t{40}}) {
      std::string text = cells_text(r.cells, {}, long_group) + verdicts_text(r.verdicts) +
                         findings_text(r.findings) + result_text(r);
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        INFO(line);
        REQUIRE(display_width(line) <= 100);
        REQUIRE(std::none_of(
            line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
      }
    }
  }
}

TEST_CASE("colour adds sequences and changes no letter") {
  const Result r = fixture::small_result();
  std::string painted = result_text(r, {true, 100});
  CHECK_THAT(painted, Catch::Contains("\x1b[31mfail"));
  for (std::size_t at = painted.find('\x1b'); at != std::string::npos; at = painted.find('\x1b'))
    painted.erase(at, painted.find('m', at) + 1 - at);
  // Painted words keep the blanks of their column.
  std::istringstream a(painted), b(result_text(r));
  for (std::string x, y; std::getline(b, y);) {
    REQUIRE(std::getline(a, x));
    while (!x.empty() && x.back() == ' ') x.pop_back();
    REQUIRE(x == y);
  }
}
