// SPDX-License-Identifier: MIT
// How many times one cell of a log varies more than another, such as two gammas at one window, with
// limits. Tests: tests/analysis/measure/test_variance_ratio.cpp
#pragma once

#include <cstddef>

#include "analysis/measure/cell.hpp"
#include "analysis/measure/sweep.hpp"

namespace gammascope::measure {

/// Var(over) / Var(under), no unit: quantity `ratio`, alignment, gamma and n those of `over`,
/// limits by HJS2 over the prompts that both share (calibration 7); not_available with the reason
/// when the two do not have rows of the same prompts, or a variance is 0. Cost O(prompts).
/// @throws std::out_of_range if the plan has no such cell
[[nodiscard]] Cell variance_ratio(const Sweep& sweep, std::size_t over, std::size_t under);

}  // namespace gammascope::measure
