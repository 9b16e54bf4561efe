// SPDX-License-Identifier: MIT
// plot and report as a user meets them: of a log, of a result, of a folder.
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/command.hpp"

using namespace gammascope;
namespace fs = std::filesystem;

namespace {

const std::string sums = "examples/data/sums.jsonl.zst";

bool have_gnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("plot draws a log and a result and a folder the same way") {
  if (!have_gnuplot()) return;
  const test::Workplace place;
  REQUIRE(test::gammascope(place, "measure " + sums + " --at log --out run --quiet").status == 0);
  REQUIRE(test::gammascope(place, "plot " + sums + " --out of-log").status == 0);
  REQUIRE(test::gammascope(place, "plot run/result.json --out of-result").status == 0);
  REQUIRE(test::gammascope(place, "plot run --out of-folder --quiet").status == 0);
  for (const char* name : {"variance_by_window", "variance_by_gamma"})
    for (const char* kind : {".tsv", ".gp", ".svg", ".png"}) {
      const std::string file = std::string(name) + kind;
      CAPTURE(file);
      const std::string drawn = place.read("of-log/" + file);
      CHECK(drawn == place.read("of-result/" + file));
      CHECK(drawn == place.read("of-folder/" + file));
      CHECK(drawn == place.read("run/plots/" + file));
    }
  CHECK(fs::exists(place / "of-log/tails.svg"));
  CHECK_FALSE(fs::exists(place / "of-result/tails.svg"));
}

TEST_CASE("plot writes no pictures into the store that it reads") {
  const test::Workplace place;
  REQUIRE(test::gammascope(place, "convert " + sums + " -o my.store --quiet").status == 0);
  const test::Said said = test::gammascope(place, "plot my.store --out my.store --force");
  CHECK(said.status == 64);
  CHECK(said.err.find("--out my.store is what is read") != std::string::npos);
  CHECK_FALSE(fs::exists(place.path() / "my.store/variance_by_window.gp"));
}

TEST_CASE("plot overwrites nothing without force") {
  if (!have_gnuplot()) return;
  const test::Workplace place;
  REQUIRE(test::gammascope(place, "plot " + sums + " --out p").status == 0);
  const test::Said again = test::gammascope(place, "plot " + sums + " --out p");
  CHECK(again.status == 64);
  CHECK(again.err.find("--force") != std::string::npos);
  CHECK(test::gammascope(place, "plot " + sums + " --out p --force").status == 0);
}

TEST_CASE(
    "without gnuplot plot writes data and scripts and report a page and both say which package") {
  const test::Workplace place;
  const test::Said plot =
      test::shell(place, "PATH=\"${PATH%%:*}\" gammascope plot " + sums + " --out p");
  CHECK(plot.status == 69);
  CHECK(plot.err.find("gnuplot-nox") != std::string::npos);
  CHECK(fs::exists(place / "p/variance_by_window.gp"));
  CHECK(fs::exists(place / "p/variance_by_window.tsv"));
  const test::Said report =
      test::shell(place, "PATH=\"${PATH%%:*}\" gammascope report " + sums + " --out r.html");
  CHECK(report.status == 69);
  CHECK(report.err.find("gnuplot-nox") != std::string::npos);
  CHECK(place.read("r.html").find("</html>") != std::string::npos);
}

TEST_CASE("report writes one page or a folder") {
  if (!have_gnuplot()) return;
  const test::Workplace place;
  const test::Said page = test::gammascope(place, "report " + sums + " --out r.html");
  CHECK(page.status == 0);
  CHECK(page.out == "report: r.html\n");
  CHECK(place.read("r.html").find("tails-gnuplot_canvas") != std::string::npos);
  CHECK(test::gammascope(place, "report " + sums + " --out r.html").status == 64);
  CHECK(test::gammascope(place, "report " + sums + " --out folder").status == 0);
  CHECK(fs::exists(place / "folder/result.json"));
  // The folder repeats its run to the same bytes.
  REQUIRE(test::gammascope(place, "run folder/config.toml --out again --quiet").status == 0);
  CHECK(place.read("again/plots/variance_by_window.tsv") ==
        place.read("folder/plots/variance_by_window.tsv"));
}

TEST_CASE("what cannot be drawn is refused with the reason") {
  const test::Workplace place;
  CHECK(test::gammascope(place, "plot nothing.jsonl").status == 66);
  place.write("bad.json", "{\"schema\": \"gammascope.result/1\"}");
  const test::Said bad = test::gammascope(place, "plot bad.json");
  CHECK(bad.status == 65);
  CHECK(bad.err.find("bad.json: version: missing") != std::string::npos);
  place.write("newer.json", "{\"schema\": \"gammascope.result/2\"}");
  CHECK(test::gammascope(place, "report newer.json").status == 65);
  REQUIRE(test::gammascope(place, "measure " + sums + " --gamma 1 --json one.json").status == 0);
  const test::Said one = test::gammascope(place, "plot one.json");
  CHECK(one.status == 64);
  CHECK(one.err.find("nothing to plot") != std::string::npos);
  const test::Said two = test::gammascope(place, "plot one.json " + sums);
  CHECK(two.status == 64);
  CHECK(two.err.find("give it alone") != std::string::npos);
  CHECK(test::gammascope(place, "report " + sums + " --out no/such/r.html").status == 66);
}
