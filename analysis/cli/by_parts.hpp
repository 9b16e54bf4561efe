// SPDX-License-Identifier: MIT
// --by: the log in parts, and whose tokens and whose variance it is (case N12).
// Tests: tests/analysis/cli/test_by.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/cli/log_source.hpp"
#include "analysis/measure/split_sweep.hpp"
#include "analysis/report/result.hpp"
#include "analysis/report/text.hpp"

namespace CLI {
class App;
}

namespace gammascope::cli {

void add_by_option(CLI::App& app, std::string& by);
/// Empty text: none. @throws UsageError
[[nodiscard]] std::optional<measure::By> by_of(const std::string& text);

/// A reading of its own.
[[nodiscard]] measure::SplitSweep split_of(
    const LogSource& source,
    const FirstPass& first,
    const measure::Plan& plan,
    unsigned threads,
    measure::By by,
    const std::function<bool(const RolloutRecord&)>& keep = {});

/// Tokens, token_share, and of each cell mean, variance, second moment and variance_share, with the
/// part as `group`.
[[nodiscard]] std::vector<Cell> cells_of(const measure::SplitSweep& split);

/// The largest share of the tokens over the smallest; above `uneven` a pooled number speaks for one
/// part alone.
[[nodiscard]] double unevenness(const measure::SplitSweep& split);
constexpr double uneven = 3;

/// One table a cell of the plan: rows, tokens, shares, variance with limits.
[[nodiscard]] std::string by_text(const std::vector<Cell>& cells, const report::TextStyle& style);

}  // namespace gammascope::cli
