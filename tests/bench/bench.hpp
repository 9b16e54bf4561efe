// SPDX-License-Identifier: MIT
// How speed is judged: every row of docs/performance.md stands beside a ceiling that the same
// binary measures, repetitions interleaved, process CPU time, lower quartile. Absolute times move 2
// to 3 times with the neighbours on a shared machine; ratios hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gammascope::bench {

/// One thing that is timed. `pass` does its whole work once; `items` says how much that is.
struct Timed {
  std::string name;
  std::string unit;  ///< of an item: "token", "multiply+add", "byte", "edge", "cell"
  double items = 0;  ///< of one pass
  std::function<void()> pass;
};

/// What is asked of a row. Shares are speeds: 0.5 of a ceiling is twice its time per item.
struct Target {
  enum class Kind : std::uint8_t {
    share_at_least,  ///< (ceiling's time per item) / (row's) >= value
    times_at_most,   ///< (row's time per item) / (ceiling's) <= value
  } kind = Kind::share_at_least;
  double value = 0;
};

/// A row of the table: `row` against `ceiling`, both names of Timed.
struct Row {
  std::string row, ceiling;
  Target target;
  double ceiling_items = 1;  ///< items of the ceiling that one item of the row amounts to
};

/// The groups, one file each; each appends what it times and the rows that it is judged by.
struct Suite {
  std::vector<Timed> timed;
  std::vector<Row> rows;
};
void add_ceilings(Suite& suite);
void add_credit(Suite& suite);
void add_measure(Suite& suite);
void add_simulators(Suite& suite);
void add_io(Suite& suite);

/// Names shared between files.
inline constexpr const char* stream_ceiling = "ceiling: a = t - s, floats";
inline constexpr const char* arithmetic_ceiling = "ceiling: multiply and add, double";
inline constexpr const char* scan_row = "credit 16 gammas, nothing stored";

/// 1024 rows of 16384 tokens, 192 MiB in all, far beyond every cache. One set for all who stream:
/// equal traffic, equal pages. Log-probabilities in (-8, 0).
struct Columns {
  static constexpr std::size_t rows = 1024, length = 16384;
  std::vector<float> student, teacher, advantage;
};
[[nodiscard]] Columns& columns();

}  // namespace gammascope::bench
