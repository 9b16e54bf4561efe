// SPDX-License-Identifier: MIT
#include <fstream>

#include <catch2/catch.hpp>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "analysis/core/errors.hpp"
#include "analysis/report/gnuplot.hpp"
#include "tests/analysis/report/fixture.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope;
using namespace gammascope::report;
namespace fs = std::filesystem;

namespace {

/// Another PATH while it lives.
class Path {
 public:
  explicit Path(const std::string& path) {
    const char* old = ::getenv("PATH");
    kept_ = old == nullptr ? "" : old;
    ::setenv("PATH", path.c_str(), 1);
  }
  ~Path() { ::setenv("PATH", kept_.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  Path(Path&&) = delete;
  Path& operator=(Path&&) = delete;

 private:
  std::string kept_;
};

bool have_gnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

std::vector<Plot> some_plots() {
  const Tails t = fixture::tails();
  return plots_of(fixture::sweep_result(), &t);
}

}  // namespace

TEST_CASE("without gnuplot the scripts and data are there and the package is named") {
  const test::TemporaryFolder folder;
  const std::vector<Plot> plots = some_plots();
  const Path empty("");
  try {
    draw(plots, folder / "plots");
    FAIL("drawn without a gnuplot");
  } catch (const Unavailable& error) {
    CHECK(error.status() == ExitStatus::unavailable);
    CHECK_THAT(error.what(), Catch::Contains("gnuplot") && Catch::Contains("gnuplot-nox"));
  }
  for (const Plot& p : plots) {
    CHECK(test::slurp(folder / "plots" / (p.name + ".gp")) == p.script);
    CHECK(test::slurp(folder / "plots" / (p.name + ".tsv")) == p.data);
    CHECK_FALSE(fs::exists(folder / "plots" / (p.name + ".png")));
  }
}

TEST_CASE("gnuplot draws every plot as PNG and SVG and its scripts run by hand") {
  if (!have_gnuplot()) {
    WARN("no gnuplot here");
    return;
  }
  const test::TemporaryFolder folder;
  const std::vector<Plot> plots = some_plots();
  const fs::path place = folder / "it's a \"folder\" $HOME";
  draw(plots, place);
  CHECK(std::distance(fs::directory_iterator(place), {}) ==
        static_cast<std::ptrdiff_t>(4 * plots.size()));
  for (const Plot& p : plots) {
    CHECK(test::slurp(place / (p.name + ".png")).substr(1, 3) == "PNG");
    const std::string svg = test::slurp(place / (p.name + ".svg"));
    CHECK_THAT(svg, Catch::Contains("viewBox") && Catch::Contains("</svg>"));
    CHECK(svg.find("<script") == std::string::npos);
  }

  SECTION("again and with the same bytes") {
    draw(plots, folder / "again");
    for (const Plot& p : plots)
      for (const char* kind : {".svg", ".png"})
        CHECK(test::slurp(place / (p.name + kind)) ==
              test::slurp(folder / "again" / (p.name + kind)));
  }
}

TEST_CASE("random results give scripts that gnuplot accepts") {
  if (!have_gnuplot()) return;
  const test::TemporaryFolder folder;
  test::RandomResults random(21);
  std::vector<Plot> all;
  for (int i = 0; i < 12; ++i) {
    Result r = random.result();
    // Enough cells of one kind for every plot, with whatever numbers.
    for (int k = 0; k < 12; ++k) {
      Cell c = random.cell();
      c.quantity = Quantity::variance;
      c.alignment = static_cast<Alignment>(i % 3);
      c.gamma = random.share();
      c.n = static_cast<std::int64_t>(random.below(2000));
      r.cells.push_back(c);
    }
    for (Plot& p : plots_of(r)) {
      const std::string old = p.name;
      p.name += "_" + std::to_string(i);
      for (std::size_t at = p.script.find(old + "."); at != std::string::npos;
           at = p.script.find(old + ".", at + p.name.size()))
        p.script.replace(at, old.size(), p.name);
      all.push_back(std::move(p));
    }
  }
  REQUIRE(all.size() > 20);
  CHECK_NOTHROW(draw(all, folder.path()));
}

TEST_CASE("a gnuplot that dies at once is an error and not a signal") {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "bin");
  {
    std::ofstream script(folder / "bin/gnuplot");
    script << "#!/bin/sh\necho 'out of luck' >&2\nexec 0<&-\nexit 3\n";
  }
  ::chmod((folder / "bin/gnuplot").c_str(), 0755);
  // Names so long that the commands outgrow the pipe: the writer meets a closed end for certain.
  std::vector<Plot> plots;
  for (int i = 0; i < 300; ++i)
    plots.push_back({std::string(200, 'p') + std::to_string(i), "t", "c", "s", "d"});
  const Path path((folder / "bin").string());
  CHECK_THROWS_WITH(draw(plots, folder / "plots"), Catch::Contains("could not draw: out of luck"));
  CHECK(fs::exists(folder / "plots" / (plots.back().name + ".gp")));
  // Nothing is left pending that would end the program later.
  sigset_t pending;
  sigpending(&pending);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
}

TEST_CASE("an error of a script is reported in gnuplot's words") {
  if (!have_gnuplot()) return;
  const test::TemporaryFolder folder;
  const Plot bad{"bad", "t", "c", "plott 1\n", ""};
  CHECK_THROWS_WITH(draw({&bad, 1}, folder.path()), Catch::Contains("bad.gp"));
}

TEST_CASE("no plots need no gnuplot") {
  const test::TemporaryFolder folder;
  const Path empty("");
  CHECK_NOTHROW(draw({}, folder / "plots"));
}
