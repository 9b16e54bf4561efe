// SPDX-License-Identifier: MIT
#include "analysis/report/junit.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/report/cell_groups.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/utf8.hpp"

namespace gammascope::report {
namespace {

/// Cells of one claim by one alignment.
struct Family {
  std::string name;
  std::vector<const Verdict*> cells;  ///< worst first
  [[nodiscard]] const Verdict& worst() const { return *cells.front(); }
};

std::vector<Family> families(const Result& result) {
  std::vector<Family> all;
  const auto same = [](const Verdict& a, const Verdict& b) {
    return a.claim == b.claim && a.alignment == b.alignment && a.where == b.where;
  };
  for (const Verdict& v : result.verdicts) {
    const auto at =
        std::ranges::find_if(all, [&](const Family& f) { return same(*f.cells.front(), v); });
    if (at != all.end()) {
      at->cells.push_back(&v);
      continue;
    }
    all.push_back({v.claim, {&v}});
  }
  for (Family& f : all) {
    std::vector<Verdict> cells;
    for (const Verdict* v : f.cells) cells.push_back(*v);
    std::vector<const Verdict*> sorted;
    for (const std::size_t i : worst_first(cells)) sorted.push_back(f.cells[i]);
    f.cells = std::move(sorted);
    // A user's own name says where; that of a bound does not.
    if (const auto alignment = f.worst().alignment;
        alignment && f.name.find(name(*alignment)) == std::string::npos)
      f.name += " by " + std::string(name(*alignment));
  }
  return all;
}

/// "gamma 0.99, window 64: the variance of A is …"
std::string sentence(const Verdict& v) {
  std::string text;
  if (v.gamma) text = "gamma " + exact_number(*v.gamma);
  if (v.alignment) text += (text.empty() ? "" : ", ") + place(v.alignment, v.n);
  return text + (text.empty() ? "" : ": ") + explanation(v);
}

/// All cells that did not pass, one a line.
std::string sentences(const Family& family) {
  std::string text;
  for (const Verdict* v : family.cells)
    if (v->outcome != Outcome::pass)
      text.append(text.empty() ? "" : "\n").append(name(v->outcome)).append(": ") += sentence(*v);
  return text;
}

/// Text of XML 1.0: its five characters escaped, what it forbids as U+FFFD.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = next_code_point(text, at);
    const bool allowed =
        c.valid && (c.value == 0x9 || c.value == 0xA || c.value == 0xD ||
                    (c.value >= 0x20 && c.value <= 0xD7FF) ||
                    (c.value >= 0xE000 && c.value <= 0xFFFD) || c.value >= 0x10000);
    if (!allowed)
      out += "\xEF\xBF\xBD";
    else if (c.value == '&')
      out += "&amp;";
    else if (c.value == '<')
      out += "&lt;";
    else if (c.value == '>')
      out += "&gt;";
    else if (c.value == '"')
      out += "&quot;";
    else if (c.value == '\n')
      out += "&#10;";
    else
      out.append(text.substr(at, c.size));
    at += c.size;
  }
  return out;
}

std::string doctor_errors(const Result& result) {
  std::string text;
  for (const Finding& f : result.findings)
    if (f.severity == Severity::error)
      text.append(text.empty() ? "" : "\n").append(f.rule).append(": ").append(f.message);
  return text;
}

/// %, CR and LF of a message; of a property also : and ,
std::string command_text(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (property && c == ':')
      out += "%3A";
    else if (property && c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

std::string annotation(const char* level,
                       const std::string& file,
                       const std::string& line,
                       const std::string& title,
                       const std::string& message) {
  std::string text = "::" + std::string(level) + " ";
  if (!file.empty()) text += "file=" + command_text(file, true) + ",";
  if (!line.empty()) text += "line=" + line + ",";
  return text + "title=" + command_text(title, true) + "::" + command_text(message, false) + "\n";
}

}  // namespace

std::string to_junit(const Result& result, JunitInconclusive inconclusive) {
  std::size_t failures = 0, skipped = 0, tests = 0;
  std::string cases;
  const auto add = [&](const std::string& name, const std::string& inside) {
    ++tests;
    cases += "    <testcase name=\"" + escaped(name) + "\" classname=\"gammascope." +
             escaped(result.verb) + "\" time=\"0\"";
    cases += inside.empty() ? "/>\n" : ">\n" + inside + "    </testcase>\n";
  };
  const auto failure = [&](const std::string& message, const char* type, const std::string& text) {
    ++failures;
    return "      <failure message=\"" + escaped(message) + "\" type=\"" + type + "\">" +
           escaped(text) + "</failure>\n";
  };
  for (const Family& family : families(result)) {
    const Verdict& worst = family.worst();
    const std::string type(name(worst.outcome));
    if (worst.outcome == Outcome::pass) {
      add(family.name, "");
    } else if (worst.outcome == Outcome::fail || inconclusive == JunitInconclusive::failure) {
      add(family.name, failure(sentence(worst), type.c_str(), sentences(family)));
    } else {
      ++skipped;
      add(family.name,
          "      <skipped message=\"" + escaped(type + ": " + sentence(worst)) + "\"/>\n");
    }
  }
  if (const std::string errors = doctor_errors(result); !errors.empty())
    add("the log can be trusted", failure(errors.substr(0, errors.find('\n')), "doctor", errors));
  std::string log;
  for (const std::string& file : result.source.files)
    log.append(log.empty() ? "" : ", ").append(file);
  const std::string counts = " tests=\"" + std::to_string(tests) + "\" failures=\"" +
                             std::to_string(failures) + "\" errors=\"0\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gammascope\"" + counts +
         " time=\"0\">\n  <testsuite name=\"" + escaped("gammascope " + result.verb + " " + log) +
         "\"" + counts + " skipped=\"" + std::to_string(skipped) + "\" time=\"0\">\n" + cases +
         "  </testsuite>\n</testsuites>\n";
}

std::string to_github(const Result& result) {
  std::string text;
  const std::string log = result.source.files.empty() ? "" : result.source.files.front();
  for (const Family& family : families(result)) {
    const Verdict& worst = family.worst();
    if (worst.outcome == Outcome::pass) continue;
    const std::size_t colon = worst.where.rfind(':');
    const bool placed = colon != std::string::npos;
    text += annotation(worst.outcome == Outcome::fail ? "error" : "warning",
                       placed ? worst.where.substr(0, colon) : log,
                       placed ? worst.where.substr(colon + 1) : "",
                       std::string(name(worst.outcome)) + ": " + family.name,
                       sentences(family));
  }
  if (const std::string errors = doctor_errors(result); !errors.empty())
    text += annotation("error", log, "", "the log cannot be trusted", errors);
  return text;
}

}  // namespace gammascope::report
