// SPDX-License-Identifier: MIT
// What somebody claims, before anything is measured: a quantity with arguments, held against a
// limit. Typed (--claim) or from a claims file; docs/claims.md has the grammar. Tests:
// tests/analysis/verdict/claims/test_spec.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/measure/cell.hpp"
#include "analysis/verdict/verdict.hpp"

namespace gammascope::claims {

/// Where a part of a claim is written.
struct At {
  std::string file;        ///< empty: typed
  std::int64_t line = 0;   ///< of the file, 1-based
  std::string field;       ///< of the file
  std::size_t column = 0;  ///< of the claim's text, 1-based; 0: not from text
};

/// @throws UsageError naming the column for what was typed, BadData naming file, line and field for
/// what a file says
[[noreturn]] void refuse(const At& at, const std::string& rule);

/// gamma=0.99, gamma=[0.9,0.99], infinite
struct Argument {
  std::string name;
  std::vector<double> numbers;  ///< at least one; a bare word is {1}
  At at;
};

/// "10%" or 0.5
struct Band {
  double size = 0;      ///< as typed: 10 of "10%"
  bool percent = true;  ///< of the reference
  /// How far it reaches from a reference, in its unit.
  [[nodiscard]] double reach(double reference) const {
    return percent ? size / 100.0 * (reference < 0 ? -reference : reference) : size;
  }
};

/// What a number is held against.
struct Limit {
  enum class Kind : std::uint8_t {
    none,      ///< the quantity has one of its own
    number,    ///< typed
    bound,     ///< a bound by name (bounds/registry.hpp)
    result,    ///< the same number in an earlier result.json
    baseline,  ///< a number with its spread, kept in the claims file
  };
  Kind kind = Kind::none;
  double number = 0;             ///< of `number` and `baseline`
  std::string name;              ///< of the bound; file of the result
  std::optional<Band> band;      ///< added to the reference (at_most), taken off (at_least), both
  std::optional<Spread> spread;  ///< of `baseline`; absent: the number is taken as exact
  At at;
};

struct Spec {
  std::string name;  ///< what it is called; by default typed_text()
  std::string quantity;
  std::vector<Argument> arguments;
  Relation relation = Relation::at_most;
  Limit limit;
  At at;
};

/// Claims typed, with ";" between them.
/// @param origin file, line and field the text stands in; all empty: the command line
/// @throws as refuse()
[[nodiscard]] std::vector<Spec> parse_claims(std::string_view text, const At& origin = {});

/// "10%" or "0.5". @throws as refuse()
[[nodiscard]] Band parse_band(std::string_view text, const At& at);

/// A limit from one word: a number, the name of a bound, or a file (quoted, or with "." or "/").
/// @throws as refuse()
[[nodiscard]] Limit parse_limit(std::string_view word, bool quoted, const At& at);

/// The claim as it is typed: "variance(gamma=0.99, window=64) <= 25".
[[nodiscard]] std::string typed_text(const Spec& spec);

}  // namespace gammascope::claims
