// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "analysis/cli/options.hpp"

using namespace gammascope;
using namespace gammascope::cli;

namespace {

std::string message(const std::function<void()>& act) {
  try {
    act();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("numbers are read whole and without a locale and bad ones name option and value") {
  CHECK(number("--gamma", "0.99") == 0.99);
  CHECK(number("--gamma", "1e-3") == 1e-3);
  for (const std::string bad : {"", "0,5", "nan", "inf", "1e999", "1x", " 1", "+1"}) {
    const std::string said = message([&] { (void)number("--gamma", bad); });
    CAPTURE(bad, said);
    CHECK(said.find("--gamma") == 0);
    CHECK(said.find("'" + bad + "'") != std::string::npos);
  }
  CHECK(integer("--at", "64", 0) == 64);
  CHECK(message([] { (void)integer("--at", "-1", 0); }) != "");
  CHECK(message([] { (void)integer("--at", "1.5", 0); }) != "");
  CHECK(message([] { (void)integer("--at", "99999999999999999999", 0); }) != "");
}

TEST_CASE("gammas come sorted and distinct and outside of 0 to 1 is refused") {
  CellOptions o;
  o.gamma = "1,0.9,0,0.9";
  CHECK(o.gammas() == std::vector<double>{0, 0.9, 1});
  for (const std::string bad : {"1.0001", "-0.1", "0,,1", "", "0.9,"}) {
    o.gamma = bad;
    CHECK_THROWS_AS(o.gammas(), UsageError);
  }
}

TEST_CASE("places are a list or log or all or the median") {
  CellOptions o;
  CHECK(o.places(Alignment::window, 50, 100) == std::vector<std::int64_t>{50});
  CHECK(o.places(Alignment::position, 50, 100) == std::vector<std::int64_t>{0});
  o.at = "log";
  CHECK(o.places(Alignment::horizon, 50, 100) ==
        std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 100});
  CHECK(o.places(Alignment::position, 50, 100).front() == 0);
  o.at = "all";
  CHECK(o.places(Alignment::window, 2, 4) == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(o.places(Alignment::position, 2, 4) == std::vector<std::int64_t>{0, 1, 2, 3});
  o.at = "64,16,16";
  CHECK(o.places(Alignment::window, 2, 4) == std::vector<std::int64_t>{16, 64});
  o.at = "0";
  CHECK_THROWS_AS(o.places(Alignment::window, 2, 4), UsageError);
  o.at = "0,16";
  o.alignment = "position,window";
  CHECK(o.places(Alignment::window, 2, 4) == std::vector<std::int64_t>{16});
  CHECK(o.places(Alignment::position, 2, 4) == std::vector<std::int64_t>{0, 16});
}

TEST_CASE("log options are parsed and their errors name what exists") {
  LogOptions o;
  CHECK(o.read_options().max_line == std::size_t{1} << 30);
  CHECK(o.sample_share() == 1.0);
  o.nonfinite = "clip 5";
  CHECK(o.read_options().nonfinite.kind == io::NonFinitePolicy::Kind::clip);
  CHECK(o.read_options().nonfinite.clip == 5.0);
  o.nonfinite = "clip=0.5";
  CHECK(o.read_options().nonfinite.clip == 0.5);
  for (const std::string bad : {"clip", "clip x", "clip -1", "drop", "clip 0"}) {
    o.nonfinite = bad;
    CHECK_THROWS_AS(o.read_options(), UsageError);
  }
  o.nonfinite = "mask-token";
  o.max_line = "64MiB";
  CHECK(o.read_options().max_line == std::size_t{64} << 20);
  o.max_line = "big";
  CHECK_THROWS_AS(o.read_options(), UsageError);
  o.sample = "10%";
  CHECK(o.sample_share() == 0.1);
  for (const std::string bad : {"0%", "101%", "x"}) {
    o.sample = bad;
    CHECK_THROWS_AS(o.sample_share(), UsageError);
  }
  CHECK(message([] { (void)word<Clock>("--clock", "tick"); }).find("skip | count | reset | turn") !=
        std::string::npos);
}
