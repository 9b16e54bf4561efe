// SPDX-License-Identifier: MIT
// The options that several verbs share, spelled the same everywhere (docs/map.md), and their final
// values as settings of a result. Kept as the text the user gave: parsed here, not by the
// command-line library, so that no locale is asked and every error names option and value. Tests:
// tests/analysis/cli/test_options.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/core/shortened.hpp"
#include "analysis/credit/clock.hpp"
#include "analysis/io/log_reader.hpp"
#include "analysis/measure/plan.hpp"
#include "analysis/report/result.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace gammascope::cli {

using SettingList = std::vector<std::pair<std::string, report::Setting>>;

/// A finite number. @throws UsageError naming option and value
[[nodiscard]] double number(const std::string& option, const std::string& text);
/// An integer >= least. @throws UsageError naming option and value
[[nodiscard]] std::int64_t integer(const std::string& option,
                                   const std::string& text,
                                   std::int64_t least);
/// "0,0.9,1" -> its parts; empty parts are errors. @throws UsageError naming option and value
[[nodiscard]] std::vector<std::string> split_list(const std::string& option,
                                                  const std::string& text);
[[nodiscard]] std::vector<double> numbers(const std::string& option, const std::string& text);

/// The enumerator spelled `text`. @throws UsageError naming option, value and the words that exist
template <class E>
[[nodiscard]] E word(const std::string& option, const std::string& text) {
  if (const auto e = parse<E>(text)) return *e;
  throw UsageError(option + ": no such value: '" + shortened(text) + "' (" + all_names<E>() + ")");
}

/// Which logs, and what is done with what is wrong in them.
struct LogOptions {
  std::vector<std::string> logs;
  std::string nonfinite = "error", on_error = "stop", from, max_line = "1GiB", sample = "100%";

  [[nodiscard]] io::ReadOptions read_options() const;
  /// Share of the prompts, in (0, 1]; chosen by hash, so the same prompts at every call.
  [[nodiscard]] double sample_share() const;
  /// Appends the final values. @throws as the accessors
  void describe(SettingList& settings) const;
};

/// Which cells, and how they are summed.
struct CellOptions {
  std::string gamma = "0,0.9,0.99,1", alignment = "window", at, start = "0", clock = "skip",
              truncated = "keep", weight = "row", max_length, noise_floor, confidence = "0.95",
              threads = "0";

  [[nodiscard]] std::vector<double> gammas() const;  ///< ascending, distinct, each in [0, 1]
  [[nodiscard]] std::vector<Alignment> alignments() const;
  /// Positions, horizons or windows of one alignment: `at`, or the median length (position: 0).
  /// @param longest tokens of the longest response, for `log` and `all`
  [[nodiscard]] std::vector<std::int64_t> places(Alignment alignment,
                                                 std::int64_t median,
                                                 std::int64_t longest) const;
  [[nodiscard]] std::optional<std::int64_t> given_max_length() const;
  [[nodiscard]] std::optional<double> given_noise_floor() const;
  [[nodiscard]] double confidence_level() const;
  [[nodiscard]] unsigned thread_count() const;  ///< 0: one per core; changes no result
  void describe(SettingList& settings) const;
};

/// Where the answer goes.
struct OutputOptions {
  bool json_given = false;
  std::string json;  ///< empty or "-": standard output
  std::string out;   ///< --out DIR; empty: none
  bool force = false, quiet = false;

  [[nodiscard]] bool json_to_stdout() const { return json_given && (json.empty() || json == "-"); }
  [[nodiscard]] bool json_to_file() const { return json_given && !json_to_stdout(); }
};

void add_log_options(CLI::App& app, LogOptions& options);
void add_cell_options(CLI::App& app, CellOptions& options);
void add_output_options(CLI::App& app, OutputOptions& options);
/// --json alone, for verbs whose other outputs are described otherwise.
void add_json_option(CLI::App& app, OutputOptions& options);

}  // namespace gammascope::cli
