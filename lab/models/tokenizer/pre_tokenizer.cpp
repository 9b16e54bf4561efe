// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/pre_tokenizer.hpp"

#include <utility>

#include "lab/models/tokenizer/byte_level.hpp"
#include "lab/models/tokenizer/pattern.hpp"
#include "lab/models/tokenizer/split.hpp"

namespace gammascope::lab {
namespace {

/// GPT-2's own words: contractions, letters, digits, other signs (each with one space before them),
/// white space.
constexpr auto gpt2_words =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

void cut(Words& words, const Pattern& pattern, SplitBehavior behavior, bool invert) {
  Words out;
  for (const std::string& word : words)
    for (const std::string_view piece : split(word, pattern.find_all(word), behavior, invert))
      out.emplace_back(piece);
  words = std::move(out);
}

}  // namespace

PreTokenizer::Step PreTokenizer::read(const Fields& fields) {
  const std::string type = fields.text("type");
  if (type == "Sequence") {
    fields.only({"type", "pretokenizers"});
    std::vector<Step> steps;
    for (const Fields& step : fields.objects("pretokenizers")) steps.push_back(read(step));
    return [steps = std::move(steps)](Words& words) {
      for (const Step& step : steps) step(words);
    };
  }
  if (type == "Split") {
    fields.only({"type", "pattern", "behavior", "invert"});
    const std::string name = fields.text("behavior");
    const auto behavior = split_behavior(name);
    if (!behavior) fields.fail("behavior", "there is no behavior \"" + name + "\"");
    return [pattern = Pattern::read(fields), behavior = *behavior, invert = fields.flag("invert")](
               Words& words) { cut(words, pattern, behavior, invert); };
  }
  if (type == "ByteLevel") {
    // trim_offsets says where tokens lie in the text, not which they are.
    fields.only({"type", "add_prefix_space", "trim_offsets", "use_regex"});
    return [pattern = Pattern(Regex(gpt2_words, fields.file(), fields.path(""))),
            prefix = fields.flag("add_prefix_space"),
            use_regex = fields.flag("use_regex", true)](Words& words) {
      if (prefix)
        for (std::string& word : words)
          if (!word.starts_with(' ')) word.insert(0, 1, ' ');
      if (use_regex) cut(words, pattern, SplitBehavior::isolated, false);
      for (std::string& word : words) word = bytes_to_characters(word);
    };
  }
  if (type == "Digits") {
    fields.only({"type", "individual_digits"});
    return [pattern = Pattern(Regex(R"(\p{N})", fields.file(), fields.path(""))),
            behavior = fields.flag("individual_digits") ? SplitBehavior::isolated
                                                        : SplitBehavior::contiguous](Words& words) {
      cut(words, pattern, behavior, false);
    };
  }
  fields.fail("type",
              "pre-tokenizer \"" + type +
                  "\" is not supported (supported: Sequence, Split, ByteLevel, Digits)");
}

PreTokenizer::PreTokenizer(const Fields& fields) : step_(read(fields)) {}

Words PreTokenizer::apply(std::string text) const {
  Words words;
  if (!text.empty()) words.push_back(std::move(text));
  if (step_) step_(words);
  return words;
}

}  // namespace gammascope::lab
