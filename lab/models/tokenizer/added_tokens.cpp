// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/added_tokens.hpp"

#include <algorithm>
#include <utility>

#include "lab/models/tokenizer/unicode.hpp"

namespace gammascope::lab {
namespace {

AddedToken read_token(const Fields& fields) {
  fields.only({"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"});
  AddedToken token;
  token.id = fields.whole("id", most_token_id);
  token.content = fields.text("content");
  if (token.content.empty()) fields.fail("content", "must not be empty");
  token.single_word = fields.flag("single_word");
  token.lstrip = fields.flag("lstrip");
  token.rstrip = fields.flag("rstrip");
  token.normalized = fields.flag("normalized");
  token.special = fields.flag("special");
  token.form = token.content;
  return token;
}

/// The character before `at`.
std::string_view character_before(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0) {
    --begin;
    if ((static_cast<unsigned char>(text[begin]) & 0xC0) != 0x80) break;
  }
  return text.substr(begin, at - begin);
}

std::string_view character_at(std::string_view text, std::size_t at) {
  return at >= text.size() ? std::string_view{} : text.substr(at, character_size(text[at]));
}

}  // namespace

void TokenFinder::add(std::string_view text, const AddedToken& token) {
  std::uint32_t node = 0;
  for (const char byte : text) {
    const auto key = std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
    const auto [it, made] = next_.emplace(key, static_cast<std::uint32_t>(ends_.size()));
    if (made) ends_.push_back(nullptr);
    node = it->second;
  }
  if (node != 0 && ends_[node] == nullptr) ends_[node] = &token;
}

TokenFinder::Match TokenFinder::longest_at(std::string_view text) const {
  Match best;
  std::uint32_t node = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto it = next_.find(std::uint64_t{node} << 8 | static_cast<unsigned char>(text[i]));
    if (it == next_.end()) break;
    node = it->second;
    if (ends_[node] != nullptr) best = {i + 1, ends_[node]};
  }
  return best;
}

std::vector<Piece> TokenFinder::cut(std::string_view text, const Regex& word_character) const {
  std::vector<Piece> pieces;
  const auto add = [&](std::size_t begin, std::size_t end) {
    if (begin < end) pieces.push_back({std::nullopt, text.substr(begin, end - begin)});
  };
  if (next_.empty()) {
    add(0, text.size());
    return pieces;
  }
  const auto is_word = [&](std::string_view character) {
    return !character.empty() && !word_character.find_all(character).empty();
  };
  std::size_t taken = 0;  // end of the last piece
  for (std::size_t at = 0; at < text.size();) {
    const Match match = longest_at(text.substr(at));
    if (match.token == nullptr) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at + match.size;
    at = end;
    if (end <= taken) continue;
    if (match.token->single_word &&
        (is_word(character_before(text, begin)) || is_word(character_at(text, end))))
      continue;
    if (match.token->lstrip) begin = std::max(begin - trailing_space(text.substr(0, begin)), taken);
    if (match.token->rstrip) end += leading_space(text.substr(end));
    add(taken, begin);
    pieces.push_back({match.token->id, text.substr(begin, end - begin)});
    taken = end;
  }
  add(taken, text.size());
  return pieces;
}

std::string AddedTokens::word_characters() {
  // Unicode Technical Standard 18, annex C, \w: with the join controls, which the library leaves
  // out.
  return R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D}])";
}

AddedTokens::AddedTokens(const Fields& document, const Bpe& bpe, const Normalizer& normalizer) {
  if (document.find("added_tokens") == nullptr) return;
  const std::vector<Fields> list = document.objects("added_tokens");
  tokens_.reserve(list.size());  // pointers to tokens stay good
  // As AddedVocabulary::add_tokens of `tokenizers` counts.
  auto next = static_cast<std::uint32_t>(bpe.size());
  for (const Fields& fields : list) {
    AddedToken token = read_token(fields);
    if (find(token.content) != nullptr) fields.fail("content", "this token is added twice");
    const auto known = bpe.id_of(token.content);
    if (const std::uint32_t id = known.value_or(next); token.id != id)
      fields.fail("id",
                  std::to_string(token.id) + " is not the id " + std::to_string(id) + " that " +
                      (known ? "vocab gives" : "follows from the order of the list"));
    if (!known && bpe.has(token.id)) fields.fail("id", "belongs to another token of vocab");
    next = std::max(next, token.id + 1);
    if (token.normalized) normalizer.apply(token.form);
    tokens_.push_back(std::move(token));
    by_content_.emplace(tokens_.back().content, &tokens_.back());
    by_id_.emplace(tokens_.back().id, &tokens_.back());
  }
  for (const bool special : {true, false})
    for (const AddedToken& token : tokens_)
      if (token.special == special) (token.normalized ? normalized_ : raw_).add(token.form, token);
}

const AddedToken* AddedTokens::find(std::string_view content) const {
  const auto it = by_content_.find(content);
  return it == by_content_.end() ? nullptr : it->second;
}

const AddedToken* AddedTokens::find(std::uint32_t id) const {
  const auto it = by_id_.find(id);
  return it == by_id_.end() ? nullptr : it->second;
}

}  // namespace gammascope::lab
