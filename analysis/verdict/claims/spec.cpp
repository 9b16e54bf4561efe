// SPDX-License-Identifier: MIT
// The grammar, by recursive descent:
//   claims   := claim { ";" claim }
//   claim    := quantity "(" [ argument { "," argument } ] ")" [ relation ]
//   argument := name [ "=" ( number | "[" number { "," number } "]" ) ]
//   relation := ( "<=" | ">=" ) limit [ ( "+" | "-" ) band ] | "within" band "of" limit
//   band     := number [ "%" ]
#include "analysis/verdict/claims/spec.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "analysis/bounds/registry.hpp"
#include "analysis/core/errors.hpp"

namespace gammascope::claims {
namespace {

std::optional<double> number_of(std::string_view text) {
  double x = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, x);
  if (error != std::errc{} || at != end || !std::isfinite(x)) return std::nullopt;
  return x;
}

std::string shortest(double x) {
  std::array<char, 40> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x).ptr};
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '/' || c == '-' || c == '+' || c == '~';
}

class Reader {
 public:
  Reader(std::string_view text, const At& origin) : text_(text), origin_(origin) {}

  std::vector<Spec> claims() {
    std::vector<Spec> all;
    do {
      all.push_back(claim());
    } while (take(";"));
    skip_space();
    if (place_ < text_.size()) fail("';' or the end of the claim is expected here");
    return all;
  }

  Band band() {
    const At at = here();
    const auto x = number_of(word("a band, such as 10% or 0.5,"));
    if (!x || !(*x >= 0.0)) refuse(at, "a band is a number at or above 0, with or without %");
    return {*x, take("%")};
  }

  void expect_end() {
    skip_space();
    if (place_ < text_.size()) fail("nothing more is expected here");
  }

 private:
  [[nodiscard]] At here() {
    skip_space();
    At at = origin_;
    at.column = place_ + 1;
    return at;
  }
  [[noreturn]] void fail(const std::string& rule) { refuse(here(), rule); }

  void skip_space() {
    while (place_ < text_.size() && (text_[place_] == ' ' || text_[place_] == '\t')) ++place_;
  }
  bool take(std::string_view symbol) {
    skip_space();
    if (text_.substr(place_, symbol.size()) != symbol) return false;
    place_ += symbol.size();
    return true;
  }
  void expect(std::string_view symbol, const char* what) {
    if (!take(symbol)) fail("'" + std::string(symbol) + "' is expected here, " + what);
  }
  std::string word(const char* what) {
    skip_space();
    const std::size_t from = place_;
    while (place_ < text_.size() && is_word(text_[place_])) ++place_;
    if (place_ == from) fail(std::string(what) + " is expected here");
    return std::string(text_.substr(from, place_ - from));
  }
  double number() {
    const At at = here();
    const std::string text = word("a number");
    const auto x = number_of(text);
    if (!x) refuse(at, "'" + text + "' is not a finite number");
    return *x;
  }

  Argument argument() {
    Argument a;
    a.at = here();
    a.name = word("an argument, such as gamma=0.99,");
    if (a.at.field.empty()) a.at.field = a.name;
    if (!take("=")) {
      a.numbers = {1.0};
      return a;
    }
    if (!take("[")) {
      a.numbers = {number()};
      return a;
    }
    do {
      a.numbers.push_back(number());
    } while (take(","));
    expect("]", "after a list of numbers");
    return a;
  }

  Limit limit() {
    const At at = here();
    if (take("\"")) {
      const std::size_t end = text_.find('"', place_);
      if (end == std::string_view::npos) refuse(at, "the quoted name has no end");
      const std::string_view name = text_.substr(place_, end - place_);
      place_ = end + 1;
      return parse_limit(name, true, at);
    }
    return parse_limit(word("a number, a bound or a result file"), false, at);
  }

