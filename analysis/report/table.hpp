// SPDX-License-Identifier: MIT
// A table of text whose columns line up and that never passes the width it was given. Tests:
// tests/analysis/report/test_table.cpp
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "analysis/report/text.hpp"

namespace gammascope::report {

enum class Align : std::uint8_t { left, right, decimal };  ///< decimal: points under each other

/// One column.
struct Column {
  std::string title;  ///< with its unit
  Align align = Align::left;
  int rank =
      0;  ///< when the table is too wide, the column with the largest rank goes first; 0 stays
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// @param cells one text per column, unpainted; control characters are made harmless
  /// @param colour of the first cell of the row
  /// @throws std::invalid_argument if the number of cells is not that of the columns
  void add_row(std::vector<std::string> cells, Colour colour = Colour::none);

  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

  /// Title line and rows, each line ending in a newline and none in a space. Too wide: first the
  /// gaps shrink from two columns to one, then columns go by rank, then the widest are shortened
  /// ("...").
  [[nodiscard]] std::string text(const TextStyle& style = {}) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Colour colour;
  };
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace gammascope::report
