// SPDX-License-Identifier: MIT
// Files that must not be read: one error each, naming file, field and rule.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analysis/core/errors.hpp"
#include "lab/models/tokenizer/tokenizer.hpp"

using gammascope::lab::Tokenizer;
using nlohmann::json;

namespace {

/// "a", "b", "ab" and "<s>".
json small() {
  return json::parse(R"({"version": "1.0", "truncation": null, "padding": null,
    "added_tokens": [{"id": 3, "content": "<s>", "single_word": false, "lstrip": false,
                      "rstrip": false, "normalized": false, "special": true}],
    "normalizer": {"type": "NFC"},
    "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": "\\s+"}, "behavior": "Isolated", "invert": false},
        {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true}]},
    "post_processor": {"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [], "special_tokens": {"<s>": {"id": "<s>", "ids": [3], "tokens": ["<s>"]}}},
    "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true},
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}})");
}

/// What parse() says; "" if it takes the file.
std::string refusal(const std::string& text) {
  try {
    (void)Tokenizer::parse(text, "T");
    return "";
  } catch (const gammascope::BadData& error) {
    return error.what();
  }
}

std::string refusal(const std::string& pointer, const json& value) {
  json file = small();
  file[json::json_pointer(pointer)] = value;
  return refusal(file.dump());
}

}  // namespace

TEST_CASE("the small file that the refusals start from is taken") {
  CHECK(refusal(small().dump()).empty());
  const Tokenizer tokenizer = Tokenizer::parse(small().dump(), "T");
  CHECK(tokenizer.encode("ab<s>ba") == std::vector<std::int64_t>{3, 2, 3, 1, 0});
  CHECK(tokenizer.encode("ab", false) == std::vector<std::int64_t>{2});
  CHECK(tokenizer.vocab_size() == 4);
  CHECK(tokenizer.id_of("<s>") == 3);
  CHECK(tokenizer.id_of("ab") == 2);
  CHECK_FALSE(tokenizer.id_of("ba").has_value());
  CHECK(tokenizer.token_of(2) == "ab");
  CHECK_FALSE(tokenizer.token_of(4).has_value());
  CHECK_FALSE(tokenizer.token_of(-1).has_value());
  CHECK(tokenizer.is_special(3));
  CHECK_FALSE(tokenizer.is_special(2));
}

TEST_CASE("a file that is cut anywhere is refused") {
  const std::string whole = small().dump();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    REQUIRE(refusal(whole.substr(0, size)).starts_with("T"));
  }
}

TEST_CASE("a field of another type is refused by its name") {
  const json values[] = {nullptr, true, -1, 1.5, "x", json::array(), json::object()};
  const json file = small();
  const std::function<void(const json&, const std::string&)> visit = [&](const json& node,
                                                                         const std::string& at) {
    for (const auto& [key, child] : node.items()) {
      const std::string pointer = at + "/" + key;
      // What is not used, or may be left out.
      if (pointer == "/version" || pointer == "/truncation" || pointer == "/padding" ||
          pointer.ends_with("type_id") || pointer.ends_with("pair") ||
          pointer.ends_with("tokens/0") || pointer.ends_with("trim_offsets") ||
          pointer.ends_with("special_tokens/<s>/id") ||
          pointer.ends_with("special_tokens/<s>/tokens") || pointer == "/decoder/add_prefix_space")
        continue;
      for (const json& value : values) {
        if (value.type() == child.type()) continue;
        // Parts of the file that may be missing, and the type of the model in old files.
        if (value.is_null() && (at.empty() || pointer == "/model/type")) continue;
        if (value.is_number() && child.is_number() && value == child) continue;
        const std::string said = refusal(pointer, value);
        CAPTURE(pointer, value.dump());
        CHECK(said.starts_with("T: "));
      }
      if (child.is_structured()) visit(child, pointer);
    }
  };
  visit(file, "");
}

