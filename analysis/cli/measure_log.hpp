// SPDX-License-Identifier: MIT
// Logs measured as `measure` does it, for the verbs that go on with the result. Tests:
// tests/analysis/cli/test_draw.cpp
#pragma once

#include <optional>
#include <vector>

#include "analysis/cli/options.hpp"
#include "analysis/measure/split_sweep.hpp"
#include "analysis/measure/state.hpp"
#include "analysis/report/result.hpp"
#include "analysis/report/tails.hpp"

namespace gammascope::cli {

struct MeasuredLog {
  report::Result result;
  report::Tails tails;                  ///< of the log-ratios of all sampled tokens
  std::optional<measure::State> state;  ///< of the last reading
  std::vector<Cell> by;                 ///< cells of each part, with --by
  double unevenness = 1;                ///< of the parts' tokens
};

/// Two readings of the logs: what is there, then mean, variance, second moment and the split
/// between and within prompts of every cell that the options ask for.
/// @param force go on although a rule of the first look says the log cannot be trusted
/// @param parts the state is to be merged with those of other logs: refuses what would depend on
///   this one
/// @param by adds a reading, for the parts
/// @throws UsageError naming the option; BadData; NoInput
[[nodiscard]] MeasuredLog measure_log(const LogOptions& logs,
                                      const CellOptions& cells,
                                      bool force,
                                      bool quiet,
                                      bool parts = false,
                                      std::optional<measure::By> by = std::nullopt);

}  // namespace gammascope::cli
