// SPDX-License-Identifier: MIT
// The arguments of a claim, checked: names that the kind knows, ranges, the grid of cells. Tests:
// tests/analysis/verdict/claims/test_spec.cpp
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/measure/plan.hpp"
#include "analysis/verdict/claims/spec.hpp"

namespace gammascope::claims {

/// Refuses an argument that is none of `known`, and one given twice. `place` stands for window,
/// position, horizon and infinite.
void check_arguments(const Spec& spec, std::initializer_list<std::string_view> known);

/// @return null if it is not given
[[nodiscard]] const Argument* find_argument(const Spec& spec, std::string_view name);

/// Its numbers, each in [low, high]; refuses the claim without it.
[[nodiscard]] std::vector<double> numbers_of(const Spec& spec,
                                             std::string_view name,
                                             double low,
                                             double high);
/// Its one number.
[[nodiscard]] double number_of(const Spec& spec, std::string_view name, double low, double high);

/// Where: the alignment, and its n (empty for `infinite`). Exactly one of window, position, horizon
/// and infinite; whole numbers.
struct PlaceArgument {
  Alignment alignment = Alignment::window;
  std::vector<std::int64_t> n;
};
[[nodiscard]] PlaceArgument place_of(const Spec& spec);

/// gamma x place, gammas first. `infinite` needs gammas below 1.
[[nodiscard]] std::vector<measure::CellSpec> grid_of(const Spec& spec);

}  // namespace gammascope::claims
