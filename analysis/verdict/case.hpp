// SPDX-License-Identifier: MIT
// A claim on its way from evidence to a verdict, and what all claims of a run share: one error
// rate. Tests: tests/analysis/verdict/test_case.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/core/enum_name.hpp"
#include "analysis/verdict/judge.hpp"
#include "analysis/verdict/origin.hpp"
#include "analysis/verdict/verdict.hpp"

namespace gammascope::check {

/// Truths, in the unit of the quantity, that pass (fail) with probability 80 % at one-sided error
/// `level`.
struct Detectable {
  std::optional<double> pass, fail;
};

struct Case {
  Verdict verdict;
  Evidence evidence;
  Origin origin = Origin::claimed;  ///< same_rollouts: identity
  std::string context;              ///< added to the reason
  std::string confirmed, refuted, undecided, identity,
      degenerate;  ///< in place of the standing sentences; empty: those
  std::function<Detectable(double level)> detectable;                       ///< or empty
  std::function<std::optional<std::int64_t>(double level)> prompts_needed;  ///< or empty
  std::size_t claim = 0;          ///< cases of one claim over a grid share it
  std::vector<double> influence;  ///< of the same clusters in every case of a claim, for min-p;
                                  ///< empty: not to be had
};

/// --multiplicity
enum class Multiplicity : std::uint8_t {
  automatic,  ///< min-p inside a claim of more than 8 cells that can have it, else holm
  holm,       ///< over all p-values of the run
  maxt,       ///< min-p inside every claim of two cells or more that can have it
};

/// A claim whose cells were judged jointly.
struct Joint {
  std::size_t claim = 0;
  std::size_t cells = 0;
  double effective = 0;  ///< cells that they count as (stats::MinPResult::effective_tests / 2)
};

/// Adjusts both one-sided p-values of every case, so that at error rate `alpha` the chance of any
/// wrong word in the run, direction included, is at most alpha (calibration 5), and finds what each
/// case detects at the level of the first step. Weighted Holm: a p-value outside a joint claim has
/// weight 1, a joint claim has weight 2 (both directions, one of which is true at least, so its
/// weight is never released) and enters with its step-down min-p values. Without joint claims that
/// is Holm over the 2m p-values.
/// @return the joint claims
std::vector<Joint> adjust(std::span<Case> cases,
                          double alpha,
                          Multiplicity multiplicity = Multiplicity::holm);

/// From the adjusted p-values to the word and its sentence.
void close(Case& one, double alpha);

}  // namespace gammascope::check

namespace gammascope {
template <>
struct EnumName<check::Multiplicity> {
  static constexpr std::array<std::string_view, 3> names{"auto", "holm", "maxt"};
};
}  // namespace gammascope
