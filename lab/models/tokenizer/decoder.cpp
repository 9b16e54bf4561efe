// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/decoder.hpp"

#include <charconv>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "lab/models/tokenizer/byte_level.hpp"
#include "lab/models/tokenizer/pattern.hpp"
#include "lab/models/tokenizer/unicode.hpp"

namespace gammascope::lab {
namespace {

using Tokens = std::vector<std::string>;

std::string joined(const Tokens& tokens) {
  return std::accumulate(tokens.begin(), tokens.end(), std::string());
}

void decode_bytes(Tokens& tokens) {
  std::string bytes;
  for (const std::string& token : tokens) bytes += characters_to_bytes(token).value_or(token);
  tokens = {replace_invalid(bytes)};
}

/// The byte of "<0x0A>".
std::optional<char> fallback_byte(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(token.data() + 3, token.data() + 5, value, 16);
  if (error != std::errc() || end != token.data() + 5) return std::nullopt;
  return static_cast<char>(value);
}

/// A run of byte tokens is its text, or, when that is not UTF-8, one U+FFFD for each byte.
void decode_fallback(Tokens& tokens) {
  Tokens out;
  std::string run;
  const auto flush = [&] {
    if (valid_prefix(run) == run.size())
      out.push_back(run);
    else
      for (std::size_t i = 0; i < run.size(); ++i) out.emplace_back("\xEF\xBF\xBD");
    run.clear();
  };
  for (std::string& token : tokens) {
    if (const auto byte = fallback_byte(token)) {
      run += *byte;
      continue;
    }
    if (!run.empty()) flush();
    out.push_back(std::move(token));
  }
  if (!run.empty()) flush();
  tokens = std::move(out);
}

/// Up to `start` times `content` off the front of a token, up to `stop` times off its end.
void strip(std::string& token, std::string_view content, std::size_t start, std::size_t stop) {
  std::string_view left = token;
  for (; start > 0 && left.starts_with(content); --start) left.remove_prefix(content.size());
  for (; stop > 0 && left.ends_with(content); --stop) left.remove_suffix(content.size());
  token = std::string(left);
}

}  // namespace

Decoder::Step Decoder::read(const Fields& fields) {
  const std::string type = fields.text("type");
  if (type == "Sequence") {
    fields.only({"type", "decoders"});
    std::vector<Step> steps;
    for (const Fields& step : fields.objects("decoders")) steps.push_back(read(step));
    return [steps = std::move(steps)](Tokens& tokens) {
      for (const Step& step : steps) step(tokens);
    };
  }
  if (type == "ByteLevel") return decode_bytes;
  if (type == "ByteFallback") {
    fields.only({"type"});
    return decode_fallback;
  }
  if (type == "Fuse") {
    fields.only({"type"});
    return [](Tokens& tokens) { tokens = {joined(tokens)}; };
  }
  if (type == "Replace") {
    fields.only({"type", "pattern", "content"});
    return [pattern = Pattern::read(fields), by = fields.text("content")](Tokens& tokens) {
      for (std::string& token : tokens)
        token = pattern.replace(token, by, std::numeric_limits<std::size_t>::max());
    };
  }
  if (type == "Strip") {
    fields.only({"type", "content", "start", "stop"});
    const std::string content = fields.text("content");
    if (content.empty() || character_size(content[0]) != content.size())
      fields.fail("content", "must be one character");
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    return [content, start = fields.whole("start", most), stop = fields.whole("stop", most)](
               Tokens& tokens) {
      for (std::string& token : tokens) strip(token, content, start, stop);
    };
  }
  fields.fail("type",
              "decoder \"" + type +
                  "\" is not supported (supported: Sequence, ByteLevel, ByteFallback, Replace, "
                  "Strip, Fuse)");
}

Decoder::Decoder(const Fields& fields) : step_(read(fields)) {}

std::string Decoder::apply(Tokens tokens) const {
  if (step_) {
    step_(tokens);
    return joined(tokens);
  }
  std::string out;
  for (const std::string& token : tokens) {
    if (&token != tokens.data()) out += ' ';
    out += token;
  }
  return out;
}

}  // namespace gammascope::lab
