// SPDX-License-Identifier: MIT
// What `plot` and `report` draw: a result, the result in a folder, or a log that is measured first.
// Tests: tests/analysis/cli/test_draw.cpp
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "analysis/cli/options.hpp"
#include "analysis/report/result.hpp"
#include "analysis/report/tails.hpp"

namespace gammascope::cli {

/// The result.json that `input` is or holds (by its schema line); absent if it is something else.
[[nodiscard]] std::optional<std::filesystem::path> result_file(const std::string& input);

struct DrawnResult {
  std::string heading;  ///< verb and what was read
  report::Result result;
  std::optional<report::Tails> tails;  ///< of a log; a result.json does not hold them
};

/// The result of `logs`: one result.json (known by its schema line) or a folder with one, else logs
/// measured as `measure` does.
/// @throws UsageError for a result beside other inputs; BadData, NoInput as the readers
[[nodiscard]] DrawnResult result_of(const LogOptions& logs,
                                    const CellOptions& cells,
                                    bool force,
                                    bool quiet);

/// The same for a page of several: one part for the logs together (if there are any), one for each
/// result, in the order given.
[[nodiscard]] std::vector<DrawnResult> results_of(const LogOptions& logs,
                                                  const CellOptions& cells,
                                                  bool force,
                                                  bool quiet);

}  // namespace gammascope::cli
