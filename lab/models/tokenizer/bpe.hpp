// SPDX-License-Identifier: MIT
// Byte-pair encoding of one word: `model` of the file. Private to the tokenizer.
// Tests: tests/lab/models/tokenizer/test_same_ids.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lab/models/tokenizer/fields.hpp"

namespace gammascope::lab {

/// Ids above this are refused: tables have one entry an id.
constexpr std::uint32_t most_token_id = (1U << 24) - 1;

class Bpe {
 public:
  /// @throws BadData naming the field: a type that is not BPE, an option that is not built, an id
  /// given twice, a merge whose parts or whole are no tokens
  explicit Bpe(const Fields& fields);

  /// Appends the ids of `word` (UTF-8). Merges in the order of their rank, the leftmost first. A
  /// character that is no token becomes its bytes' tokens (byte_fallback, when all of them are
  /// tokens), else unk_token, else nothing. Cost: O(n log n) in the bytes of the word.
  void append(std::string_view word, std::vector<std::int64_t>& ids) const;

  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view token) const;
  [[nodiscard]] bool has(std::uint32_t id) const noexcept {
    return id < given_.size() && given_[id];
  }
  /// Tokens in `vocab`.
  [[nodiscard]] std::size_t size() const noexcept { return vocabulary_.size(); }

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  using Vocabulary = std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>>;
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return vocabulary_; }

 private:
  struct Merge {
    std::uint32_t rank, made;
  };
  void read_vocabulary(const Fields& fields);
  void read_merges(const Fields& fields);
  [[nodiscard]] std::vector<std::uint32_t> characters(std::string_view word) const;
  [[nodiscard]] const Merge* merge_of(std::uint32_t left, std::uint32_t right) const;

  Vocabulary vocabulary_;
  std::vector<bool> given_;                          // by id
  std::unordered_map<std::uint64_t, Merge> merges_;  // by left << 32 | right
  std::vector<std::uint32_t> byte_tokens_;  // no_token where there is none; empty: no fallback
  std::optional<std::uint32_t> unknown_;
  bool fuse_unknown_ = false, ignore_merges_ = false;
};

/// Both sides of a merge, spelled "a b" or ["a", "b"]. @throws BadData naming merges[index]
[[nodiscard]] std::pair<std::string, std::string> merge_sides(const Fields& model,
                                                              const io::SortedJson& merge,
                                                              std::size_t index);

}  // namespace gammascope::lab
