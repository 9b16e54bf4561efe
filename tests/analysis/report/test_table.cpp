// SPDX-License-Identifier: MIT
#include <sstream>

#include <catch2/catch.hpp>

#include "analysis/report/table.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope::report;

TEST_CASE("points stand under each other") {
  Table table({{"gamma"}, {"Var A", Align::decimal}, {"n", Align::right}});
  table.add_row({"0", "0.0888", "1"});
  table.add_row({"0.99", "19.98", "1024"});
  table.add_row({"1", "-", "7"});
  table.add_row({"1", "10450", "7"});
  // Five columns of whole parts, five of ".0888".
  CHECK(table.text() ==
        "gamma       Var A     n\n"
        "0          0.0888     1\n"
        "0.99      19.98    1024\n"
        "1          -          7\n"
        "1      10450          7\n");
}

TEST_CASE("a wide table closes its gaps and then drops columns by rank and then cuts") {
  Table table({{"claim"}, {"reason", Align::left, 1}, {"p", Align::right, 2}});
  table.add_row({std::string(20, 'c'), std::string(17, 'r'), "0.05"});
  const auto first_line = [&](std::size_t width) {
    const std::string text = table.text({false, width});
    return text.substr(0, text.find('\n'));
  };
  CHECK(first_line(45) == "claim                 reason                p");
  CHECK(first_line(43) == "claim                reason               p");
  CHECK(first_line(41) == "claim                 reason");
  CHECK(first_line(30) == "claim");
  CHECK(table.text({false, 10}) == "claim\nccc...cccc\n");
}

TEST_CASE("no row of any table passes its width") {
  test::RandomResults random(17);
  for (int i = 0; i < 400; ++i) {
    std::vector<Column> columns;
    const std::size_t n = 1 + random.below(9);
    for (std::size_t c = 0; c < n; ++c)
      columns.push_back({"t" + std::to_string(c),
                         static_cast<Align>(random.below(3)),
                         static_cast<int>(random.below(3))});
    Table table(columns);
    for (std::size_t r = random.below(6); r > 0; --r) {
      std::vector<std::string> row;
      for (std::size_t c = 0; c < n; ++c)
        row.push_back(random.coin() ? random.text() : std::to_string(random.any_double()));
      table.add_row(row, Colour::bad);
    }
    const std::size_t width = 40 + random.below(61);
    std::istringstream lines(table.text({random.coin(), width}));
    for (std::string line; std::getline(lines, line);) REQUIRE(display_width(line) <= width);
  }
}

TEST_CASE("a row of the wrong length is refused") {
  Table table({{"a"}, {"b"}});
  CHECK_THROWS_AS(table.add_row({"1"}), std::invalid_argument);
  CHECK(table.empty());
}
