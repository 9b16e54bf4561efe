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

/// A number that a bound took, and where it came from.
struct BoundInput {
  std::string name;  ///< sigma2, c, v, d2, C
  std::optional<double> value;
  Origin origin;  ///< no default on purpose
};

struct Verdict {
  std::string
      claim;  ///< theorem_3_3.finite, theorem_3_3.infinite, on_policy, sharp_v1, sharp_d, drift, kl
  Outcome outcome = Outcome::inconclusive;
  Alignment alignment = Alignment::window;
  double gamma = 0;
  std::optional<std::int64_t> n;
  std::optional<double> bound;  ///< nats^2
  std::vector<BoundInput> inputs;
  std::optional<double> value, lower, upper;
  double p_pass = 1, p_fail = 1;                    ///< one-sided; small speaks for pass / for fail
  double p_pass_adjusted = 1, p_fail_adjusted = 1;  ///< Holm over the 2m of the run
  std::optional<std::int64_t> prompts_needed;       ///< when inconclusive
  CellStatus cell_status = CellStatus::ok;
  std::string reason;  ///< one sentence for a person; never empty
};

}  // namespace gammascope
