// SPDX-License-Identifier: MIT
#include "analysis/cli/by_parts.hpp"

#include <algorithm>
#include <limits>

#include <CLI/CLI.hpp>

#include "analysis/measure/parallel.hpp"
#include "analysis/report/cell_groups.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/table.hpp"

namespace gammascope::cli {

namespace {

constexpr std::size_t most_tables = 8;

std::string spaced(std::string_view word) {
  std::string text(word);
  std::ranges::replace(text, '_', ' ');
  return text;
}

const Cell* find(const std::vector<Cell>& cells, Quantity quantity, const Cell& like) {
  const bool whole = quantity == Quantity::tokens || quantity == Quantity::token_share;
  const auto at = std::ranges::find_if(cells, [&](const Cell& c) {
    return c.quantity == quantity && c.group == like.group &&
           (whole || (c.alignment == like.alignment && c.gamma == like.gamma && c.n == like.n));
  });
  return at == cells.end() ? nullptr : &*at;
}

std::string share_text(const Cell* cell) {
  return cell != nullptr && cell->value ? report::percent(*cell->value) : "-";
}

/// All parts in the place of `like`, largest share of the variance first.
std::string table_of(const std::vector<Cell>& cells,
                     const Cell& like,
                     const report::TextStyle& style) {
  std::vector<const Cell*> variances;
  for (const Cell& c : cells)
    if (c.quantity == Quantity::variance && c.group && c.alignment == like.alignment &&
        c.gamma == like.gamma && c.n == like.n)
      variances.push_back(&c);
  report::Table table({{"part"},
                       {"rows", report::Align::right, 4},
                       {"tokens", report::Align::right, 3},
                       {"of tokens", report::Align::right},
                       {"Var A", report::Align::decimal},
                       {report::limits_title(like.confidence), report::Align::left, 2},
                       {"of Var A", report::Align::right},
                       {"limits", report::Align::left, 1},
                       {"label", report::Align::left, 5}});
  for (const Cell* v : variances) {
    const Cell* const tokens = find(cells, Quantity::tokens, *v);
    const Cell* const share = find(cells, Quantity::variance_share, *v);
    const bool limits = share != nullptr && share->lower && share->upper;
    table.add_row(
        {*v->group,
         report::count(v->rollouts),
         tokens != nullptr ? report::count(static_cast<std::int64_t>(*tokens->value)) : "-",
         share_text(find(cells, Quantity::token_share, *v)),
         report::number(v->value),
         report::limits(v->lower, v->upper),
         share_text(share),
         limits ? report::percent(*share->lower) + " to " + report::percent(*share->upper) : "-",
         spaced(name(v->status))});
  }
  return "by " + report::place(like.alignment, like.n) + ", gamma " +
         report::exact_number(like.gamma.value_or(0)) + " (variance in nats^2)\n" +
         table.text(style);
}

}  // namespace

void add_by_option(CLI::App& app, std::string& by) {
  app.add_option("--by", by, "in parts: teacher | domain | turn | step | finish_reason")
      ->type_name("FIELD")
      ->group("what is measured");
}

std::optional<measure::By> by_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return word<measure::By>("--by", text);
}

measure::SplitSweep split_of(const LogSource& source,
                             const FirstPass& first,
                             const measure::Plan& plan,
                             unsigned threads,
                             measure::By by,
                             const std::function<bool(const RolloutRecord&)>& keep) {
  return measure::consume(source.rows(first, keep), threads, measure::SplitSweep(plan, by));
}

std::vector<Cell> cells_of(const measure::SplitSweep& split) {
  std::vector<Cell> cells = measure::token_cells(split);
  for (std::size_t i = 0; i < split.plan().cells().size(); ++i)
    for (Cell& cell : measure::part_cells(split, i)) cells.push_back(std::move(cell));
  return cells;
}

double unevenness(const measure::SplitSweep& split) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0;
  for (const auto& [key, part] : split.parts()) {
    if (part.tokens == 0) continue;
    least = std::min(least, part.tokens);
    most = std::max(most, part.tokens);
  }
  return most > 0 ? static_cast<double>(most) / static_cast<double>(least) : 1.0;
}

std::string by_text(const std::vector<Cell>& cells, const report::TextStyle& style) {
  std::string text;
  std::vector<const Cell*> places;
  for (const Cell& c : cells) {
    if (c.quantity != Quantity::variance || !c.group) continue;
    const bool known = std::ranges::any_of(places, [&](const Cell* p) {
      return p->alignment == c.alignment && p->gamma == c.gamma && p->n == c.n;
    });
    if (!known) places.push_back(&c);
  }
  for (std::size_t i = 0; i < std::min(places.size(), most_tables); ++i)
    text += table_of(cells, *places[i], style) + "\n";
  if (places.size() > most_tables)
    text +=
        "and " + std::to_string(places.size() - most_tables) + " more tables: --json or --out\n\n";
  return text;
}

}  // namespace gammascope::cli
