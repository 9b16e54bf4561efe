// SPDX-License-Identifier: MIT
// Well-formedness of whole pages is checked by check_html.py on the pages that write_samples makes.
#include <catch2/catch.hpp>

#include "analysis/report/html.hpp"
#include "tests/analysis/report/fixture.hpp"
#include "tests/analysis/report/support.hpp"

using namespace gammascope;
using namespace gammascope::report;

TEST_CASE("hostile text stays text") {
  CHECK(escape_html("<b a=\"1\" c='2'>&amp;") ==
        "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;");
  CHECK(escape_html(std::string("a\0b\x1b", 4)) == "a\uFFFDb\uFFFD");
  CHECK(escape_html("\xFF\xC3\xA9\xEF\xBF\xBE") == "\uFFFD\xC3\xA9\uFFFD");
  Result r = fixture::small_result();
  const std::string evil = "</title></style><script>alert(1)</script><img src=x onerror=alert(1)>";
  r.verb = r.summary = r.source.dialect = evil;
  r.source.files = {evil};
  r.source.dropped = {{evil, 1}};
  r.settings.emplace_back(evil, evil);
  for (Cell& c : r.cells) c.method = c.reason = evil;
  for (Verdict& v : r.verdicts) {
    v.claim = v.reason = evil;
    v.inputs = {{evil, 1.0, Origin::claimed}};
  }
  for (Finding& f : r.findings) {
    f.rule = f.message = evil;
    f.where = {{evil, evil}};
    f.evidence = {{evil, 1.0}};
  }
  const Drawing drawing{"x", evil, evil, "<svg viewBox='0 0 1 1'></svg>"};
  const std::string page = to_html(r, {&drawing, 1}, evil);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("&lt;script&gt;") != std::string::npos);
}

TEST_CASE("the page holds all that was found and how to repeat it") {
  const Result r = fixture::small_result();
  const std::string page = to_html(r, {});
  for (const char* part : {"One of five claims fails",
                           "rollouts.jsonl.zst",
                           "teacher is shifted by 1 token",
                           "theorem_3_3.finite",
                           "sigma2 = 0.16 (other prompts)",
                           "c = 4 (claimed)",
                           "About 310 prompts",
                           "tentative (1 of 4)",
                           "Blind spot",
                           "gammascope run config.toml",
                           "clock = &quot;skip&quot;",
                           "gammascope 0.1.0",
                           "p pass"})
    CHECK_THAT(page, Catch::Contains(part));
  CHECK(page.find("fail") < page.find("inconclusive"));
  CHECK(to_html(r, {}) == page);
  CHECK_THAT(to_html(r, {}, "gnuplot is not installed"),
             Catch::Contains("gnuplot is not installed"));
}

TEST_CASE("an SVG loses its prolog and its clashing ids") {
  const std::string svg =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg viewBox=\"0 0 9 "
      "9\">\n<title>Gnuplot</title>\n<desc>Produced</desc>"
      "<g id=\"gnuplot_canvas\" color=\"black\"><path id='gpPt0' stroke='black'/><use "
      "xlink:href='#gpPt0'/>"
      "<g style=\"fill:url(#gp1)\"/></g></svg>\ntrailing";
  CHECK(inline_svg(svg, "slack", "a < b") ==
        "<svg role=\"img\" aria-label=\"a &lt; b\" viewBox=\"0 0 9 9\"><title>a &lt; b</title>\n\n"
        "<g id=\"slack-gnuplot_canvas\" color=\"currentColor\"><path id='slack-gpPt0' "
        "stroke='currentColor'/>"
        "<use xlink:href='#slack-gpPt0'/><g style=\"fill:url(#slack-gp1)\"/></g></svg>");
  CHECK(inline_svg("no picture", "x", "t").empty());
}
