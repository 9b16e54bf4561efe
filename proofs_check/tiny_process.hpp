// SPDX-License-Identifier: MIT
// A Markov token process whose probabilities are rational numbers, small enough to enumerate; the
// students are softmax over tokens with one row of logits a state. (Logits by prefix are the case
// where every prefix is a state of its own.) Tests: tests/proofs_check/test_families.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "proofs_check/ball.hpp"
#include "proofs_check/log_prime.hpp"
#include "proofs_check/rational.hpp"
#include "simulators/markov/process.hpp"

namespace gammascope::proofs {

template <class T>
using Table = std::vector<std::vector<T>>;  ///< [state][token]

/// Index base 0. The end is state number states(); the token that leads there is the last one.
struct TinyProcess {
  std::vector<Q> initial;     ///< (states) sums to 1: one prompt a starting state
  Table<Q> student;           ///< rows sum to 1; 0 where the token never occurs
  Table<Q> teacher;           ///< rows sum to at most 1; positive where the student is
  Table<std::uint32_t> next;  ///< states() is the end
  std::size_t length = 0;     ///< tokens at which a response is cut

  [[nodiscard]] std::size_t states() const noexcept { return initial.size(); }
  [[nodiscard]] std::size_t tokens() const noexcept { return student.front().size(); }
  /// The process in full, as a counterexample is printed.
  [[nodiscard]] std::string text() const;
};

/// X(s, a) = log teacher - log student, exactly; zero where the student never emits a.
[[nodiscard]] Table<LogPrime> log_ratios(const TinyProcess& process);
/// The same as balls of the present precision.
[[nodiscard]] Table<Ball> log_ratio_balls(const TinyProcess& process);

/// The process as the exact solver takes it, with the given log-ratios (which may be any numbers:
/// the solver's identities do not need a teacher). The end, if any, is state states().
template <class Real>
[[nodiscard]] markov::Process<Real> as_markov(const TinyProcess& tiny, const Table<Real>& x) {
  const auto end = static_cast<std::uint32_t>(tiny.states());
  std::vector<Real> initial;
  for (const Q& p : tiny.initial) initial.push_back(Real(p));
  std::vector<std::vector<markov::Edge<Real>>> rows(tiny.states() + 1);
  for (std::size_t s = 0; s < tiny.states(); ++s)
    for (std::size_t a = 0; a < tiny.tokens(); ++a)
      if (tiny.student[s][a] != 0)
        rows[s].push_back(
            {Real(tiny.student[s][a]), x[s][a], tiny.next[s][a], static_cast<std::uint32_t>(a)});
  initial.push_back(Real(0));
  return {std::move(initial), std::move(rows), end, tiny.tokens()};
}

}  // namespace gammascope::proofs
