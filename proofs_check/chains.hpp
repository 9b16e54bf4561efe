// SPDX-License-Identifier: MIT
// Irreducible chains of two states over Q: the stationary distribution and the function h of the
// central limit theorem (theory-2 section 9).
#pragma once

#include <cstddef>
#include <vector>

#include "proofs_check/solve.hpp"
#include "proofs_check/tiny_process.hpp"

namespace gammascope::proofs {

/// P(next state | state); the process has no end.
[[nodiscard]] inline Table<Q> transitions(const TinyProcess& p) {
  Table<Q> m(p.states(), std::vector<Q>(p.states()));
  for (std::size_t s = 0; s < p.states(); ++s)
    for (std::size_t a = 0; a < p.tokens(); ++a) m[s][p.next[s][a]] += p.student[s][a];
  return m;
}

/// Of two states: each can be left.
[[nodiscard]] inline bool irreducible(const Table<Q>& m) { return m[0][1] > 0 && m[1][0] > 0; }

/// d with d P = d.
[[nodiscard]] inline std::vector<Q> stationary(const Table<Q>& m) {
  const Q total = m[0][1] + m[1][0];
  return {m[1][0] / total, m[0][1] / total};
}

/// h = (I - P + 1 d)^{-1} (r - rbar); Value: Q or LogPrime.
template <class Value>
[[nodiscard]] std::vector<Value> poisson_solution(const Table<Q>& m,
                                                  const std::vector<Q>& d,
                                                  std::vector<Value> r) {
  Value mean{};
  for (std::size_t s = 0; s < d.size(); ++s) mean += d[s] * r[s];
  for (Value& one : r) one -= mean;
  Table<Q> matrix = m;
  for (std::size_t s = 0; s < d.size(); ++s)
    for (std::size_t k = 0; k < d.size(); ++k) matrix[s][k] = (s == k ? 1 : 0) - m[s][k] + d[k];
  return solve(std::move(matrix), std::move(r));
}

/// E[X | s]; Value: Q or LogPrime.
template <class Value>
[[nodiscard]] std::vector<Value> mean_log_ratio(const TinyProcess& p, const Table<Value>& x) {
  std::vector<Value> r(p.states());
  for (std::size_t s = 0; s < p.states(); ++s)
    for (std::size_t a = 0; a < p.tokens(); ++a) r[s] += p.student[s][a] * x[s][a];
  return r;
}

}  // namespace gammascope::proofs
