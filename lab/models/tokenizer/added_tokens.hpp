// SPDX-License-Identifier: MIT
// `added_tokens` of the file: texts that are tokens wherever they are written, found before
// anything is normalised or cut. Private to the tokenizer. Tests:
// tests/lab/models/tokenizer/test_same_ids.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lab/models/tokenizer/bpe.hpp"
#include "lab/models/tokenizer/normalizer.hpp"
#include "lab/models/tokenizer/regex.hpp"

namespace gammascope::lab {

struct AddedToken {
  std::uint32_t id = 0;
  std::string content;
  bool single_word = false;  ///< only where no letter or digit touches it
  bool lstrip = false;       ///< white space before it belongs to it
  bool rstrip = false;       ///< white space behind it belongs to it
  bool normalized = false;   ///< found in the normalised text, as its own normalised form
  bool special = false;
  std::string form;  ///< what is looked for and what it decodes to: normalised, if it is to be
};

/// A piece of a text: a token, or text between tokens.
struct Piece {
  std::optional<std::uint32_t> token;
  std::string_view text;
};

/// Finds some added tokens in a text: the leftmost, of those the longest.
class TokenFinder {
 public:
  /// Of equal texts the first counts.
  void add(std::string_view text, const AddedToken& token);

  /// All of `text`, cut at the tokens. White space that two tokens claim goes to the first; a token
  /// that lies in it is not found (`tokenizers` panics there). Cost: O(n × longest token).
  [[nodiscard]] std::vector<Piece> cut(std::string_view text, const Regex& word_character) const;

 private:
  struct Match {
    std::size_t size = 0;
    const AddedToken* token = nullptr;
  };
  [[nodiscard]] Match longest_at(std::string_view text) const;

  std::unordered_map<std::uint64_t, std::uint32_t>
      next_;                                         // by node << 8 | byte; node 0 is the root
  std::vector<const AddedToken*> ends_ = {nullptr};  // by node
};

class AddedTokens {
 public:
  /// None.
  AddedTokens() = default;

  /// @param document the whole file. `tokenizers` gives ids by the order of the list, whatever the
  /// file says; a file that says another id is refused.
  /// @throws BadData naming added_tokens[index]
  AddedTokens(const Fields& document, const Bpe& bpe, const Normalizer& normalizer);
  AddedTokens(const AddedTokens&) = delete;
  AddedTokens& operator=(const AddedTokens&) = delete;

  /// Tokens that are found in the text as it is.
  [[nodiscard]] std::vector<Piece> cut_raw(std::string_view text) const {
    return raw_.cut(text, word_character_);
  }
  /// Tokens that are found in a normalised text.
  [[nodiscard]] std::vector<Piece> cut_normalized(std::string_view text) const {
    return normalized_.cut(text, word_character_);
  }

  [[nodiscard]] const AddedToken* find(std::string_view content) const;
  [[nodiscard]] const AddedToken* find(std::uint32_t id) const;
  [[nodiscard]] const std::vector<AddedToken>& all() const noexcept { return tokens_; }

 private:
  std::vector<AddedToken> tokens_;  // in the order of the file
  std::map<std::string, const AddedToken*, std::less<>> by_content_;
  std::map<std::uint32_t, const AddedToken*> by_id_;
  TokenFinder raw_, normalized_;
  Regex word_character_{word_characters(), "", ""};

  static std::string word_characters();
};

}  // namespace gammascope::lab
