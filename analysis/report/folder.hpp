// SPDX-License-Identifier: MIT
// The folder of `--out DIR`: result.json, config.toml, report.html, plots/. It appears whole or not
// at all: written beside as DIR.tmp.PID, flushed to disk, renamed. Tests:
// tests/analysis/report/test_folder.cpp
#pragma once

#include <filesystem>
#include <string>

#include "analysis/report/config_toml.hpp"
#include "analysis/report/result.hpp"
#include "analysis/report/tails.hpp"

namespace gammascope::report {

struct FolderOptions {
  bool force = false;              ///< replace a folder of an earlier run
  const Tails* tails = nullptr;    ///< adds the plot of the tails
  const Config* config = nullptr;  ///< what repeats the run; null: config_of(result)
};

/// Refuses early, before anything was measured: `folder` exists and may not be replaced. An empty
/// folder may be; with `force` one that holds a result.json too, never anything else.
/// @throws UsageError with what to do
void check_folder_free(const std::filesystem::path& folder, bool force);

/// Writes the folder. Without gnuplot it is complete but for PNG and SVG, and then Unavailable is
/// thrown. On any other error, on a full disk or when interrupted nothing is left; a process killed
/// outright may leave DIR.tmp.PID, never half a DIR. With `force` the old folder is there until the
/// new one is.
/// @throws UsageError as check_folder_free; NoInput naming what could not be written; Interrupted;
///   Unavailable (all else is written)
void write_folder(const Result& result,
                  const std::filesystem::path& folder,
                  const FolderOptions& options = {});

/// The same without page and plots, for answers that are no Result: `json` as result.json, and
/// config.toml.
/// @throws as write_folder, but never Unavailable
void write_bare_folder(const std::string& json,
                       const Config& config,
                       const std::filesystem::path& folder,
                       bool force);

}  // namespace gammascope::report
