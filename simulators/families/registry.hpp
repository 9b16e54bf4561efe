// SPDX-License-Identifier: MIT
// All families by name. A new one is one header and one line in registry.cpp.
// Tests: tests/simulators/families/test_registry.cpp
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/core/errors.hpp"
#include "simulators/families/family.hpp"

namespace gammascope::families {

[[nodiscard]] const std::vector<Family>& all_families();

/// @throws UsageError naming all families if there is none called `name`
[[nodiscard]] const Family& find_family(std::string_view name);

/// The defaults of `family`, overridden by text such as "p=.01,c=5" (empty: none).
/// @throws UsageError naming the parameter and its range
[[nodiscard]] Values read_values(const Family& family, std::string_view text);

/// The process, or mixture of processes, of a family.
/// @param values from read_values: every parameter, within its range
/// @throws UsageError if the values do not go together
[[nodiscard]] markov::Mixture build(const Family& family, const Values& values);

}  // namespace gammascope::families
