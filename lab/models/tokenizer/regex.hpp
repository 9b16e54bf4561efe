// SPDX-License-Identifier: MIT
// The adapter of Oniguruma, the engine whose syntax the patterns of tokenizer.json are written in.
// Private to the tokenizer. Tests: tests/lab/models/tokenizer/test_pieces.cpp
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gammascope::lab {

/// Bytes [begin, end) of a text.
struct Found {
  std::size_t begin = 0, end = 0;
  friend bool operator==(const Found&, const Found&) = default;
};

/// A compiled pattern; copies share it, and it may be used from several threads.
/// Properties such as \p{L} are those of the library's Unicode tables (14.0 in Oniguruma 6.9.8).
class Regex {
 public:
  /// `file` and `field` say where the pattern stands. @throws BadData if it is no pattern
  Regex(const std::string& pattern, std::string file, std::string field);

  /// All matches from left to right, none overlapping; an empty one directly behind another match
  /// is left out. @param text UTF-8, checked by the caller
  /// @throws BadData if the pattern takes more than ten million steps back for one match
  [[nodiscard]] std::vector<Found> find_all(std::string_view text) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace gammascope::lab
