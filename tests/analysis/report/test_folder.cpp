// SPDX-License-Identifier: MIT
#include <fstream>
#include <random>

#include <catch2/catch.hpp>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/core/errors.hpp"
#include "analysis/core/interrupt.hpp"
#include "analysis/report/folder.hpp"
#include "analysis/report/result_json.hpp"
#include "tests/analysis/report/fixture.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope;
using namespace gammascope::report;
namespace fs = std::filesystem;

namespace {

/// Too few numbers for a plot: no gnuplot in the way.
Result plain_result() {
  Result r = fixture::small_result();
  r.cells.resize(1);
  r.verdicts.clear();
  return r;
}

/// Every file of the folder reads as what it should be.
bool is_whole(const fs::path& folder) {
  try {
    (void)from_json(test::slurp(folder / "result.json"), "-");
    (void)from_toml(test::slurp(folder / "config.toml"), "-");
    const std::string page = test::slurp(folder / "report.html");
    return page.size() > 8 && page.substr(page.size() - 8) == "</html>\n";
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

TEST_CASE("the folder stands alone and says the same as the result") {
  const test::TemporaryFolder place;
  const Result r = plain_result();
  write_folder(r, place / "out");
  CHECK(test::slurp(place / "out/result.json") == to_json(r));
  CHECK(from_toml(test::slurp(place / "out/config.toml"), "-").options.size() == r.settings.size());
  CHECK(is_whole(place / "out"));
  CHECK(place.entries() == 1);
}

TEST_CASE("the folder has its plots and the page holds them") {
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) return;
  const test::TemporaryFolder place;
  const Tails t = fixture::tails();
  write_folder(fixture::small_result(), place / "new/out/", {false, &t});
  for (const char* name : {"slack", "tails", "variance_by_gamma"})
    for (const char* kind : {".png", ".svg", ".gp", ".tsv"})
      CHECK(fs::file_size(place / "new/out/plots" / (std::string(name) + kind)) > 100);
  const std::string page = test::slurp(place / "new/out/report.html");
  CHECK_THAT(page,
             Catch::Contains("id=\"slack-gnuplot_canvas\"") &&
                 Catch::Contains("id=\"tails-gnuplot_canvas\""));
}

TEST_CASE("without gnuplot the folder is whole but for its pictures") {
  const test::TemporaryFolder place;
  const std::string kept = ::getenv("PATH");
  ::setenv("PATH", "", 1);
  CHECK_THROWS_AS(write_folder(fixture::small_result(), place / "out"), Unavailable);
  ::setenv("PATH", kept.c_str(), 1);
  CHECK(is_whole(place / "out"));
  CHECK(fs::exists(place / "out/plots/slack.gp"));
  CHECK(fs::exists(place / "out/plots/slack.tsv"));
  CHECK_FALSE(fs::exists(place / "out/plots/slack.png"));
  CHECK_THAT(test::slurp(place / "out/report.html"), Catch::Contains("gnuplot-nox"));
  CHECK(place.entries() == 1);
}

TEST_CASE("an old folder is replaced only with force and only if it is ours") {
  const test::TemporaryFolder place;
  write_folder(plain_result(), place / "out");
  Result other = plain_result();
  other.summary = "another";
  CHECK_THROWS_AS(write_folder(other, place / "out"), UsageError);
  CHECK_THROWS_WITH(check_folder_free(place / "out", false), Catch::Contains("--force"));
  CHECK_THAT(test::slurp(place / "out/result.json"), !Catch::Contains("another"));
  write_folder(other, place / "out", {true, nullptr});
  CHECK_THAT(test::slurp(place / "out/result.json"), Catch::Contains("another"));

  fs::create_directory(place / "home");
  CHECK_NOTHROW(check_folder_free(place / "home", false));  // empty
  std::ofstream(place / "home/thesis.tex") << "years of work";
  CHECK_THROWS_AS(write_folder(other, place / "home", {true, nullptr}), UsageError);
  CHECK(test::slurp(place / "home/thesis.tex") == "years of work");
  CHECK_THROWS_AS(check_folder_free(place / "home/thesis.tex", true), UsageError);
  for (const char* bad : {".", "..", "/", "", "x/.."})
    CHECK_THROWS_AS(check_folder_free(bad, true), UsageError);
  fs::create_directory(place / "empty");
  write_folder(other, place / "empty");
  CHECK(is_whole(place / "empty"));
  CHECK(place.entries() == 3);
}

TEST_CASE("an interrupt leaves nothing") {
  const test::TemporaryFolder place;
  interrupt_flag() = true;
  CHECK_THROWS_AS(write_folder(plain_result(), place / "out"), Interrupted);
  interrupt_flag() = false;
  CHECK(place.entries() == 0);
}

TEST_CASE("a folder that cannot be written is an error that leaves nothing") {
  const test::TemporaryFolder place;
  std::ofstream(place / "file") << "x";
  CHECK_THROWS_AS(write_folder(plain_result(), place / "file/out"), NoInput);
  Result broken = plain_result();
  broken.settings = {{"a", 1.0}, {"a", 2.0}};
  CHECK_THROWS_AS(write_folder(broken, place / "out"), std::invalid_argument);
  CHECK(place.entries() == 1);
}

TEST_CASE("a full disk leaves neither the folder nor what was begun") {
  const test::TemporaryFolder place;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // A file may grow to 2000 bytes and then fails to, as on a disk that is full.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2000, 2000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int status = 1;
    try {
      write_folder(plain_result(), place / "out");
    } catch (const NoInput&) {
      status = 0;
    } catch (...) {
      status = 2;
    }
    ::_exit(status);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(place.entries() == 0);
}

TEST_CASE("killed at any moment there is a whole folder or none") {
  const test::TemporaryFolder place;
  std::mt19937_64 random(4);
  std::size_t found = 0;
  for (int round = 0; round < 120; ++round) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      Result r = plain_result();
      for (int i = 0;; ++i) {
        r.summary = std::to_string(i);
        try {
          write_folder(r, place / "out", {true, nullptr});
        } catch (...) {
          ::_exit(1);
        }
      }
    }
    ::usleep(static_cast<useconds_t>(random() % 30000));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    if (!fs::exists(place / "out")) {
      REQUIRE(found == 0);  // once there, it is never gone
      continue;
    }
    ++found;
    REQUIRE(is_whole(place / "out"));
  }
  CHECK(found > 50);
}
