// SPDX-License-Identifier: MIT
// The ids and texts of the project `tokenizers`, over 12 000 lines and nine kinds of file. Expected
// values: tests/data/tokenizer, made by make_tokenizers.py; the lines come from make_lines.py anew.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "lab/models/tokenizer/tokenizer.hpp"
#include "tests/support/reference.hpp"

using gammascope::lab::Tokenizer;

namespace {

const std::string data_folder = std::string(GAMMASCOPE_SOURCE_DIR) + "/tests/data/tokenizer/";

std::vector<std::string> make_lines() {
  const std::string command = "python3 '" + std::string(GAMMASCOPE_SOURCE_DIR) +
                              "/tests/lab/models/tokenizer/make_lines.py'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  REQUIRE(pipe != nullptr);
  std::string all;
  std::vector<char> buffer(1 << 16);
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    all.append(buffer.data(), size);
  std::vector<std::string> lines;
  std::istringstream in(all);
  for (std::string line; std::getline(in, line);)
    lines.push_back(nlohmann::json::parse(line).get<std::string>());
  return lines;
}

const std::vector<std::string>& lines() {
  static const std::vector<std::string> made = make_lines();
  return made;
}

std::string spelled(const std::vector<std::int64_t>& ids) {
  std::string text;
  for (const std::int64_t id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
  return text;
}

/// CRC-32 of texts, each with a newline.
class Sum {
 public:
  void add(std::string text) {
    text += '\n';
    value_ =
        crc32(value_, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
  }
  [[nodiscard]] std::string digits() const {
    char text[9];
    std::snprintf(text, sizeof text, "%08lx", value_);
    return text;
  }

 private:
  uLong value_ = 0;
};

std::string kind() {
  return GENERATE(as<std::string>(),
                  "gpt2",
                  "llama3",
                  "qwen2",
                  "smollm2",
                  "gemma",
                  "llama2",
                  "flags",
                  "splits",
                  "holes");
}

}  // namespace

TEST_CASE("ids and texts are those of the project tokenizers on twelve thousand lines") {
  const std::string name = kind();
  CAPTURE(name);
  const nlohmann::json all = gammascope::test::json_of(data_folder + "expected.json");
  const nlohmann::json& expected = all.at(name + ".json");
  const auto block = all.at("block").get<std::size_t>();
  REQUIRE(lines().size() == all.at("lines").get<std::size_t>());
  const Tokenizer tokenizer = Tokenizer::load(data_folder + name + ".json");
  CHECK(tokenizer.vocab_size() == expected.at("vocab_size").get<std::size_t>());
  for (std::size_t b = 0; b * block < lines().size(); ++b) {
    Sum ids, plain, text;
    for (std::size_t i = b * block; i < (b + 1) * block; ++i) {
      const auto with_special = tokenizer.encode(lines()[i]);
      ids.add(spelled(with_special));
      plain.add(spelled(tokenizer.encode(lines()[i], false)));
      text.add(tokenizer.decode(with_special, false));
      std::vector<std::int64_t> odd;
      for (std::size_t t = 1; t < with_special.size(); t += 2) odd.push_back(with_special[t]);
      text.add(tokenizer.decode(odd, true));
    }
    CAPTURE(b * block);
    CHECK(ids.digits() == expected.at("ids")[b].get<std::string>());
    CHECK(plain.digits() == expected.at("plain")[b].get<std::string>());
    CHECK(text.digits() == expected.at("text")[b].get<std::string>());
  }
}

TEST_CASE("a byte-level tokenizer gives back every line") {
  const std::string name = GENERATE(as<std::string>(), "gpt2", "llama3", "smollm2");
  CAPTURE(name);
  const Tokenizer tokenizer = Tokenizer::load(data_folder + name + ".json");
  for (const std::string& line : lines()) {
    CAPTURE(line);
    REQUIRE(tokenizer.decode(tokenizer.encode(line, false), false) == line);
  }
}
