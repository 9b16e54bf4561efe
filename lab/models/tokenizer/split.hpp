// SPDX-License-Identifier: MIT
// What becomes of the matches when a text is cut at them: `behavior` of a Split.
// Private to the tokenizer. Tests: tests/lab/models/tokenizer/test_pieces.cpp
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/models/tokenizer/regex.hpp"

namespace gammascope::lab {

/// Of "a-b" at "-": removed a|b, isolated a|-|b, merged_with_previous a-|b, merged_with_next a|-b;
/// contiguous is isolated with neighbouring matches as one.
enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

/// As the file spells it ("MergedWithPrevious"); none if there is no such behaviour.
[[nodiscard]] std::optional<SplitBehavior> split_behavior(std::string_view name);

/// Pieces of `text` that are not empty. @param matches from left to right, none overlapping
/// @param invert what lies between the matches is what counts as a match
[[nodiscard]] std::vector<std::string_view> split(std::string_view text,
                                                  const std::vector<Found>& matches,
                                                  SplitBehavior behavior,
                                                  bool invert = false);

}  // namespace gammascope::lab
