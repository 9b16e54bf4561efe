// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/core/errors.hpp"
#include "analysis/report/config_toml.hpp"
#include "tests/analysis/report/fixture.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope;
using namespace gammascope::report;

namespace {

std::string error_of(const std::string& text) {
  try {
    (void)from_toml(text, "config.toml");
  } catch (const BadData& error) {
    return error.what();
  }
  return "no error";
}

const std::string start = "version = \"0.1.0\"\nverb = \"measure\"\nfiles = []\n";

/// A text as it can be in a file: what is no UTF-8 is replaced by the writer.
bool same(const Setting& a, const Setting& b) {
  if (a.index() != b.index()) return false;
  if (const double* x = std::get_if<double>(&a)) return test::same_bits(*x, std::get<double>(b));
  if (const auto* list = std::get_if<std::vector<double>>(&a)) {
    const auto& other = std::get<std::vector<double>>(b);
    if (list->size() != other.size()) return false;
    for (std::size_t i = 0; i < other.size(); ++i)
      if (!test::same_bits((*list)[i], other[i])) return false;
    return true;
  }
  return a == b;
}

bool holds_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

/// What no file may hold, and no run has: NUL characters and empty lists.
bool refused(const Setting& value) {
  return std::visit(
      [](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>)
          return holds_nul(v);
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          return v.empty() || std::ranges::any_of(v, holds_nul);
        else if constexpr (std::is_arithmetic_v<T>)
          return false;
        else
          return v.empty();
      },
      value);
}

void spare(Config& config) {
  std::erase(config.verb, '\0');
  std::erase(config.version, '\0');
  std::erase_if(config.files, holds_nul);
  std::erase_if(config.options,
                [](const ConfigOption& o) { return holds_nul(o.name) || refused(o.value); });
}

}  // namespace

TEST_CASE("the config of a result is written for people") {
  const Config config{"0.1.0",
                      "measure",
                      "../runs",
                      {"a b.jsonl"},
                      {{"gamma", std::vector<double>{0, 0.9, 1}},
                       {"clock", std::string("skip")},
                       {"seed", std::int64_t{7}},
                       {"confidence", 0.95},
                       {"force", false},
                       {"we ird", std::string("a\"b\\c\n")}}};
  CHECK(to_toml(config) ==
        "# every option with its final value; `gammascope run` on this file repeats the run\n"
        "version = \"0.1.0\"\n"
        "verb = \"measure\"\n"
        "folder = \"../runs\"  # of the run, from this file's own\n"
        "files = [\"a b.jsonl\"]\n"
        "\n"
        "[options]\n"
        "gamma = [0.0, 0.9, 1.0]\n"
        "clock = \"skip\"\n"
        "seed = 7\n"
        "confidence = 0.95\n"
        "force = false\n"
        "\"we ird\" = \"a\\\"b\\\\c\\u000A\"\n");
}

TEST_CASE("random configs read back with the same bits and in the same order") {
  test::RandomResults random(5);
  for (int i = 0; i < 400; ++i) {
    const Result result = random.result();
    Config before = config_of(result);
    if (i % 2 == 0) before.folder = "..";
    spare(before);
    const Config after = from_toml(to_toml(before), "-");
    REQUIRE(after.verb == before.verb);
    REQUIRE(after.folder == before.folder);
    REQUIRE(after.files == before.files);
    REQUIRE(after.options.size() == before.options.size());
    for (std::size_t o = 0; o < before.options.size(); ++o) {
      REQUIRE(after.options[o].name == before.options[o].name);
      REQUIRE(same(before.options[o].value, after.options[o].value));
    }
  }
}

TEST_CASE("extreme numbers of a config read back") {
  for (const double x : {5e-324, 1.7976931348623157e308, -0.0, 1e22, 0.1, 9007199254740993.0}) {
    const Config config{"", "v", {}, {}, {{"x", x}}};
    CHECK(
        test::same_bits(std::get<double>(from_toml(to_toml(config), "-").options.at(0).value), x));
  }
}

TEST_CASE("a broken config is refused with file and line and key") {
  REQUIRE(error_of(start + "[options]\n") == "no error");
  CHECK_THAT(error_of(start), Catch::Contains("options: missing"));
  CHECK_THAT(error_of(start + "[options]\na = \n"), Catch::Contains("config.toml:5: not TOML"));
  CHECK_THAT(error_of(start + "speed = 3\n[options]\n"),
             Catch::Contains("config.toml:4: speed: no such key"));
  CHECK_THAT(error_of(start + "[options]\na = 1979-05-27\n"),
             Catch::Contains("config.toml:5: options.a"));
  CHECK_THAT(error_of(start + "[options]\na = [1, \"x\"]\n"), Catch::Contains("options.a"));
  CHECK_THAT(error_of(start + "[options]\nb = 1\na = []\n"),
             Catch::Contains("config.toml:6: options.a: must not be an empty list"));
  CHECK_THAT(error_of(start + "[options]\na = \"x\\u0000y\"\n"),
             Catch::Contains("config.toml:5: options.a: must not hold a NUL character"));
  CHECK_THAT(error_of(start + "[options]\na = [\"x\", \"\\u0000\"]\n"),
             Catch::Contains("config.toml:5: options.a: must not hold a NUL character"));
  CHECK_THAT(error_of(start + "[options]\n\"a\\u0000\" = 1\n"),
             Catch::Contains("config.toml:5: options: must not hold a NUL character"));
  CHECK_THAT(
      error_of("version = \"\"\nverb = \"m\"\nfiles = [\"a\",\n  \"b\\u0000c\"]\n[options]\n"),
      Catch::Contains("config.toml:4: files: must not hold a NUL character"));
  CHECK_THAT(error_of(start + "[options]\na = {b = 1}\n"), Catch::Contains("options.a"));
  CHECK_THAT(error_of(start + "[options]\na = 1\na = 2\n"),
             Catch::Contains("config.toml:6: not TOML"));
  CHECK_THAT(error_of("version = 1\nverb = \"m\"\nfiles = []\n[options]\n"),
             Catch::Contains("config.toml:1: version: must be a text"));
  CHECK_THAT(error_of("version = \"\"\nverb = \"m\"\nfiles = [1]\n[options]\n"),
             Catch::Contains("files: must be a list of texts"));
}
