// SPDX-License-Identifier: MIT
// What judging a log needs besides its sweep. Tests: tests/analysis/cli/test_check.cpp
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "analysis/cli/log_source.hpp"
#include "analysis/verdict/check.hpp"

namespace gammascope::cli {

/// Adds the credit of every row of the KL claims: one sum a response (theory 3e). One reading of
/// the log, if there are any.
void add_credit(std::map<std::size_t, check::KlEValue>& evalues,
                const check::Plan& plan,
                const LogSource& source,
                Clock clock);

/// Why what uses (OP) or the martingale property has no ground in this log; empty if nothing is
/// known against it.
[[nodiscard]] std::string no_prefix_law(const LogSource& source, const FirstPass& first);

}  // namespace gammascope::cli
