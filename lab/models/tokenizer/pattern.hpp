// SPDX-License-Identifier: MIT
// What a `pattern` of the file finds: {"String": …} or {"Regex": …}. Private to the tokenizer.
// Tests: tests/lab/models/tokenizer/test_pieces.cpp
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/models/tokenizer/fields.hpp"
#include "lab/models/tokenizer/regex.hpp"

namespace gammascope::lab {

class Pattern {
 public:
  /// The field `pattern` of an object. @throws BadData
  static Pattern read(const Fields& fields);
  explicit Pattern(Regex regex) : regex_(std::move(regex)) {}

  /// Matches from left to right, none overlapping. @throws BadData as Regex::find_all
  [[nodiscard]] std::vector<Found> find_all(std::string_view text) const;

  /// `text` with every match replaced by `by`.
  /// @throws BadData as find_all; std::length_error if more than `most` bytes would come out
  [[nodiscard]] std::string replace(std::string_view text,
                                    std::string_view by,
                                    std::size_t most) const;

 private:
  explicit Pattern(std::string literal) : literal_(std::move(literal)) {}
  std::string literal_;  // not empty when there is no regex
  std::optional<Regex> regex_;
};

}  // namespace gammascope::lab
