// SPDX-License-Identifier: MIT
// `post_processor` of the file: ids that are put around a text, such as <s>. Built:
// TemplateProcessing, ByteLevel (moves offsets only), Sequence. Private to the tokenizer.
// Tests: tests/lab/models/tokenizer/test_pieces.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "lab/models/tokenizer/fields.hpp"

namespace gammascope::lab {

class PostProcessor {
 public:
  /// Nothing.
  PostProcessor() = default;
  /// @throws BadData, naming a type that is not built
  explicit PostProcessor(const Fields& fields);

  /// @param add_special false: the ids as they are
  [[nodiscard]] std::vector<std::int64_t> apply(std::vector<std::int64_t> ids,
                                                bool add_special) const;

 private:
  /// One step of a template.
  struct Step {
    bool text = false;              // the text's own ids
    std::vector<std::int64_t> ids;  // of a special token
  };
  void read(const Fields& fields);
  void read_template(const Fields& fields);

  std::vector<std::vector<Step>> templates_;  // one after the other
};

}  // namespace gammascope::lab
