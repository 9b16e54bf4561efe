// SPDX-License-Identifier: MIT
// Text to token ids and back, as the `tokenizer.json` of a Hugging Face folder says. Kinds: BPE
// over bytes (GPT-2, Llama 3, Qwen2, SmolLM2) and BPE over characters with byte fallback (Gemma,
// Llama 2). A part of the file that is of another type is refused by the type's name, never
// skipped. A chat template is not part of the file: prompts come rendered, docs/formats.md. Tests:
// tests/lab/models/tokenizer/ (the ids of the project `tokenizers`)
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gammascope::lab {

/// Ids are 0-based and below vocab_size(). Copies are cheap and share the tables; every call may be
/// made from several threads at once.
class Tokenizer {
 public:
  /// `path` is a tokenizer.json or a folder that holds one. The file's `truncation` and `padding`
  /// are left out: a prompt is never cut. Cost: about 30 times the size of the file in memory.
  /// @throws NoInput if it is missing, BadData naming file, field and rule if it is malformed, of a
  /// kind that is not built, larger than 256 MiB, or if its parts contradict each other
  [[nodiscard]] static Tokenizer load(const std::filesystem::path& path);

  /// Likewise from bytes; `file` is only for messages.
  [[nodiscard]] static Tokenizer parse(std::string_view json, const std::string& file);

  /// Special tokens that are written in `text` become their ids, as in a rendered chat template.
  /// @param text UTF-8
  /// @param add_special also what the file's template puts around a text (such as a first token);
  /// false for a rendered template, which holds it already
  /// Cost: O(n log n) in the bytes of the longest word.
  /// @throws std::invalid_argument if `text` is not UTF-8, BadData if a pattern of the file gives
  /// up on it
  [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text,
                                                 bool add_special = true) const;

  /// Bytes that are no UTF-8 (a response that ends inside a character) become U+FFFD. Ids that the
  /// file does not know give nothing, so that rows of a padded head can be decoded.
  [[nodiscard]] std::string decode(std::span<const std::int64_t> ids,
                                   bool skip_special = true) const;

  /// One more than the largest id: rows of the model's head from here on have no token.
  [[nodiscard]] std::size_t vocab_size() const noexcept;

  /// The id of a token as the file spells it ("<|im_end|>", "Ġthe"); none if there is no such
  /// token.
  [[nodiscard]] std::optional<std::int64_t> id_of(std::string_view token) const;

  /// As the file spells it; none if the id has no token.
  [[nodiscard]] std::optional<std::string> token_of(std::int64_t id) const;

  /// Marked `special` in the file.
  [[nodiscard]] bool is_special(std::int64_t id) const;

  /// Names what the tokenizer does: XXH3-128, as 32 hexadecimal digits, of the fields that act,
  /// whatever their order, white space or spelling of merges. Equal: equal ids for every text.
  [[nodiscard]] std::string content_hash() const;

  struct Parts;

 private:
  explicit Tokenizer(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const Parts> parts_;
};

}  // namespace gammascope::lab
