// SPDX-License-Identifier: MIT
// The five words we answer with, and the record of a claim judged: the row of `verdicts` in
// result.json (results.md; theory 5). Tests: tests/analysis/verdict/test_verdict.cpp
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/core/enum_name.hpp"
#include "analysis/measure/cell.hpp"
#include "analysis/verdict/origin.hpp"

namespace gammascope {

enum class Outcome : std::uint8_t {
  pass,          ///< shown to be below the bound
  fail,          ///< shown to be above it
  inconclusive,  ///< neither
  identity,      ///< could not have failed: sigma2 is of the very responses under test
  degenerate,    ///< variance zero or below the engine's noise floor: every upper bound holds,
                 ///< nothing was shown
};
template <>
struct EnumName<Outcome> {
  static constexpr std::array<std::string_view, 5> names{
      "pass", "fail", "inconclusive", "identity", "degenerate"};
};

/// How a claim holds its number against the bound.
enum class Relation : std::uint8_t {
  at_most,   ///< value <= bound
  at_least,  ///< value >= bound
  within,    ///< bound_low <= value <= bound
};
template <>
struct EnumName<Relation> {
  static constexpr std::array<std::string_view, 3> names{"at_most", "at_least", "within"};
};

/// A number that a bound took, and where it came from.
struct BoundInput {
  std::string name;  ///< sigma2, c, v, d2, C
  std::optional<double> value;
  Origin origin;  ///< no default on purpose
};

struct Verdict {
  std::string claim;  ///< theorem_3_3.finite, theorem_3_3.infinite, on_policy, sharp_v1, sharp_d,
                      ///< drift, kl; or what the user called it, by default as it is typed
  Outcome outcome = Outcome::inconclusive;
  Quantity quantity = Quantity::variance;  ///< what `value` is
  Relation relation = Relation::at_most;
  std::optional<Alignment> alignment;  ///< absent where the quantity has none
  std::optional<double> gamma;
  std::optional<std::int64_t> n;
  std::optional<double> bound;      ///< in the unit of the quantity
  std::optional<double> bound_low;  ///< the other end of `within`
  std::vector<BoundInput> inputs;
  std::optional<double> value, lower, upper;
  double p_pass = 1, p_fail = 1;                    ///< one-sided; small speaks for pass / for fail
  double p_pass_adjusted = 1, p_fail_adjusted = 1;  ///< Holm over the 2m of the run
  std::optional<std::int64_t> prompts_needed;       ///< when inconclusive
  /// Truths that would be judged so with probability 80 %, said before anything is judged: passes
  /// at `detect_pass` or better, fails at `detect_fail` or worse. Absent where that cannot be said.
  std::optional<double> detect_pass, detect_fail;
  std::string where;  ///< "claims.toml:7", where it is written; empty for what was typed
  CellStatus cell_status = CellStatus::ok;
  std::string reason;  ///< one sentence for a person; never empty
};

}  // namespace gammascope
