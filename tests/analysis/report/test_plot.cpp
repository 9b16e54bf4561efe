// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>

#include <catch2/catch.hpp>

#include "analysis/report/plot.hpp"
#include "analysis/report/plot_script.hpp"
#include "tests/analysis/report/fixture.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope;
using namespace gammascope::report;

namespace {

std::vector<std::vector<std::string>> rows(const std::string& tsv) {
  std::vector<std::vector<std::string>> all;
  std::istringstream lines(tsv);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields(1);
    for (const char c : line)
      if (c == '\t')
        fields.emplace_back();
      else
        fields.back() += c;
    all.push_back(fields);
  }
  return all;
}

std::vector<std::string> names(const std::vector<Plot>& plots) {
  std::vector<std::string> list;
  for (const Plot& p : plots) list.push_back(p.name);
  return list;
}

}  // namespace

TEST_CASE("a result gets the plots it has numbers for") {
  CHECK(plots_of({}).empty());
  const Tails t = fixture::tails();
  CHECK(names(plots_of(fixture::small_result(), &t)) ==
        std::vector<std::string>{"variance_by_gamma", "slack", "tails"});
  CHECK(names(plots_of(fixture::sweep_result())) ==
        std::vector<std::string>{"variance_by_window", "variance_by_gamma", "slack"});
  CHECK_FALSE(plot_tails(Tails{}));
}

TEST_CASE("the data of the growth plot holds every cell with all digits") {
  const Result r = fixture::sweep_result();
  const auto plot = plot_growth(r, Alignment::window);
  REQUIRE(plot);
  std::size_t measured = 0, exact = 0, bounds = 0;
  for (const auto& row : rows(plot->data)) {
    REQUIRE(row.size() == 9);
    measured += row[0] == "measured";
    exact += row[0] == "exact";
    bounds += row[0] == "bound";
  }
  CHECK(measured == 7 * 11);
  CHECK(exact == 10);
  CHECK(bounds == 14);
  for (const Cell& c : r.cells) {
    if (c.quantity != Quantity::variance || c.status == CellStatus::exact) continue;
    const auto all = rows(plot->data);
    const auto found = std::count_if(all.begin(), all.end(), [&](const auto& row) {
      return row[0] == "measured" && test::same_bits(std::stod(row[2]), *c.gamma) &&
             row[3] == std::to_string(*c.n) && test::same_bits(std::stod(row[5]), *c.value) &&
             test::same_bits(std::stod(row[7]), *c.upper);
    });
    REQUIRE(found == 1);
  }
}

TEST_CASE("by position the axis starts at one") {
  Result r;
  for (const std::int64_t t : {0, 16})
    r.cells.push_back(fixture::cell(Alignment::position, 0.9, t, 1.0, 1.1));
  const auto plot = plot_growth(r, Alignment::position);
  REQUIRE(plot);
  CHECK(rows(plot->data)[0][4] == "1");
  CHECK(rows(plot->data)[1][4] == "17");
  CHECK_FALSE(plot_growth(r, Alignment::window));
}

TEST_CASE("absent numbers are NaN in the data and no plot needs them") {
  Result r;
  r.cells = {fixture::cell(Alignment::window, 0.9, 1, 1.0, 1.1),
             fixture::cell(Alignment::window, 0.9, 2, 1.0, 1.1),
             fixture::cell(Alignment::window, 0.9, 4, 1.0, 1.1)};
  r.cells[2].lower = std::nullopt;
  r.cells[1].value = std::nullopt;
  r.cells[1].status = CellStatus::not_available;
  const auto plot = plot_growth(r, Alignment::window);
  REQUIRE(plot);
  CHECK(rows(plot->data)[1][5] == "NaN");
  CHECK(rows(plot->data)[2][6] == "NaN");
}

TEST_CASE("at most seven curves are drawn and the caption says so") {
  Result r;
  for (int g = 0; g < 16; ++g)
    for (const std::int64_t n : {1, 64})
      r.cells.push_back(fixture::cell(Alignment::window, g / 15.0, n, 1.0 + g, 1.1));
  const auto plot = plot_growth(r, Alignment::window);
  REQUIRE(plot);
  CHECK_THAT(plot->caption, Catch::Contains("Drawn are 7 of 16 gammas"));
  CHECK(rows(plot->data).size() == 32);
  CHECK(evenly(16, 7) == std::vector<std::size_t>{0, 3, 5, 8, 10, 13, 15});
  CHECK(evenly(3, 7) == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("slack is the share of the bound with the worst first") {
  const auto plot = plot_slack(fixture::small_result());
  REQUIRE(plot);
  const auto all = rows(plot->data);
  REQUIRE(all.size() == 5);
  CHECK(all[0][1] == "fail");
  CHECK(std::stod(all[0][6]) == Approx(0.0888 / 0.061));
  CHECK(all[1][1] == "inconclusive");
  CHECK_THAT(plot->title, Catch::Contains("window 256"));

  SECTION("a bound that is absent or infinite has no row") {
    Result r = fixture::small_result();
    for (Verdict& v : r.verdicts) v.bound = std::nullopt;
    CHECK_FALSE(plot_slack(r));
  }
}

TEST_CASE("tails are shares of all tokens and never rise") {
  const auto plot = plot_tails(fixture::tails());
  REQUIRE(plot);
  double last = 2;
  std::string side;
  for (const auto& row : rows(plot->data)) {
    if (row[0] != side) last = 2;
    side = row[0];
    REQUIRE(std::stod(row[2]) <= last);
    last = std::stod(row[2]);
  }
  // A third of the tokens was made with negative credit.
  const auto all = rows(plot->data);
  const auto negative = std::find_if(
      all.begin(), all.end(), [](const auto& row) { return row[0] == "negative_credit"; });
  REQUIRE(negative != all.end());
  CHECK(std::stod((*negative)[2]) == Approx(1.0 / 3).margin(1e-4));
}

TEST_CASE("texts cannot leave their string in a script") {
  CHECK(quote("a\"b\\c\nd") == "\"a\\\"b\\\\c d\"");
  Result r = fixture::small_result();
  for (Verdict& v : r.verdicts) v.claim = "x\"; system 'touch /nowhere'; \"\n! touch";
  const auto plot = plot_slack(r);
  REQUIRE(plot);
  CHECK(plot->script.find("x\";") == std::string::npos);
  CHECK(plot->script.find("\n!") == std::string::npos);
  CHECK(rows(plot->data)[0].size() == 11);
}

TEST_CASE("axes have ticks that lie on them") {
  for (const auto& [lo, hi] : {std::pair{0.09, 160000.0},
                               std::pair{1.0, 1.0},
                               std::pair{3.0, 3.1},
                               std::pair{1e-279, 1e279}}) {
    Range range;
    range.add(lo);
    range.add(hi);
    const LogAxis axis = decimal_axis(range);
    CHECK(axis.lo < lo);
    CHECK(axis.hi > hi);
    CHECK(std::isfinite(axis.hi));
  }
  Range range;
  range.add(std::nullopt);
  range.add(-1.0);
  range.add(0.0);
  CHECK(range.empty());
  range.add(1.0);
  range.add(1024.0);
  CHECK(binary_axis(range).ticks ==
        "\"1\" 1, \"2\" 2, \"4\" 4, \"8\" 8, \"16\" 16, \"32\" 32, \"64\" 64, \"128\" 128, \"256\" "
        "256, \"512\" 512, \"1024\" 1024");
}
