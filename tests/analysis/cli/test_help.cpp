// SPDX-License-Identifier: MIT
// Every --help ends in a worked example, and the example runs as printed.
#include <string>

#include <catch2/catch.hpp>

#include "analysis/cli/verb.hpp"
#include "tests/support/command.hpp"

using namespace gammascope;

TEST_CASE("the help of every verb ends in an example that runs as printed") {
  for (const cli::Verb& verb : cli::verbs()) {
    CAPTURE(verb.name);
    const test::Workplace place;
    const test::Said help = test::gammascope(place, std::string(verb.name) + " --help");
    CHECK(help.status == 0);
    const std::size_t at = help.out.rfind("Example:\n");
    REQUIRE(at != std::string::npos);
    std::string example = help.out.substr(at + 9);
    CHECK(example.find(std::string("gammascope ")) != std::string::npos);
    const test::Said said = test::shell(place, example);
    CAPTURE(example, said.out, said.err);
    // A verdict may be inconclusive (2); nothing else but success.
    CHECK((said.status == 0 || said.status == 2));
    CHECK(said.err.empty());
  }
}

TEST_CASE("the top help names every verb and the exit statuses and its example runs") {
  const test::Workplace place;
  const test::Said help = test::gammascope(place, "--help");
  CHECK(help.status == 0);
  for (const cli::Verb& verb : cli::verbs()) CHECK(help.out.find(verb.name) != std::string::npos);
  CHECK(help.out.find("Exit status") != std::string::npos);
  const test::Said said = test::shell(place, help.out.substr(help.out.rfind("Example:\n") + 9));
  CHECK(said.status == 0);
}

TEST_CASE("version names the build and no arguments is a usage error with help") {
  const test::Workplace place;
  CHECK(test::gammascope(place, "--version").out.find("gammascope 0.") == 0);
  const test::Said nothing = test::gammascope(place, "");
  CHECK(nothing.status == 64);
  CHECK(nothing.err.find("gammascope LOG") != std::string::npos);
}
