// SPDX-License-Identifier: MIT
// Objects of a tokenizer.json, read field by field; what is wrong is said with the field's path.
// Private to the tokenizer. Tests: tests/lab/models/tokenizer/test_refused.cpp
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/io/json.hpp"

namespace gammascope::lab {

/// One object of the file; refers to the parsed document. Every function throws BadData naming
/// file, path ("pre_tokenizer.pretokenizers[1].behavior") and rule.
class Fields {
 public:
  /// `path`: where the object stands; "" is the document.
  Fields(const io::SortedJson& json, const std::string& file, std::string path);

  [[noreturn]] void fail(std::string_view key, const std::string& rule) const;

  /// Fields besides these change what the object does in a way that is not built.
  void only(std::initializer_list<std::string_view> known) const;

  /// Null when missing or JSON null.
  [[nodiscard]] const io::SortedJson* find(std::string_view key) const;
  [[nodiscard]] const io::SortedJson& need(std::string_view key) const;

  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key, bool when_missing) const;
  /// A whole number from 0 to `most`.
  [[nodiscard]] std::uint32_t whole(std::string_view key, std::uint32_t most) const;
  [[nodiscard]] Fields object(std::string_view key) const;
  [[nodiscard]] std::vector<Fields> objects(std::string_view key) const;

  [[nodiscard]] const io::SortedJson& json() const noexcept { return *json_; }
  [[nodiscard]] const std::string& file() const noexcept { return *file_; }
  /// The path of a field of this object; of the object itself for "".
  [[nodiscard]] std::string path(std::string_view key) const;

 private:
  const io::SortedJson* json_;
  const std::string* file_;
  std::string path_;
};

}  // namespace gammascope::lab