TEST_CASE("a part of another kind is refused by the name of its kind") {
  for (const auto& [pointer, kind] : {std::pair<std::string, std::string>{"/model/type", "Unigram"},
                                      {"/model/type", "WordPiece"},
                                      {"/normalizer/type", "Precompiled"},
                                      {"/normalizer/type", "BertNormalizer"},
                                      {"/pre_tokenizer/type", "Metaspace"},
                                      {"/pre_tokenizer/pretokenizers/0/type", "BertPreTokenizer"},
                                      {"/post_processor/type", "RobertaProcessing"},
                                      {"/decoder/type", "WordPiece"}}) {
    CAPTURE(pointer);
    CHECK_THAT(refusal(pointer, kind), Catch::Contains("\"" + kind + "\" is not supported"));
  }
}

TEST_CASE("an option that is not built is refused by its name") {
  CHECK(refusal("/model/dropout", 0.1) == "T: model.dropout: random merges are not supported");
  CHECK(refusal("/model/dropout", 0.0).empty());
  CHECK(refusal("/model/end_of_word_suffix", "</w>") ==
        "T: model.end_of_word_suffix: marks of subwords are not supported");
  CHECK(refusal("/model/end_of_word_suffix", "").empty());
  CHECK(refusal("/model/new_option", true) ==
        "T: model.new_option: this option is not supported here");
  CHECK(refusal("/pre_tokenizer/pretokenizers/1/new_option", 1) ==
        "T: pre_tokenizer.pretokenizers[1].new_option: this option is not supported here");
  CHECK(refusal("/pre_tokenizer/pretokenizers/0/behavior", "Cut") ==
        "T: pre_tokenizer.pretokenizers[0].behavior: there is no behavior \"Cut\"");
}

TEST_CASE("tables that contradict themselves are refused") {
  CHECK(refusal("/model/vocab/b", 0) == "T: model.vocab.b: id 0 is given twice");
  CHECK_THAT(refusal("/model/vocab/b", 16777216), Catch::Contains("from 0 to 16777215"));
  CHECK(refusal("/model/merges", json::parse(R"([["a", "b"], ["b", "a"]])")) ==
        "T: model.merges[1]: \"ba\" is not in vocab");
  CHECK(refusal("/model/merges", json::parse(R"([["a", ""]])")) ==
        "T: model.merges[0]: a token of a merge must not be empty");
  CHECK(refusal("/model/merges", json::array({"a b c"})) ==
        "T: model.merges[0]: must be two tokens with one space between them");
  CHECK(refusal("/model/unk_token", "<unk>") == "T: model.unk_token: is not in vocab");
  CHECK_THAT(refusal("/added_tokens/0/id", 7), Catch::Contains("7 is not the id 3"));
  CHECK_THAT(refusal("/added_tokens/0/content", "ab"), Catch::Contains("3 is not the id 2"));
  CHECK(refusal("/added_tokens/0/content", "") == "T: added_tokens[0].content: must not be empty");
  json twice = small();
  twice["added_tokens"].push_back(twice["added_tokens"][0]);
  CHECK(refusal(twice.dump()) == "T: added_tokens[1].content: this token is added twice");
  // a vocabulary with a hole: ids are counted from its size on
  json hole = small();
  hole["model"]["vocab"]["ab"] = 3;
  CHECK(refusal(hole.dump()) == "T: added_tokens[0].id: belongs to another token of vocab");
  CHECK(refusal("/post_processor/single/0/SpecialToken/id", "</s>") ==
        "T: post_processor.single[0].SpecialToken.id: \"</s>\" is not in special_tokens");
  CHECK_THAT(refusal("/post_processor/single", json::array()),
             Catch::Contains("must name the text"));
  const std::string text = small().dump();
  const std::string key = "\"vocab\":{";
  std::string doubled = text;
  doubled.insert(text.find(key) + key.size(), "\"a\":9,");
  CHECK(refusal(doubled) == "T: a: this key stands twice in the same object");
}

