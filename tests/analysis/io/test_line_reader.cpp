// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/io/line_reader.hpp"
#include "tests/analysis/io/draw.hpp"

namespace io = gammascope::io;
using gammascope::io::test::Draw;

namespace {

/// Hands out text in pieces of random size.
class Pieces final : public io::ByteSource {
 public:
  Pieces(std::string text, unsigned seed, std::size_t most)
      : text_(std::move(text)), draw_(seed), most_(most) {}
  std::size_t read(char* data, std::size_t size) override {
    const std::size_t n = std::min({size, text_.size() - at_, 1 + draw_() % most_});
    std::memcpy(data, text_.data() + at_, n);
    at_ += n;
    return n;
  }

 private:
  std::string text_;
  Draw draw_;
  std::size_t most_, at_ = 0;
};

}  // namespace

TEST_CASE("lines come out whole however the bytes arrive") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Draw draw(seed);
    const std::size_t longest = seed % 3 == 0 ? 700000 : 50;
    std::vector<std::string> lines;
    for (unsigned n = draw() % 20; n > 0; --n)
      lines.emplace_back(draw() % longest, static_cast<char>('a' + draw() % 26));
    const bool end = draw() % 2 == 0 || lines.empty() || lines.back().empty();
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    if (!end) text.pop_back();
    const std::size_t max_line = seed % 2 == 0 ? longest : longest / 2;
    io::LineReader reader(std::make_unique<Pieces>(text, seed, seed % 3 == 0 ? 100000 : 7),
                          max_line);
    io::Line line;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      REQUIRE(reader.next(line));
      CHECK(line.number == std::int64_t(i) + 1);
      CHECK(line.too_long == (lines[i].size() > max_line));
      CHECK(line.text() == (line.too_long ? "" : lines[i]));
      CHECK(line.whole == (end || i + 1 < lines.size()));
    }
    CHECK_FALSE(reader.next(line));
    CHECK_FALSE(reader.next(line));
  }
}

TEST_CASE("the first bytes can be looked at without losing them") {
  io::LineReader reader(std::make_unique<Pieces>("one\ntwo\n", 1, 3), 100);
  CHECK(reader.peek() == "one\ntwo\n");
  io::Line line;
  REQUIRE(reader.next(line));
  CHECK(line.text() == "one");
  REQUIRE(reader.next(line));
  CHECK(line.text() == "two");
  io::LineReader large(std::make_unique<Pieces>(std::string(200000, 'x'), 1, 1000), 1 << 20);
  CHECK(large.peek().size() == 65536);
}

TEST_CASE("a line of exactly the limit passes and one byte more does not") {
  const std::string text =
      std::string(10, 'a') + '\n' + std::string(11, 'b') + '\n' + std::string(10, 'c');
  io::LineReader reader(std::make_unique<Pieces>(text, 1, 4), 10);
  io::Line line;
  REQUIRE(reader.next(line));
  CHECK_FALSE(line.too_long);
  REQUIRE(reader.next(line));
  CHECK(line.too_long);
  CHECK(line.text().empty());
  REQUIRE(reader.next(line));
  CHECK(line.text() == std::string(10, 'c'));
  CHECK_FALSE(line.whole);
}
