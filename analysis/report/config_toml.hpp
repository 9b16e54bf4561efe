// SPDX-License-Identifier: MIT
// config.toml: the settings that made a result, for `gammascope run config.toml` (docs/formats.md).
// toml++ stays in the .cpp. Tests: tests/analysis/report/test_config_toml.cpp
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/report/result.hpp"

namespace gammascope::report {

struct Config {
  std::string version;  ///< of the program that wrote it
  std::string verb;
  std::vector<std::string> files;                        ///< as they were given
  std::vector<std::pair<std::string, Setting>> options;  ///< in the order of the file
};

/// The text of config.toml: version, verb, files, then a table [options]; every double reads back
/// to the same bits.
[[nodiscard]] std::string to_toml(const Config& config);

/// Of a result: its verb, settings and source files.
[[nodiscard]] Config config_of(const Result& result);

/// @param file named in errors
/// @throws BadData naming file, line and key: not TOML, a key missing or unknown, a value that no
/// option
///   has (dates, tables, lists of mixed kinds)
[[nodiscard]] Config from_toml(std::string_view text, const std::string& file);

}  // namespace gammascope::report
