// SPDX-License-Identifier: MIT
// `normalizer` of the file: what is done to a text before it is cut. Built: Sequence, NFC, NFD,
// NFKC, NFKD, Replace, Prepend. Private to the tokenizer.
// Tests: tests/lab/models/tokenizer/test_pieces.cpp
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "lab/models/tokenizer/fields.hpp"

namespace gammascope::lab {

/// Changes a text in place. An empty one stays as it is.
class Normalizer {
 public:
  /// Nothing.
  Normalizer() = default;
  /// @throws BadData, naming a type that is not built
  explicit Normalizer(const Fields& fields);

  /// A file that makes more than 64 bytes of each byte, and 4096 more, is refused: chains of
  /// replacements can grow without end.
  /// @throws BadData
  void apply(std::string& text) const;

 private:
  using Step = std::function<void(std::string& text, std::size_t most)>;
  static Step read(const Fields& fields);
  Step step_;
  std::string file_, field_;
};

}  // namespace gammascope::lab
