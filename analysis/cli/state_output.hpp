// SPDX-License-Identifier: MIT
// Where a state may be written. Tests: tests/analysis/cli/test_merge.cpp
#pragma once

#include <string>

namespace gammascope::cli {

/// Checked before anything is read, beside check_output(): an earlier state may be replaced,
/// another file only with `force`. @throws UsageError
void check_state_output(const std::string& state, bool force);

}  // namespace gammascope::cli