  Spec claim() {
    Spec spec;
    spec.at = here();
    spec.quantity = word("a quantity, such as variance,");
    expect("(", "after the quantity");
    if (!take(")")) {
      do {
        spec.arguments.push_back(argument());
      } while (take(","));
      expect(")", "after the arguments");
    }
    if (take("<=") || take(">=")) {
      spec.relation = text_[place_ - 2] == '<' ? Relation::at_most : Relation::at_least;
      spec.limit = limit();
      const At sign = here();
      const bool plus = take("+");
      if (plus || take("-")) {
        if (plus != (spec.relation == Relation::at_most))
          refuse(sign, "a band widens the limit: <= LIMIT + BAND, >= LIMIT - BAND");
        spec.limit.band = band();
      }
    } else if (take("within")) {
      spec.relation = Relation::within;
      const Band width = band();
      expect("of", "after the band");
      spec.limit = limit();
      spec.limit.band = width;
    } else {
      skip_space();
      if (place_ < text_.size() && text_[place_] != ';')
        fail("'<=', '>=' or 'within' is expected here");
    }
    spec.name = typed_text(spec);
    return spec;
  }

  std::string_view text_;
  At origin_;
  std::size_t place_ = 0;
};

std::string band_text(const Band& band) { return shortest(band.size) + (band.percent ? "%" : ""); }

}  // namespace

void refuse(const At& at, const std::string& rule) {
  const std::string column = at.column > 0 ? "column " + std::to_string(at.column) + ": " : "";
  if (at.file.empty()) throw UsageError("--claim: " + column + rule);
  throw BadData({at.file, at.line, at.field, column + rule});
}

std::vector<Spec> parse_claims(std::string_view text, const At& origin) {
  return Reader(text, origin).claims();
}

Band parse_band(std::string_view text, const At& at) {
  Reader reader(text, at);
  const Band band = reader.band();
  reader.expect_end();
  return band;
}

Limit parse_limit(std::string_view word, bool quoted, const At& at) {
  Limit limit;
  limit.at = at;
  if (!quoted)
    if (const auto x = number_of(word)) {
      limit.kind = Limit::Kind::number;
      limit.number = *x;
      return limit;
    }
  limit.name = word;
  if (!bounds::select(word).empty()) {
    limit.kind = Limit::Kind::bound;
    return limit;
  }
  if (!quoted && word.find_first_of("./") == std::string_view::npos) {
    std::string known;
    for (const auto& bound : bounds::all())
      known.append(known.empty() ? "" : ", ").append(bound.claim);
    refuse(at,
           "'" + limit.name + "' is no number, no bound (" + known +
               ") and no file of an earlier result (NAME.json)");
  }
  limit.kind = Limit::Kind::result;
  return limit;
}

std::string typed_text(const Spec& spec) {
  std::string text = spec.quantity + "(";
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    const Argument& a = spec.arguments[i];
    text += (i > 0 ? ", " : "") + a.name;
    if (a.name == "infinite") continue;
    text += '=';
    if (a.numbers.size() == 1) {
      text += shortest(a.numbers[0]);
      continue;
    }
    for (std::size_t k = 0; k < a.numbers.size(); ++k)
      text += (k == 0 ? "[" : ",") + shortest(a.numbers[k]);
    text += "]";
  }
  text += ")";
  const Limit& limit = spec.limit;
  std::string right;
  switch (limit.kind) {
    case Limit::Kind::none:
      return text;
    case Limit::Kind::number:
      right = shortest(limit.number);
      break;
    case Limit::Kind::bound:
      right = limit.name;
      break;
    case Limit::Kind::result:
      right = limit.name;
      break;
    case Limit::Kind::baseline:
      right = "baseline";
      break;
  }
  if (spec.relation == Relation::within)
    return text + " within " + band_text(limit.band.value_or(Band{})) + " of " + right;
  text += spec.relation == Relation::at_most ? " <= " : " >= ";
  text += right;
  if (limit.band)
    text += (spec.relation == Relation::at_most ? " + " : " - ") + band_text(*limit.band);
  return text;
}

}  // namespace gammascope::claims
