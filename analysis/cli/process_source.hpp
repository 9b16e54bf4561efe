// SPDX-License-Identifier: MIT
// Which process `exact` and `simulate` work on: a process file, or a family with parameters.
// Tests: tests/analysis/cli/test_exact.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/cli/options.hpp"
#include "simulators/markov/mixture.hpp"
#include "simulators/markov/process.hpp"

namespace gammascope::cli {

struct ProcessOptions {
  std::string file, family, parameters, max_length;

  /// The process file, if one was given.
  [[nodiscard]] std::vector<std::string> inputs() const;
  /// Appends the final values; `length` is the one that was used.
  void describe(SettingList& settings, std::int64_t length) const;
};

void add_process_options(CLI::App& app, ProcessOptions& options);

struct ProcessSource {
  markov::Mixture mixture;
  markov::Process<double> process;  ///< all prompts together
  std::int64_t max_length;          ///< --max-length, else the file's, else the default
  bool length_of_file;              ///< max_length stands in the process file
  bool realisable;                  ///< some teacher has these log-ratios (OP)
  std::string name;                 ///< the file, or the family with every parameter
  report::Source source;            ///< for the result
};

/// @param largest_asked tokens that the caller needs at least, when no length is given anywhere
/// @throws UsageError unless exactly one of file and family is given, or for a parameter; NoInput,
/// BadData for the file
[[nodiscard]] ProcessSource load_process(const ProcessOptions& options,
                                         std::int64_t largest_asked = 0);

}  // namespace gammascope::cli
