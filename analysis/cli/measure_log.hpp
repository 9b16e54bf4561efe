// SPDX-License-Identifier: MIT
// Logs measured as `measure` does it, for the verbs that go on with the result. Tests:
// tests/analysis/cli/test_draw.cpp
#pragma once

#include "analysis/cli/options.hpp"
#include "analysis/report/result.hpp"
#include "analysis/report/tails.hpp"

namespace gammascope::cli {

struct MeasuredLog {
  report::Result result;
  report::Tails tails;  ///< of the log-ratios of all sampled tokens
};

/// Two readings of the logs: what is there, then mean, variance, second moment and the split
/// between and within prompts of every cell that the options ask for.
/// @param force go on although a rule of the first look says the log cannot be trusted
/// @throws UsageError naming the option; BadData; NoInput
[[nodiscard]] MeasuredLog measure_log(const LogOptions& logs,
                                      const CellOptions& cells,
                                      bool force,
                                      bool quiet);

}  // namespace gammascope::cli
