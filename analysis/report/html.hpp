// SPDX-License-Identifier: MIT
// A result as one HTML file that stands alone: inline style and SVG, no scripts, nothing fetched;
// light and dark, narrow and wide, on paper. Tests: tests/analysis/report/test_html.cpp
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analysis/report/result.hpp"

namespace gammascope::report {

/// A plot that was drawn, or was to be.
struct Drawing {
  std::string name, title, caption;
  std::string svg;  ///< the text of NAME.svg as gnuplot wrote it; empty: not drawn
};

/// One result on a page of several.
struct Chapter {
  std::string heading;  ///< plain text
  const Result* result = nullptr;
  std::span<const Drawing> drawings;  ///< names distinct over the whole page
  std::string missing;                ///< as for to_html
};

/// A page of several results, each under its heading, with a list of them at the top.
[[nodiscard]] std::string to_html(std::string_view title, std::span<const Chapter> chapters);

/// The page. Every text of the result is escaped; the same result and drawings give the same bytes.
/// @param missing why drawings are not there, a sentence; empty if they are
[[nodiscard]] std::string to_html(const Result& result,
                                  std::span<const Drawing> drawings,
                                  std::string_view missing = {});

/// & < > " ' as entities; control characters that XML cannot hold, and bytes that are no UTF-8, as
/// U+FFFD.
[[nodiscard]] std::string escape_html(std::string_view text);

/// gnuplot's SVG made ready to stand inside a page: no prolog, ids made unique with `name`, its
/// text colour left to the page, and `title` for those who cannot see it.
[[nodiscard]] std::string inline_svg(std::string_view svg,
                                     std::string_view name,
                                     std::string_view title);

}  // namespace gammascope::report