TEST_CASE("merges that go in circles end") {
  json file = small();
  file["model"]["vocab"] = {{"a", 0}, {"aa", 1}, {"aaa", 2}, {"aaaa", 4}};
  file["added_tokens"] = json::array();
  file["model"]["merges"] = json::parse(
      R"([["a", "aaa"], ["aaa", "a"], ["aa", "aa"], ["aa", "a"], ["a", "aa"], ["a", "a"]])");
  const Tokenizer tokenizer = Tokenizer::parse(file.dump(), "T");
  std::size_t length = 0;
  for (const std::int64_t id : tokenizer.encode(std::string(1000, 'a'), false))
    length += tokenizer.token_of(id)->size();
  CHECK(length == 1000);
}

TEST_CASE("a normalizer that grows a text without end is refused when it does") {
  json file = small();
  json doubling = json::array();
  for (int i = 0; i < 60; ++i)
    doubling.push_back({{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}});
  file["normalizer"] = {{"type", "Sequence"}, {"normalizers", doubling}};
  const Tokenizer tokenizer = Tokenizer::parse(file.dump(), "T");
  CHECK_THROWS_WITH(tokenizer.encode("a"), "T: normalizer: makes more than 4160 bytes of a text");
  CHECK(tokenizer.encode("b", false) == std::vector<std::int64_t>{1});
}

TEST_CASE("a pattern that is none or that gives up is named") {
  CHECK_THAT(refusal("/pre_tokenizer/pretokenizers/0/pattern/Regex", "(a"),
             Catch::StartsWith("T: pre_tokenizer.pretokenizers[0].pattern.Regex: is no pattern: "));
  CHECK(refusal("/pre_tokenizer/pretokenizers/0/pattern", {{"String", ""}}) ==
        "T: pre_tokenizer.pretokenizers[0].pattern.String: must not be empty");
  CHECK(!refusal("/pre_tokenizer/pretokenizers/0/pattern/Regex", std::string(3000, '(')).empty());
  json file = small();
  file["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "(a|b|ab)*(a|b|ab)*(a|b|ab)*c";
  const Tokenizer tokenizer = Tokenizer::parse(file.dump(), "T");
  std::string text;
  for (int i = 0; i < 30; ++i) text += "ab";
  text += " c";  // without a c there is nothing to look for
  CHECK_THROWS_WITH(
      tokenizer.encode(text),
      Catch::StartsWith("T: pre_tokenizer.pretokenizers[0].pattern.Regex: the pattern "
                        "gives up on a text of 62 bytes"));
}

TEST_CASE("text that is not UTF-8 is refused by its place") {
  const Tokenizer tokenizer = Tokenizer::parse(small().dump(), "T");
  CHECK_THROWS_WITH(tokenizer.encode("ab\xFF"), "the text is not UTF-8 at byte 2");
  CHECK_THROWS_WITH(tokenizer.encode("\xED\xA0\x80"), "the text is not UTF-8 at byte 0");
}

TEST_CASE("files that are missing or too large are refused before they are read") {
  CHECK_THROWS_AS(Tokenizer::load("no/such/folder"), gammascope::NoInput);
  CHECK_THROWS_AS(Tokenizer::load(GAMMASCOPE_SOURCE_DIR), gammascope::NoInput);
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "gammascope-tokenizer-large.json";
  std::ofstream(path).put('{');
  std::filesystem::resize_file(path, (std::uintmax_t{256} << 20) + 1);  // a hole: takes no disk
  CHECK_THROWS_WITH(Tokenizer::load(path),
                    Catch::Contains("268435457 bytes are more than a tokenizer.json may have"));
  std::filesystem::remove(path);
}

TEST_CASE("the content hash names what acts and not how it is spelled") {
  const auto hash = [](const json& file) {
    return Tokenizer::parse(file.dump(2), "T").content_hash();
  };
  const std::string base = hash(small());
  CHECK(base.size() == 32);
  json other = small();
  other["model"]["merges"] = json::array({"a b"});
  other["version"] = "2.0";
  other["truncation"] = {{"max_length", 3}};
  other.erase("padding");
  CHECK(hash(other) == base);
  json merges = small();
  merges["model"]["merges"] = json::array();
  json special = small();
  special["added_tokens"][0]["lstrip"] = true;
  json form = small();
  form["normalizer"]["type"] = "NFKC";
  for (const json& changed : {merges, special, form}) CHECK(hash(changed) != base);
}
