// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/pattern.hpp"

#include <stdexcept>

namespace gammascope::lab {

Pattern Pattern::read(const Fields& fields) {
  const Fields pattern = fields.object("pattern");
  pattern.only({"String", "Regex"});
  if (pattern.json().size() != 1) pattern.fail("", "must be one of String and Regex");
  if (pattern.find("Regex") != nullptr)
    return Pattern(Regex(pattern.text("Regex"), pattern.file(), pattern.path("Regex")));
  std::string literal = pattern.text("String");
  if (literal.empty()) pattern.fail("String", "must not be empty");
  return Pattern(std::move(literal));
}

std::vector<Found> Pattern::find_all(std::string_view text) const {
  if (regex_) return regex_->find_all(text);
  std::vector<Found> found;
  for (std::size_t at = text.find(literal_); at != std::string_view::npos;
       at = text.find(literal_, at + literal_.size()))
    found.push_back({at, at + literal_.size()});
  return found;
}

std::string Pattern::replace(std::string_view text, std::string_view by, std::size_t most) const {
  std::string out;
  std::size_t from = 0;
  const auto add = [&](std::string_view part) {
    if (part.size() > most - out.size()) throw std::length_error("a text grows too much");
    out += part;
  };
  for (const Found& match : find_all(text)) {
    add(text.substr(from, match.begin - from));
    add(by);
    from = match.end;
  }
  add(text.substr(from));
  return out;
}

}  // namespace gammascope::lab
