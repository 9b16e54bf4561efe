// SPDX-License-Identifier: MIT
// Numbers of an earlier result.json as references for claims. Tests:
// tests/analysis/cli/test_claims.cpp
#pragma once

#include <string>

#include "analysis/cli/options.hpp"
#include "analysis/verdict/claims/judge_claims.hpp"

namespace gammascope::cli {

/// The number of the cell like `cell` in the result that `limit` names (beside the claims file it
/// stands in, else from the present folder); a folder stands for its result.json.
/// @param settings of this run: a result measured with another clock or other rows is refused
/// @param log_hash of the log under test
/// @throws as claims::refuse(), and as reading the file
[[nodiscard]] claims::Reference earlier_number(const claims::Limit& limit,
                                               const claims::Kind& kind,
                                               const Cell& cell,
                                               const SettingList& settings,
                                               const std::string& log_hash);

/// A setting as it is typed.
[[nodiscard]] std::string setting_text(const report::Setting& value);

}  // namespace gammascope::cli
