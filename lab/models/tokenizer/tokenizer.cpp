// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/tokenizer.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "analysis/io/prompt_hash.hpp"
#include "lab/models/tokenizer/added_tokens.hpp"
#include "lab/models/tokenizer/bpe.hpp"
#include "lab/models/tokenizer/decoder.hpp"
#include "lab/models/tokenizer/fields.hpp"
#include "lab/models/tokenizer/normalizer.hpp"
#include "lab/models/tokenizer/post_processor.hpp"
#include "lab/models/tokenizer/pre_tokenizer.hpp"
#include "lab/models/tokenizer/unicode.hpp"

namespace gammascope::lab {
namespace {

constexpr std::uintmax_t most_bytes = std::uintmax_t{256} << 20;

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in) throw NoInput("cannot read " + path.string());
  if (size > most_bytes)
    throw BadData({path.string(),
                   0,
                   "",
                   std::to_string(size) + " bytes are more than a tokenizer.json may have (" +
                       std::to_string(most_bytes) + ")"});
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(in.gcount()) != size)
    throw NoInput("cannot read " + path.string());
  return text;
}

/// Null and missing are one.
template <class Part>
Part part(const Fields& document, std::string_view key) {
  return document.find(key) == nullptr ? Part() : Part(document.object(key));
}

/// The fields that act, keys sorted, merges as pairs.
std::string canonical(const Fields& document) {
  io::SortedJson acting = io::SortedJson::object();
  for (const auto* key :
       {"normalizer", "pre_tokenizer", "post_processor", "decoder", "model", "added_tokens"})
    if (const io::SortedJson* value = document.find(key)) acting[key] = *value;
  const Fields model = document.object("model");
  io::SortedJson& merges = acting["model"]["merges"];
  for (std::size_t i = 0; i < merges.size(); ++i) {
    const auto [left, right] = merge_sides(model, merges[i], i);
    merges[i] = {left, right};
  }
  return acting.dump();
}

}  // namespace

struct Tokenizer::Parts {
  explicit Parts(const Fields& document)
      : normalizer(part<Normalizer>(document, "normalizer")),
        pre_tokenizer(part<PreTokenizer>(document, "pre_tokenizer")),
        bpe(document.object("model")),
        added(document, bpe, normalizer),
        post_processor(part<PostProcessor>(document, "post_processor")),
        decoder(part<Decoder>(document, "decoder")),
        hash(io::content_hash(canonical(document))) {
    for (const auto& [token, id] : bpe.vocabulary()) name(id, token);
    for (const AddedToken& token : added.all()) name(token.id, token.content);
  }

  void name(std::uint32_t id, std::string_view token) {
    if (id >= tokens.size()) tokens.resize(std::size_t{id} + 1);
    tokens[id] = token;
  }

  [[nodiscard]] const std::optional<std::string_view>* token(std::int64_t id) const {
    if (id < 0 || static_cast<std::uint64_t>(id) >= tokens.size()) return nullptr;
    const auto& found = tokens[static_cast<std::size_t>(id)];
    return found ? &found : nullptr;
  }

  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  Bpe bpe;
  AddedTokens added;
  PostProcessor post_processor;
  Decoder decoder;
  std::vector<std::optional<std::string_view>> tokens;  // by id; the texts lie in bpe and added
  std::string hash;
};

Tokenizer Tokenizer::load(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto file = std::filesystem::is_directory(path, ignored) ? path / "tokenizer.json" : path;
  return parse(read_file(file), file.string());
}

Tokenizer Tokenizer::parse(std::string_view json, const std::string& file) {
  const auto document = io::parse_json<io::SortedJson>(json, file);
  const Fields fields(document, file, "");
  fields.only({"version",
               "truncation",
               "padding",
               "added_tokens",
               "normalizer",
               "pre_tokenizer",
               "post_processor",
               "decoder",
               "model"});
  return Tokenizer(std::make_shared<const Parts>(fields));
}

std::vector<std::int64_t> Tokenizer::encode(std::string_view text, bool add_special) const {
  if (const std::size_t valid = valid_prefix(text); valid != text.size())
    throw std::invalid_argument("the text is not UTF-8 at byte " + std::to_string(valid));
  std::vector<std::int64_t> ids;
  for (const Piece& raw : parts_->added.cut_raw(text)) {
    if (raw.token) {
      ids.push_back(*raw.token);
      continue;
    }
    std::string normalized(raw.text);
    parts_->normalizer.apply(normalized);
    for (const Piece& piece : parts_->added.cut_normalized(normalized)) {
      if (piece.token) {
        ids.push_back(*piece.token);
        continue;
      }
      for (const std::string& word : parts_->pre_tokenizer.apply(std::string(piece.text)))
        parts_->bpe.append(word, ids);
    }
  }
  return parts_->post_processor.apply(std::move(ids), add_special);
}

std::string Tokenizer::decode(std::span<const std::int64_t> ids, bool skip_special) const {
  std::vector<std::string> tokens;
  tokens.reserve(ids.size());
  for (const std::int64_t id : ids) {
    const auto* token = parts_->token(id);
    if (token == nullptr) continue;
    const AddedToken* added = parts_->added.find(static_cast<std::uint32_t>(id));
    if (added == nullptr)
      tokens.emplace_back(**token);
    else if (!skip_special || !added->special)
      tokens.push_back(added->form);
  }
  return parts_->decoder.apply(std::move(tokens));
}

std::size_t Tokenizer::vocab_size() const noexcept { return parts_->tokens.size(); }

std::optional<std::int64_t> Tokenizer::id_of(std::string_view token) const {
  if (const AddedToken* added = parts_->added.find(token)) return added->id;
  return parts_->bpe.id_of(token);
}

std::optional<std::string> Tokenizer::token_of(std::int64_t id) const {
  const auto* token = parts_->token(id);
  if (token == nullptr) return std::nullopt;
  return std::string(**token);
}

bool Tokenizer::is_special(std::int64_t id) const {
  if (id < 0 || id > most_token_id) return false;
  const AddedToken* token = parts_->added.find(static_cast<std::uint32_t>(id));
  return token != nullptr && token->special;
}

std::string Tokenizer::content_hash() const { return parts_->hash; }

}  // namespace gammascope::lab
