// SPDX-License-Identifier: MIT
// A statement and the program that decides it. One file of claims/ a statement; registry.cpp lists
// them. Each has mutants: the same program on a statement altered in one place, which must be
// refused, so that a check that cannot fail is seen (tests/proofs_check/test_statements.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gammascope::proofs {

enum class Method : std::uint8_t {
  exact,      ///< over Q, or over Q and the logs of primes: no rounding
  certified,  ///< ball arithmetic: rounding is bounded, so a decided inequality is proved
};
/// "exact over Q", "certified interval".
[[nodiscard]] std::string_view name(Method method) noexcept;

/// How to run a claim.
struct Run {
  bool quick = false;      ///< a part of the domain, spread over all of it
  std::size_t mutant = 0;  ///< 0: the statement; k: its k-th mutant, 1-based
  unsigned threads = 1;
  /// Called now and then with the share of the domain done, in [0, 1]; from one thread at a time.
  /// May throw to stop (core/interrupt).
  std::function<void(double)> progress;
};

/// What came out.
struct Outcome {
  std::string domain;                         ///< what was checked, in words
  std::uint64_t checked = 0;                  ///< cases decided
  std::vector<std::string> notes;             ///< numbers worth printing: gaps, extremes
  std::optional<std::string> counterexample;  ///< in full; absent: the statement held everywhere
};

struct Claim {
  std::string_view name;       ///< as on the command line: "proposition_3_2"
  std::string_view source;     ///< "Proposition 3.2", "theory-2 1b"
  std::string_view statement;  ///< in words and formulas
  Method method;
  std::vector<std::string_view> mutants;  ///< what is altered
  std::function<Outcome(const Run&)> check;
};

/// All claims, in the order of docs/theory.md.
[[nodiscard]] const std::vector<Claim>& claims();

/// The claim called `name`; null if there is none.
[[nodiscard]] const Claim* find_claim(std::string_view name);

}  // namespace gammascope::proofs
