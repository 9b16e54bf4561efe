// SPDX-License-Identifier: MIT
#include "analysis/report/html.hpp"

#include <algorithm>
#include <optional>

#include "analysis/core/version.hpp"
#include "analysis/report/cell_groups.hpp"
#include "analysis/report/config_toml.hpp"
#include "analysis/report/html_style.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/utf8.hpp"

namespace gammascope::report {
namespace {

constexpr std::string_view thin = "\u202F";  // narrow blank that does not break

std::string spaced(std::string_view word) {
  std::string text(word);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string element(std::string_view tag, std::string_view classes, std::string_view inner) {
  std::string text = "<" + std::string(tag);
  if (!classes.empty()) text.append(" class=\"").append(classes).append("\"");
  return text.append(">").append(inner).append("</").append(tag).append(">");
}
std::string escaped(std::string_view tag, std::string_view text, std::string_view classes = {}) {
  return element(tag, classes, escape_html(text));
}
std::string number_cell(std::string_view text) { return escaped("td", text, "number"); }
std::string whole(std::int64_t n) { return count(n, thin); }

/// A table that scrolls by itself where the page is narrow. A title that starts with "#" heads
/// numbers.
std::string table(const std::vector<std::string>& titles, const std::string& rows) {
  std::string head;
  for (const std::string& title : titles)
    head +=
        title.starts_with('#') ? escaped("th", title.substr(1), "number") : escaped("th", title);
  return "<div class=\"scroll\"><table><thead><tr>" + head + "</tr></thead><tbody>\n" + rows +
         "</tbody></table></div>\n";
}

std::string_view colour_of(Outcome outcome) {
  if (outcome == Outcome::pass) return "word good";
  return outcome == Outcome::fail ? "word bad" : "word doubt";
}

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string source_part(const Source& s) {
  std::string text = "<dl>";
  const auto row = [&](std::string_view term, const std::string& what) {
    text += escaped("dt", term) + escaped("dd", what);
  };
  std::string files;
  for (const std::string& file : s.files) files += (files.empty() ? "" : ", ") + file;
  if (!files.empty()) row("from", files);
  if (!s.dialect.empty()) row("dialect", s.dialect);
  if (s.rollouts > 0) {
    row("rollouts",
        whole(s.rollouts) + " of " + whole(s.prompts) + " prompts, " + whole(s.tokens) + " tokens");
    row("cut off",
        whole(s.truncated) + " (" +
            percent(static_cast<double>(s.truncated) / static_cast<double>(s.rollouts)) + ")");
  }
  for (const auto& [reason, times] : s.dropped) row("left out: " + spaced(reason), whole(times));
  return text + "</dl>\n";
}

std::string findings_part(const std::vector<Finding>& findings) {
  std::string items;
  for (const Finding& f : findings) {
    std::string more;
    for (const auto& [key, value] : f.where) more += (more.empty() ? "" : ", ") + key + " " + value;
    for (const auto& [key, value] : f.evidence)
      more += (more.empty() ? "" : ", ") + key + " = " + number(value);
    const std::string_view colour = f.severity == Severity::error     ? "word bad"
                                    : f.severity == Severity::warning ? "word doubt"
                                                                      : "word";
    items += "<li>" + escaped("span", name(f.severity), colour) + " " + escaped("code", f.rule) +
             ": " + escape_html(f.message);
    if (!more.empty()) items += " " + escaped("span", "(" + more + ")", "soft");
    items += "</li>\n";
  }
  return element("ul", "", items);
}

/// Two rows a verdict: its numbers, then what the bound took and why. The second is as wide as the
/// screen even where the first has to be scrolled.
std::string verdicts_part(const std::vector<Verdict>& verdicts) {
  const std::vector<std::string> titles{"verdict",
                                        "claim",
                                        "at",
                                        "#gamma",
                                        "#value",
                                        "limits",
                                        "#bound",
                                        "#used",
                                        "#p pass",
                                        "#p fail"};
  const std::string span = std::to_string(titles.size());
  std::string rows;
  for (const std::size_t i : worst_first(verdicts)) {
    const Verdict& v = verdicts[i];
    const auto share = used_share(v);
    std::string inputs;
    for (const BoundInput& input : v.inputs)
      inputs += (inputs.empty() ? " The bound took " : "; ") + input.name + " = " +
                number(input.value) + " (" + spaced(name(input.origin)) + ")";
    if (!inputs.empty()) inputs += ".";
    rows += "<tr class=\"first\">" + escaped("td", name(v.outcome), colour_of(v.outcome)) +
            escaped("td", v.claim, "nobreak") + escaped("td", place(v.alignment, v.n), "nobreak") +
            number_cell(v.gamma ? exact_number(*v.gamma) : "-") + number_cell(number(v.value)) +
            escaped("td", limits(v.lower, v.upper), "nobreak") + number_cell(bound_text(v)) +
            number_cell(share ? percent(*share) : "-") + number_cell(p_value(v.p_pass_adjusted)) +
            number_cell(p_value(v.p_fail_adjusted)) + "</tr>\n<tr><td colspan=\"" + span + "\">" +
            escaped("div", capital(explanation(v, thin)) + inputs, "why") + "</td></tr>\n";
  }
  return table(titles, rows) +
         escaped("p",
                 "p-values are one-sided and adjusted by Holm over all "
                 "claims of the run, pass and fail alike. \"Used\" is the "
                 "measured value over its upper bound. Origins: claimed = given "
                 "by the user; other prompts = estimated on prompts "
                 "that are not under test; exact = from a solved process; "
                 "same rollouts = from the very responses under test, which "
                 "makes the inequality an identity.",
                 "soft");
}

std::string group_part(const CellGroup& group) {
  std::string rows;
  const bool any_n = std::ranges::any_of(group.cells, [](const Cell& c) { return bool(c.n); });
  for (const Cell& cell : group.cells) {
    rows += "<tr>";
    if (group.scalars)
      rows += escaped("td", words(cell.quantity)) +
              escaped("td", place(cell.alignment, cell.n), "nobreak");
    else
      rows += number_cell(cell.gamma ? exact_number(*cell.gamma) : "-");
    if (!group.scalars && any_n) rows += number_cell(cell.n ? whole(*cell.n) : "-");
    rows += number_cell(number(cell.value));
    if (group.scalars) rows += escaped("td", unit(cell.quantity));
    rows +=
        escaped("td", limits(cell.lower, cell.upper), "nobreak") +
        number_cell(whole(cell.prompts)) + number_cell(whole(cell.rollouts)) +
        escaped("td",
                spaced(name(cell.status)),
                cell.status == CellStatus::ok || cell.status == CellStatus::exact ? "word"
                                                                                  : "word doubt") +
        "</tr>\n";
  }
  std::vector<std::string> titles = group.scalars ? std::vector<std::string>{"quantity", "by"}
                                                  : std::vector<std::string>{"#gamma"};
  if (!group.scalars && any_n) titles.emplace_back("#n");
  titles.emplace_back("#value");
  if (group.scalars) titles.emplace_back("unit");
  titles.insert(titles.end(),
                {limits_title(group.cells.front().confidence), "#prompts", "#rows", "label"});
  std::string text = table(titles, rows);
  constexpr std::size_t folded_from = 16;
  if (group.cells.size() > folded_from)
    text = "<details><summary>" + std::to_string(group.cells.size()) + " cells</summary>\n" + text +
           "</details>\n";
  std::string notes;
  for (const std::string& reason : reasons(group)) notes += escaped("li", reason);
  if (!notes.empty()) text += element("ul", "soft", notes) + "\n";
  if (const std::string sentence = limits_sentence(group); !sentence.empty())
    text += escaped("p", sentence, "soft") + "\n";
  return escaped("h3", group.title()) + "\n" + text;
}

std::string drawings_part(std::span<const Drawing> drawings, std::string_view missing) {
  std::string text;
  if (!missing.empty()) text += escaped("p", missing) + "\n";
  for (const Drawing& d : drawings) {
    const std::string svg = inline_svg(d.svg, d.name, d.title);
    if (svg.empty()) continue;
    text += "<figure><div class=\"scroll\">" + svg + "</div>\n" + escaped("figcaption", d.caption) +
            "</figure>\n";
  }
  return text;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = next_code_point(text, at);
    const bool control = c.value < 0x20 && c.value != '\t' && c.value != '\n' && c.value != '\r';
    const bool nothing =
        c.value == 0xFFFE || c.value == 0xFFFF || (c.value >= 0x7F && c.value < 0xA0);
    if (!c.valid || control || nothing)
      result += "\uFFFD";
    else if (c.value == '&')
      result += "&amp;";
    else if (c.value == '<')
      result += "&lt;";
    else if (c.value == '>')
      result += "&gt;";
    else if (c.value == '"')
      result += "&quot;";
    else if (c.value == '\'')
      result += "&#39;";
    else
      result.append(text.substr(at, c.size));
    at += c.size;
  }
  return result;
}

namespace {

std::string page_start(std::string_view title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" +
         escape_html(title) + "</title>\n<style>" + std::string(html_style) +
         "</style>\n</head>\n<body>\n" + escaped("h1", title) + "\n";
}

/// The summary and all sections of one result.
std::string result_part(const Result& result,
                        std::span<const Drawing> drawings,
                        std::string_view missing) {
  const Config config = config_of(result);
  std::string text;
  if (!result.summary.empty()) text += escaped("p", result.summary, "summary") + "\n";
  const auto section = [&](std::string_view heading, const std::string& body) {
    if (!body.empty()) text += "<section>" + escaped("h2", heading) + "\n" + body + "</section>\n";
  };
  section("What was read", source_part(result.source));
  if (!result.findings.empty()) section("Findings, worst first", findings_part(result.findings));
  if (!result.verdicts.empty()) section("Verdicts, worst first", verdicts_part(result.verdicts));
  section("Plots", drawings_part(drawings, missing));
  std::string cells;
  for (const CellGroup& group : group_cells(result.cells)) cells += group_part(group);
  section("Numbers", cells);
  section("How to repeat it",
          "<p>Made by gammascope " + escape_html(config.version) +
              ". <code>gammascope run config.toml</code> repeats the run; these are its "
              "settings, as config.toml holds them:</p>\n<pre>" +
              escape_html(to_toml(config)) + "</pre>\n" +
              escaped("p",
                      "All numbers, with all their digits, are in result.json (schema "
                      "gammascope.result/1); those of the plots "
                      "in plots/*.tsv beside the scripts that draw them.",
                      "soft"));
  return text;
}

}  // namespace

std::string to_html(const Result& result,
                    std::span<const Drawing> drawings,
                    std::string_view missing) {
  return page_start("GammaScope: " + result.verb) + result_part(result, drawings, missing) +
         "</body>\n</html>\n";
}

std::string to_html(std::string_view title, std::span<const Chapter> chapters) {
  std::string text = page_start(title), parts;
  text += "<ol>\n";
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    const Chapter& chapter = chapters[i];
    const std::string id = "part-" + std::to_string(i + 1);
    text += "<li><a href=\"#" + id + "\">" + escape_html(chapter.heading) +
            "</a>: " + escape_html(chapter.result->summary) + "</li>\n";
    parts += "<article id=\"" + id + "\">" + escaped("h1", chapter.heading) + "\n" +
             result_part(*chapter.result, chapter.drawings, chapter.missing) + "</article>\n";
  }
  return text + "</ol>\n" + parts + "</body>\n</html>\n";
}

}  // namespace gammascope::report
