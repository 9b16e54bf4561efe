// SPDX-License-Identifier: MIT
// gnuplot's SVG as part of a page.
#include <cctype>
#include <string>

#include "analysis/report/html.hpp"

namespace gammascope::report {
namespace {

bool is_id_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

/// Every `mark` followed by an id gets `prefix` before the id.
void prefix_ids(std::string& text, std::string_view mark, std::string_view prefix) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + mark.size())) {
    at += mark.size();
    if (at < text.size() && is_id_character(text[at])) text.insert(at, prefix);
  }
}

void erase_between(std::string& text, std::string_view open, std::string_view close) {
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open)) {
    const std::size_t end = text.find(close, at);
    if (end == std::string::npos) return;
    text.erase(at, end + close.size() - at);
  }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

std::string inline_svg(std::string_view svg, std::string_view name, std::string_view title) {
  const std::size_t body = svg.find("<svg");
  if (body == std::string_view::npos) return {};
  std::string text(svg.substr(body));
  const std::size_t end = text.rfind("</svg>");
  if (end != std::string::npos) text.erase(end + 6);
  erase_between(text, "<title>", "</title>");
  erase_between(text, "<desc>", "</desc>");
  // Ids of several plots would clash in one page.
  const std::string prefix = std::string(name) + "-";
  for (const std::string_view mark : {"id=\"", "id='", "href=\"#", "href='#", "url(#"})
    prefix_ids(text, mark, prefix);
  // What gnuplot draws in black is text and frame: they take the colour of the page.
  for (const std::string_view attribute : {"color", "fill", "stroke"})
    for (const std::string_view quote : {"\"", "'"}) {
      const std::string start = std::string(attribute) + "=" + std::string(quote);
      replace_all(
          text, start + "black" + std::string(quote), start + "currentColor" + std::string(quote));
    }
  const std::string label = escape_html(title);
  const std::size_t open_end = text.find('>');
  if (open_end == std::string::npos) return {};
  text.insert(open_end + 1, "<title>" + label + "</title>");
  text.insert(4, " role=\"img\" aria-label=\"" + label + "\"");
  return text;
}

}  // namespace gammascope::report
