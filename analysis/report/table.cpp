// SPDX-License-Identifier: MIT
#include "analysis/report/table.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace gammascope::report {
namespace {

/// Where the decimal point stands, or would: after the first run of digits and signs.
std::size_t point(std::string_view text) {
  const std::size_t at = text.find_first_not_of("+-0123456789 ");
  return at == std::string_view::npos ? text.size() : at;
}

/// Columns of text and the widths they take.
struct Layout {
  std::vector<std::size_t> shown;  ///< indices of columns
  std::vector<std::size_t> width;  ///< of each column, shown or not
  std::size_t gap = 2;

  [[nodiscard]] std::size_t total() const {
    std::size_t sum = shown.empty() ? 0 : gap * (shown.size() - 1);
    for (const std::size_t c : shown) sum += width[c];
    return sum;
  }
};

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::size_t own = display_width(text);
  const std::string space(width > own ? width - own : 0, ' ');
  return align == Align::left ? text + space : space + text;
}

void make_fit(Layout& layout, const std::vector<Column>& columns, std::size_t width) {
  if (layout.total() > width) layout.gap = 1;
  while (layout.total() > width) {
    const auto victim =
        std::ranges::max_element(layout.shown, {}, [&](std::size_t c) { return columns[c].rank; });
    if (victim == layout.shown.end() || columns[*victim].rank == 0) break;
    layout.shown.erase(victim);
    layout.gap = 2;
    if (layout.total() > width) layout.gap = 1;
  }
  while (layout.total() > width) {
    const std::size_t widest =
        *std::ranges::max_element(layout.shown, {}, [&](std::size_t c) { return layout.width[c]; });
    if (layout.width[widest] <= 1) break;
    --layout.width[widest];
  }
}

}  // namespace

void Table::add_row(std::vector<std::string> cells, Colour colour) {
  if (cells.size() != columns_.size())
    throw std::invalid_argument("Table: a row needs one text for each column");
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back({std::move(cells), colour});
}

std::string Table::text(const TextStyle& style) const {
  if (columns_.empty()) return {};
  // Points under each other: pad each number on the right to the longest fraction of its column.
  std::vector<std::vector<std::string>> texts;
  for (const Row& row : rows_) texts.push_back(row.cells);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].align != Align::decimal) continue;
    std::size_t fraction = 0;
    for (const auto& row : texts)
      fraction = std::max(fraction, display_width(row[c]) - point(row[c]));
    for (auto& row : texts) row[c].append(fraction - (display_width(row[c]) - point(row[c])), ' ');
  }

  Layout layout;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = display_width(columns_[c].title);
    for (const auto& row : texts) width = std::max(width, display_width(row[c]));
    layout.shown.push_back(c);
    layout.width.push_back(width);
  }
  make_fit(layout, columns_, style.width);

  std::string result;
  const auto add_line = [&](const std::vector<std::string>& cells, Colour first, Colour rest) {
    std::string line;
    for (std::size_t i = 0; i < layout.shown.size(); ++i) {
      const std::size_t c = layout.shown[i];
      const std::string cell =
          padded(shorten(cells[c], layout.width[c]), layout.width[c], columns_[c].align);
      if (i > 0) line.append(layout.gap, ' ');
      line += paint(cell, i == 0 ? first : rest, style);
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    result += line + "\n";
  };
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  add_line(titles, Colour::dim, Colour::dim);
  for (std::size_t r = 0; r < rows_.size(); ++r) add_line(texts[r], rows_[r].colour, Colour::none);
  return result;
}

}  // namespace gammascope::report
