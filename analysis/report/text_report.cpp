// SPDX-License-Identifier: MIT
#include "analysis/report/text_report.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "analysis/report/number.hpp"
#include "analysis/report/table.hpp"

namespace gammascope::report {
namespace {

Colour colour_of(Outcome outcome) {
  if (outcome == Outcome::pass) return Colour::good;
  return outcome == Outcome::fail ? Colour::bad : Colour::doubt;
}

/// Claims may be long; the numbers beside them must fit.
constexpr std::size_t widest_claim = 36;

std::string word(std::string_view text) {
  std::string result(text);
  std::ranges::replace(result, '_', ' ');
  return result;
}

std::string scalars_table(const CellGroup& group, const TextStyle& style) {
  const bool placed =
      std::ranges::any_of(group.cells, [](const Cell& c) { return bool(c.alignment); });
  std::vector<Column> columns{{"quantity"}, {"value", Align::decimal}, {"unit"}};
  if (placed) columns.push_back({"by", Align::left, 2});
  columns.push_back({limits_title(group.cells.front().confidence), Align::left});
  columns.insert(columns.end(),
                 {{"prompts", Align::right, 3}, {"rows", Align::right, 4}, {"label"}});
  Table table(columns);
  for (const Cell& cell : group.cells) {
    std::vector<std::string> row{
        words(cell.quantity), number(cell.value), std::string(unit(cell.quantity))};
    if (placed) row.push_back(place(cell.alignment, std::nullopt));
    row.insert(row.end(),
               {limits(cell.lower, cell.upper),
                count(cell.prompts),
                count(cell.rollouts),
                word(name(cell.status))});
    table.add_row(row);
  }
  return table.text(style);
}

std::string long_table(const CellGroup& group, const TextStyle& style) {
  const bool any_n = std::ranges::any_of(group.cells, [](const Cell& c) { return bool(c.n); });
  const bool any_limits =
      std::ranges::any_of(group.cells, [](const Cell& c) { return c.lower || c.upper; });
  const bool counted =
      std::ranges::any_of(group.cells, [](const Cell& c) { return c.rollouts > 0; });
  std::vector<Column> columns{{"gamma"}};
  if (any_n) columns.push_back({"n", Align::right});
  columns.push_back({"value", Align::decimal});
  if (any_limits) columns.push_back({limits_title(group.cells.front().confidence)});
  if (counted)
    columns.insert(columns.end(), {{"prompts", Align::right, 1}, {"rows", Align::right, 2}});
  columns.push_back({"label"});
  Table table(columns);
  for (const Cell& cell : group.cells) {
    std::vector<std::string> row{cell.gamma ? exact_number(*cell.gamma) : "-"};
    if (any_n) row.push_back(cell.n ? count(*cell.n) : "-");
    row.push_back(number(cell.value));
    if (any_limits) row.push_back(limits(cell.lower, cell.upper));
    if (counted) row.insert(row.end(), {count(cell.prompts), count(cell.rollouts)});
    row.push_back(word(name(cell.status)));
    table.add_row(row);
  }
  return table.text(style);
}

char mark(CellStatus status) {
  switch (status) {
    case CellStatus::tentative:
      return '~';
    case CellStatus::unreliable:
      return '?';
    case CellStatus::degenerate:
      return '=';
    case CellStatus::ok:
    case CellStatus::exact:
    case CellStatus::not_available:
      break;
  }
  return ' ';
}

/// n down, gamma across, as many gammas side by side as fit.
std::string matrix(const CellGroup& group, const TextStyle& style) {
  std::vector<std::optional<double>> gammas;
  std::map<std::optional<std::int64_t>, std::map<std::optional<double>, std::string>> rows;
  for (const Cell& cell : group.cells) {
    if (gammas.empty() || gammas.back() != cell.gamma) gammas.push_back(cell.gamma);
    std::string& text = rows[cell.n][cell.gamma];
    text = number(cell.value);
    text += mark(cell.status);
  }
  std::string result;
  constexpr std::size_t column_width = 12;
  const std::size_t side_by_side = std::max<std::size_t>(1, (style.width - 10) / column_width);
  for (std::size_t first = 0; first < gammas.size(); first += side_by_side) {
    const std::size_t last = std::min(gammas.size(), first + side_by_side);
    std::vector<Column> columns{{"n", Align::right}};
    for (std::size_t g = first; g < last; ++g)
      columns.push_back({gammas[g] ? "g " + exact_number(*gammas[g]) : "-", Align::decimal});
    Table table(columns);
    for (const auto& [n, values] : rows) {
      std::vector<std::string> row{n ? count(*n) : "-"};
      for (std::size_t g = first; g < last; ++g) {
        const auto at = values.find(gammas[g]);
        row.push_back(at == values.end() ? "" : at->second);
      }
      table.add_row(row);
    }
    result += table.text(style);
  }
  return result +
         "  marks: ~ tentative, ? unreliable, = degenerate, - not available; limits: --json\n";
}

/// Why verdicts are no pass, each outcome and explanation once.
struct Sentence {
  const Verdict* first;
  std::string said;
  std::size_t times;
};

std::vector<Sentence> sentences_of(std::span<const Verdict> verdicts,
                                   const std::vector<std::size_t>& order) {
  std::vector<Sentence> all;
  for (const std::size_t i : order) {
    const Verdict& v = verdicts[i];
    if (v.outcome == Outcome::pass) continue;
    std::string said = explanation(v);
    const auto same = std::ranges::find_if(
        all, [&](const Sentence& s) { return s.first->outcome == v.outcome && s.said == said; });
    if (same == all.end())
      all.push_back({&v, std::move(said), 1});
    else
      ++same->times;
  }
  return all;
}

}  // namespace

std::string source_text(const Source& source) {
  std::string text;
  if (source.rollouts > 0) {
    std::string line = count(source.rollouts) + " rollouts of " + count(source.prompts) +
                       " prompts, " + count(source.tokens) + " tokens";
    if (source.truncated > 0)
      line +=
          ", " + count(source.truncated) + " cut (" +
          percent(static_cast<double>(source.truncated) / static_cast<double>(source.rollouts)) +
          ")";
    if (!source.dialect.empty()) line += "; " + source.dialect;
    text += hanging("log      ", line, {});
  }
  if (!source.files.empty()) {
    text += "from     " + shorten(printable(source.files.front()), 60);
    if (source.files.size() > 1)
      text += " and " + count(std::int64_t(source.files.size()) - 1) + " more";
    text += "\n";
  }
  if (!source.dropped.empty()) {
    std::string line;
    for (const auto& [reason, times] : source.dropped)
      line.append(line.empty() ? "" : ", ").append(count(times)).append(" ").append(word(reason));
    text += hanging("dropped  ", line, {});
  }
  return text;
}

std::string cells_text(std::span<const Cell> cells,
                       const TextStyle& style,
                       std::size_t long_group) {
  std::string text;
  for (const CellGroup& group : group_cells(cells)) {
    if (!text.empty()) text += "\n";
    text += paint(wrap(printable(group.title()), style.width), Colour::strong, style) + "\n";
    const bool is_grid = !group.scalars && group.cells.size() > long_group &&
                         group.cells.front().gamma != group.cells.back().gamma;
    text += group.scalars ? scalars_table(group, style)
            : is_grid     ? matrix(group, style)
                          : long_table(group, style);
    for (const std::string& reason : reasons(group)) text += hanging("  ", reason, style);
    if (const std::string sentence = limits_sentence(group); !sentence.empty())
      text += hanging("  ", sentence, style);
  }
  return text;
}

std::string verdicts_text(std::span<const Verdict> verdicts, const TextStyle& style) {
  if (verdicts.empty()) return {};
  Table table({{"verdict"},
               {"claim"},
               {"at"},
               {"gamma"},
               {"value", Align::decimal},
               {"limits", Align::left, 1},
               {"bound", Align::decimal},
               {"used", Align::right, 2},
               {"p (Holm)", Align::right}});
  const std::vector<std::size_t> order = worst_first(verdicts);
  for (const std::size_t i : order) {
    const Verdict& v = verdicts[i];
    const auto share = used_share(v);
    table.add_row({std::string(name(v.outcome)),
                   shorten(short_claim(v.claim), widest_claim),
                   place(v.alignment, v.n),
                   v.gamma ? exact_number(*v.gamma) : "-",
                   number(v.value),
                   limits(v.lower, v.upper),
                   bound_text(v),
                   share ? percent(*share) : "-",
                   p_value(deciding_p(v))},
                  colour_of(v.outcome));
  }
  std::string text =
      paint("verdicts, worst first; " + units_text(verdicts), Colour::strong, style) + "\n";
  text += table.text(style);

  std::string inputs = "bounds took ";
  const std::vector<std::string> each = inputs_text(verdicts);
  constexpr std::size_t shown = 12;
  for (std::size_t i = 0; i < std::min(each.size(), shown); ++i)
    inputs += (i > 0 ? ", " : "") + each[i];
  if (each.size() > shown) inputs += ", and " + std::to_string(each.size() - shown) + " more";
  const bool by_halves = std::ranges::any_of(verdicts, [](const Verdict& v) {
    return std::ranges::any_of(
        v.inputs, [](const BoundInput& i) { return i.origin == Origin::other_prompts; });
  });
  if (by_halves)
    inputs +=
        "; where sigma2 is of other prompts, Var A is of the half of the prompts judged by it";
  if (!each.empty()) text += hanging("  ", inputs, style);

  const std::vector<Sentence> sentences = sentences_of(verdicts, order);
  for (std::size_t i = 0; i < std::min(sentences.size(), shown); ++i) {
    const auto& [of, said, times] = sentences[i];
    std::string line(name(of->outcome));
    if (times > 1)
      line += " (" + std::to_string(times) + " of " + std::to_string(verdicts.size()) + ")";
    else
      line += ", " + at_text(*of);
    text += hanging("  ", line + ": " + said, style);
  }
  if (sentences.size() > shown)
    text += "  and " + std::to_string(sentences.size() - shown) + " more sentences: --json\n";
  return text;
}

std::string detectable_text(std::span<const Verdict> verdicts, const TextStyle& style) {
  Table table({{"claim"},
               {"at"},
               {"gamma"},
               {"bound", Align::decimal},
               {"holds: found from", Align::decimal},
               {"broken: found from", Align::decimal}});
  constexpr std::size_t shown = 12;
  std::size_t rows = 0;
  for (const Verdict& v : verdicts) {
    if (!v.detect_pass && !v.detect_fail) continue;
    if (++rows > shown) continue;
    table.add_row({shorten(v.claim, widest_claim),
                   place(v.alignment, v.n),
                   v.gamma ? exact_number(*v.gamma) : "-",
                   bound_text(v),
                   number(v.detect_pass),
                   number(v.detect_fail)});
  }
  if (table.empty()) return {};
  std::string text =
      paint("before anything is judged: a truth that a log like this one finds in 80 % of runs",
            Colour::strong,
            style) +
      "\n" + table.text(style);
  if (rows > shown) text += "  and " + std::to_string(rows - shown) + " more: --json\n";
  return text;
}

std::string findings_text(std::span<const Finding> findings, const TextStyle& style) {
  std::string text;
  for (const Finding& f : findings) {
    std::string line(name(f.severity));
    line.append(line.size() < 9 ? 9 - line.size() : 1, ' ');
    const Colour colour = f.severity == Severity::error     ? Colour::bad
                          : f.severity == Severity::warning ? Colour::doubt
                                                            : Colour::none;
    std::string rest = f.rule + ": " + f.message;
    for (const auto& [key, value] : f.where) rest += " [" + key + " " + value + "]";
    text += hanging(line, rest, style, colour);
  }
  return text;
}

std::string result_text(const Result& result, const TextStyle& style) {
  std::string text;
  const auto add = [&](const std::string& section) {
    if (section.empty()) return;
    if (!text.empty()) text += "\n";
    text += section;
  };
  add(source_text(result.source));
  add(findings_text(result.findings, style));
  add(detectable_text(result.verdicts, style));
  add(verdicts_text(result.verdicts, style));
  add(cells_text(result.cells, style));
  if (!result.summary.empty()) add(hanging("", result.summary, style));
  return text;
}

}  // namespace gammascope::report
