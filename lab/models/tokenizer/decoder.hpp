// SPDX-License-Identifier: MIT
// `decoder` of the file: tokens back to text. Built: Sequence, ByteLevel, ByteFallback, Replace,
// Strip, Fuse. Private to the tokenizer. Tests: tests/lab/models/tokenizer/test_pieces.cpp
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/models/tokenizer/fields.hpp"

namespace gammascope::lab {

class Decoder {
 public:
  /// Tokens with a space between them.
  Decoder() = default;
  /// @throws BadData, naming a type that is not built
  explicit Decoder(const Fields& fields);

  /// @throws BadData if a pattern gives up
  [[nodiscard]] std::string apply(std::vector<std::string> tokens) const;

 private:
  using Step = std::function<void(std::vector<std::string>& tokens)>;
  static Step read(const Fields& fields);
  Step step_;
};

}  // namespace gammascope::lab
