// SPDX-License-Identifier: MIT
// `pre_tokenizer` of the file: cuts a text into the words that BPE works on. Built: Sequence,
// Split, ByteLevel, Digits. Private to the tokenizer. Tests:
// tests/lab/models/tokenizer/test_pieces.cpp
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/models/tokenizer/fields.hpp"

namespace gammascope::lab {

/// Words in the order of the text; none is empty.
using Words = std::vector<std::string>;

class PreTokenizer {
 public:
  /// One word: the text.
  PreTokenizer() = default;
  /// @throws BadData, naming a type that is not built
  explicit PreTokenizer(const Fields& fields);

  /// @throws BadData if a pattern gives up
  [[nodiscard]] Words apply(std::string text) const;

 private:
  using Step = std::function<void(Words& words)>;
  static Step read(const Fields& fields);
  Step step_;
};

}  // namespace gammascope::lab
