// SPDX-License-Identifier: MIT
// config.toml: the settings that made a result, for `gammascope run config.toml` (docs/formats.md).
// Tests: tests/analysis/report/test_config_toml.cpp
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/report/result.hpp"

namespace gammascope::report {

struct ConfigOption {
  std::string name;  ///< without the two dashes
  Setting value;
  std::int64_t line = 0;  ///< 1-based, where it was read; 0: not from a file
};

struct Config {
  std::string version;  ///< of the program that wrote it
  std::string verb;
  std::string folder;  ///< of the run, as seen from the folder of this file; empty: not known
  std::vector<std::string> files;     ///< as they were given, so seen from `folder`
  std::vector<ConfigOption> options;  ///< in the order of the file
};

/// The text of config.toml: version, verb, folder (left out if empty), files, then a table
/// [options]; every double reads back to the same bits.
[[nodiscard]] std::string to_toml(const Config& config);

/// Of a run: verb, settings and files; `folder` empty.
[[nodiscard]] Config config_of(const std::string& verb,
                               const std::vector<std::string>& files,
                               const std::vector<std::pair<std::string, Setting>>& settings);
/// Of a result, with the version that made it.
[[nodiscard]] Config config_of(const Result& result);

/// @param file named in errors
/// @throws BadData naming file, line and key: not TOML, a key missing or unknown, a value that no
/// option has (dates, tables, lists that are empty or of mixed kinds), a NUL character anywhere
[[nodiscard]] Config from_toml(std::string_view text, const std::string& file);

}  // namespace gammascope::report
