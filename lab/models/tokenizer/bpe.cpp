// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/bpe.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "lab/models/tokenizer/unicode.hpp"

namespace gammascope::lab {
namespace {

constexpr std::uint32_t no_token = std::numeric_limits<std::uint32_t>::max();

std::uint64_t pair_key(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32 | right;
}

/// "<0x0A>"
std::string byte_token(unsigned byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  return std::string("<0x") + digits[byte >> 4] + digits[byte & 15] + ">";
}

}  // namespace

std::pair<std::string, std::string> merge_sides(const Fields& model,
                                                const io::SortedJson& merge,
                                                std::size_t index) {
  const auto refuse = [&](const std::string& rule) {
    model.fail("merges[" + std::to_string(index) + "]", rule);
  };
  std::pair<std::string, std::string> sides;
  if (merge.is_string()) {
    const auto& text = merge.get_ref<const std::string&>();
    const auto space = text.find(' ');
    if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
      refuse("must be two tokens with one space between them");
    sides = {text.substr(0, space), text.substr(space + 1)};
  } else {
    if (!merge.is_array() || merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string())
      refuse("must be two tokens");
    sides = {merge[0].get<std::string>(), merge[1].get<std::string>()};
  }
  if (sides.first.empty() || sides.second.empty()) refuse("a token of a merge must not be empty");
  return sides;
}

Bpe::Bpe(const Fields& fields) {
  // Files of before 2021 do not name the type; only BPE has merges.
  if (fields.find("type") != nullptr || fields.find("merges") == nullptr) {
    const std::string type = fields.text("type");
    if (type != "BPE")
      fields.fail("type", "model \"" + type + "\" is not supported (supported: BPE)");
  }
  fields.only({"type",
               "dropout",
               "unk_token",
               "continuing_subword_prefix",
               "end_of_word_suffix",
               "fuse_unk",
               "byte_fallback",
               "ignore_merges",
               "vocab",
               "merges"});
  if (const auto* dropout = fields.find("dropout"); dropout != nullptr && *dropout != 0)
    fields.fail("dropout", "random merges are not supported");
  for (const auto* key : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (fields.find(key) != nullptr && !fields.text(key).empty())
      fields.fail(key, "marks of subwords are not supported");
  fuse_unknown_ = fields.flag("fuse_unk", false);
  ignore_merges_ = fields.flag("ignore_merges", false);
  read_vocabulary(fields);
  read_merges(fields);
  if (fields.find("unk_token") != nullptr) {
    unknown_ = id_of(fields.text("unk_token"));
    if (!unknown_) fields.fail("unk_token", "is not in vocab");
  }
  if (fields.flag("byte_fallback", false))
    for (unsigned byte = 0; byte < 256; ++byte)
      byte_tokens_.push_back(id_of(byte_token(byte)).value_or(no_token));
}

void Bpe::read_vocabulary(const Fields& fields) {
  const Fields vocabulary = fields.object("vocab");
  vocabulary_.reserve(vocabulary.json().size());
  for (const auto& [token, value] : vocabulary.json().items()) {
    const std::uint32_t id = vocabulary.whole(token, most_token_id);
    if (id >= given_.size()) given_.resize(std::size_t{id} + 1);
    if (given_[id]) vocabulary.fail(token, "id " + std::to_string(id) + " is given twice");
    given_[id] = true;
    vocabulary_.emplace(token, id);
  }
}

void Bpe::read_merges(const Fields& fields) {
  const io::SortedJson& merges = fields.need("merges");
  if (!merges.is_array()) fields.fail("merges", "must be an array");
  merges_.reserve(merges.size());
  for (std::size_t i = 0; i < merges.size(); ++i) {
    const auto [left, right] = merge_sides(fields, merges[i], i);
    const auto token = [&](const std::string& text) {
      const auto id = id_of(text);
      if (!id) fields.fail("merges[" + std::to_string(i) + "]", "\"" + text + "\" is not in vocab");
      return *id;
    };
    // Of a pair that stands twice, the last counts.
    merges_[pair_key(token(left), token(right))] = {static_cast<std::uint32_t>(i),
                                                    token(left + right)};
  }
}

std::optional<std::uint32_t> Bpe::id_of(std::string_view token) const {
  const auto it = vocabulary_.find(token);
  if (it == vocabulary_.end()) return std::nullopt;
  return it->second;
}

const Bpe::Merge* Bpe::merge_of(std::uint32_t left, std::uint32_t right) const {
  const auto it = merges_.find(pair_key(left, right));
  return it == merges_.end() ? nullptr : &it->second;
}

std::vector<std::uint32_t> Bpe::characters(std::string_view word) const {
  std::vector<std::uint32_t> out;
  out.reserve(word.size());
  // An unknown character is written when the next known one comes, as `tokenizers` does: bytes of a
  // fallback overtake it.
  bool waiting = false;
  for (std::size_t at = 0; at < word.size();) {
    const std::string_view character =
        word.substr(at, std::min(character_size(word[at]), word.size() - at));
    at += character.size();
    if (const auto id = id_of(character)) {
      if (waiting) out.push_back(*unknown_);
      waiting = false;
      out.push_back(*id);
      continue;
    }
    const auto token = [&](char byte) { return byte_tokens_[static_cast<unsigned char>(byte)]; };
    if (!byte_tokens_.empty() &&
        std::ranges::none_of(character, [&](char byte) { return token(byte) == no_token; })) {
      for (const char byte : character) out.push_back(token(byte));
      continue;
    }
    if (!unknown_) continue;
    if (waiting && !fuse_unknown_) out.push_back(*unknown_);
    waiting = true;
  }
  if (waiting) out.push_back(*unknown_);
  return out;
}

void Bpe::append(std::string_view word, std::vector<std::int64_t>& ids) const {
  if (word.empty()) return;
  if (ignore_merges_)
    if (const auto id = id_of(word)) {
      ids.push_back(*id);
      return;
    }
  struct Symbol {
    std::uint32_t id;
    std::ptrdiff_t previous, next;  // -1: none
    bool gone = false;
  };
  std::vector<Symbol> symbols;
  for (const std::uint32_t id : characters(word)) {
    const auto i = static_cast<std::ptrdiff_t>(symbols.size());
    symbols.push_back({id, i - 1, i + 1});
  }
  if (symbols.empty()) return;
  symbols.back().next = -1;
  const auto at = [&](std::ptrdiff_t i) -> Symbol& { return symbols[static_cast<std::size_t>(i)]; };

  // Smallest rank first, then the leftmost.
  using Entry = std::tuple<std::uint32_t, std::ptrdiff_t, std::uint32_t>;  // rank, left, made
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto offer = [&](std::ptrdiff_t left) {
    if (left < 0 || at(left).next < 0) return;
    if (const Merge* merge = merge_of(at(left).id, at(at(left).next).id))
      queue.emplace(merge->rank, left, merge->made);
  };
  for (std::size_t i = 0; i < symbols.size(); ++i) offer(static_cast<std::ptrdiff_t>(i));
  while (!queue.empty()) {
    const auto [rank, left, made] = queue.top();
    queue.pop();
    Symbol& symbol = at(left);
    if (symbol.gone || symbol.next < 0) continue;
    Symbol& right = at(symbol.next);
    // An entry of before a change still counts if what stands there now gives the same token.
    const Merge* merge = merge_of(symbol.id, right.id);
    if (merge == nullptr || merge->made != made) continue;
    symbol.id = made;
    symbol.next = right.next;
    right.gone = true;
    if (symbol.next >= 0) at(symbol.next).previous = left;
    offer(symbol.previous);
    offer(left);
  }
  for (const Symbol& symbol : symbols)
    if (!symbol.gone) ids.push_back(symbol.id);
}

}  // namespace gammascope::lab
