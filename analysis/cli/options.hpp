// SPDX-License-Identifier: MIT
// The options that several verbs share, spelled the same everywhere (docs/map.md), and their final values as settings of a result.
// Tests: tests/analysis/cli/test_options.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/credit/clock.hpp"
#include "analysis/io/log_reader.hpp"
#include "analysis/measure/plan.hpp"
#include "analysis/report/result.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gammascope::cli {

using Settings = std::vector<std::pair<std::string, report::Setting>>;

/// Which logs, and what is done with what is wrong in them.
struct LogOptions {
  std::vector<std::string> logs;
  std::string nonfinite = "error", on_error = "stop", from;
  std::size_t max_line = std::size_t{1} << 30;
  std::string sample = "100%";  ///< of prompts, chosen by hash: the same prompts at every call

  /// @throws UsageError naming option and value
  [[nodiscard]] io::ReadOptions read_options() const;
  [[nodiscard]] double sample_share() const;  ///< in (0, 1]
  void describe(Settings& settings) const;
};

/// Which cells, and how they are summed.
struct CellOptions {
  std::vector<double> gamma{0, 0.9, 0.99, 1};
  std::vector<std::string> alignment{"window"};
  std::vector<std::string> at;  ///< numbers, `log` or `all`; empty: the median length
  std::string start = "0", clock = "skip", truncated = "keep", weight = "row";
  std::optional<std::int64_t> max_length;
  std::optional<double> noise_floor;
  double confidence = 0.95;
  int threads = 0;  ///< 0: one per core; changes no result

  [[nodiscard]] std::vector<Alignment> alignments() const;
  [[nodiscard]] Clock parsed_clock() const;
  void describe(Settings& settings) const;
};

/// Where the answer goes.
struct OutputOptions {
  std::optional<std::string> json;  ///< "-": standard output
  std::string out;                  ///< --out DIR; empty: none
  bool force = false, quiet = false;
};

void add_log_options(CLI::App& app, LogOptions& options);
void add_cell_options(CLI::App& app, CellOptions& options);
void add_output_options(CLI::App& app, OutputOptions& options);

/// "5", "1e-3": a finite number. @throws UsageError naming the option
[[nodiscard]] double number(const std::string& option, const std::string& text);
/// The enumerator spelled `text`. @throws UsageError naming option, value and the words that exist
template <class E>
[[nodiscard]] E word(const std::string& option, const std::string& text) {
  if (const auto e = parse<E>(text)) return *e;
  throw UsageError(option + ": no such value: " + text + " (" + all_names<E>() + ")");
}

}  // namespace gammascope::cli
