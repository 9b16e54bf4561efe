// SPDX-License-Identifier: MIT
// The verb run: the same answer from every folder, and a clear word about what a config.toml must
// not hold. (The same bytes: test_same_bytes.cpp.)
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;

namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string two_prompts =
    "{\"prompt_id\":\"a\",\"student_logprobs\":[-1,-2],\"teacher_logprobs\":[-1,-1]}\n"
    "{\"prompt_id\":\"b\",\"student_logprobs\":[-1,-3],\"teacher_logprobs\":[-2,-1]}\n";

/// A run in made/ on the log made/logs/two.jsonl, into made/out/first.
void first_run(const test::Workplace& place) {
  fs::create_directories(place / "made/logs");
  place.write("made/logs/two.jsonl", two_prompts);
  const test::Said said = test::shell(
      place,
      "cd made && gammascope measure logs/two.jsonl --gamma 1 --at 2 --out out/first --quiet");
  CAPTURE(said.err);
  REQUIRE(said.status == 0);
}

/// What `run` says to a file whose [options] are `options`.
test::Said run_with(const test::Workplace& place,
                    const std::string& options,
                    const std::string& verb = "measure",
                    const std::string& files = "\"two.jsonl\"") {
  place.write("config.toml",
              "version = \"0.1.0\"\nverb = \"" + verb + "\"\nfiles = [" + files +
                  "]\n\n[options]\n" + options);
  return test::gammascope(place, "run config.toml --out again");
}

}  // namespace

TEST_CASE("a run is repeated from any folder to the same bytes") {
  const test::Workplace place;
  first_run(place);
  const std::string first = place.read("made/out/first/result.json");
  CHECK(contains(place.read("made/out/first/config.toml"), "folder = \"../..\""));
  fs::create_directories(place / "elsewhere");
  for (const std::string& line : std::vector<std::string>{
           "cd made/out/first && gammascope run config.toml --json",
           "cd made && gammascope run out/first/config.toml --json",
           "cd elsewhere && gammascope run ../made/out/first/config.toml --json",
           "cd / && gammascope run \"$OLDPWD/made/out/first/config.toml\" --json",
           "ln -sfn made/out/first link && cd elsewhere && gammascope run ../link/config.toml "
           "--json"}) {
    CAPTURE(line);
    const test::Said said = test::shell(place, line);
    CHECK(said.status == 0);
    CHECK(said.out == first);
  }
  // What this command line names is seen from where it is typed, and can be repeated in turn.
  CHECK(test::shell(place,
                    "cd elsewhere && gammascope run ../made/out/first/config.toml --quiet "
                    "--json again.json --out again")
            .status == 0);
  CHECK(place.read("elsewhere/again.json") == first);
  CHECK(test::shell(place, "cd / && gammascope run \"$OLDPWD/elsewhere/again/config.toml\" --json")
            .out == first);
}

TEST_CASE(
    "a run that was moved with its files is repeated and one moved alone names what is missing") {
  const test::Workplace place;
  first_run(place);
  const std::string first = place.read("made/out/first/result.json");
  fs::rename(place / "made", place / "moved");
  CHECK(test::gammascope(place, "run moved/out/first/config.toml --json").out == first);
  fs::create_directories(place / "a/b/c");
  fs::rename(place / "moved/out/first", place / "a/b/c/first");
  const test::Said alone = test::gammascope(place, "run a/b/c/first/config.toml");
  CHECK(alone.status == 66);
  CHECK(contains(alone.err, "a/b/c/first/config.toml: files: there is no logs/two.jsonl in "));
  CHECK(contains(alone.err, (fs::canonical(place.path()) / "a/b").string()));
  fs::remove_all(place / "moved");
  place.write("a/config.toml",
              "version = \"\"\nverb = \"measure\"\nfolder = \"../nowhere\"\nfiles = "
              "[\"x\"]\n[options]\n");
  const test::Said nowhere = test::gammascope(place, "run a/config.toml");
  CHECK(nowhere.status == 66);
  CHECK(contains(nowhere.err, "a/config.toml: folder: there is no "));
}

TEST_CASE("a file that an option names is looked for in the folder of the first run too") {
  const test::Workplace place;
  first_run(place);
  place.write("made/out/first/config.toml",
              "version = \"\"\nverb = \"measure\"\nfolder = \"../..\"\nfiles = "
              "[\"logs/two.jsonl\"]\n[options]\nexact = \"gone.json\"\n");
  const test::Said said = test::gammascope(place, "run made/out/first/config.toml");
  CHECK(said.status == 66);
  CHECK(contains(said.err, "gone.json"));
  CHECK(contains(said.err, "names in made/out/first/config.toml are seen from "));
}

TEST_CASE("options that belong to the command line are refused with file and line and key") {
  const test::Workplace place;
  place.write("two.jsonl", two_prompts);
  REQUIRE(run_with(place, "gamma = [1.0]\nat = \"2\"\n").status == 0);
  fs::remove_all(place / "again");
  for (const std::string& line : std::vector<std::string>{
           "json = \"x.json\"", "out = \"x\"", "force = true", "quiet = true", "help = true"}) {
    const test::Said said = run_with(place, "gamma = [1.0]\n" + line + "\n");
    CAPTURE(line, said.err);
    CHECK(said.status == 65);
    CHECK(contains(said.err,
                   "config.toml:7: options." + line.substr(0, line.find(' ')) +
                       ": belongs on the command line"));
    CHECK_FALSE(fs::exists(place / "again"));
    CHECK_FALSE(fs::exists(place / "x"));
  }
}

TEST_CASE("unknown options and values of another kind are refused with file and line and key") {
  const test::Workplace place;
  place.write("two.jsonl", two_prompts);
  const auto refused = [&](const test::Said& said, const std::string& what) {
    CAPTURE(said.err, what);
    CHECK(said.status == 65);
    CHECK(contains(said.err, what));
    CHECK_FALSE(fs::exists(place / "again"));
  };
  refused(run_with(place, "\ngama = [1.0]\n"),
          "config.toml:7: options.gama: no such option of measure");
  refused(run_with(place, "gamma = []\n"),
          "config.toml:6: options.gamma: must not be an empty list");
  refused(run_with(place, "gamma = true\n"),
          "config.toml:6: options.gamma: must be a number, a text or a list");
  refused(run_with(place, "gradient = 1\n", "exact", ""),
          "config.toml:6: options.gradient: must be true or false");
  refused(run_with(place, "at = \"2\\u00001\"\n"),
          "config.toml:6: options.at: must not hold a NUL character");
  refused(run_with(place, "", "measure", "\"two.jsonl\\u0000x\""),
          "config.toml:3: files: must not hold a NUL character");
  refused(run_with(place, "\"gam\\u0000ma\" = 1\n"),
          "config.toml:6: options: must not hold a NUL character");
  refused(run_with(place, "", "mea\\u0000sure"),
          "config.toml:2: verb: must not hold a NUL character");
  refused(run_with(place, "", "run"), "config.toml: verb: no such verb: 'run'");
  refused(test::gammascope(place, "run /dev/zero"), "/dev/zero:1: holds a NUL byte");
}
