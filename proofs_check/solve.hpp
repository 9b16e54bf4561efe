// SPDX-License-Identifier: MIT
// A linear system by elimination: over Q with a pivot search; over balls for matrices that are
// diagonally dominant, which need none.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace gammascope::proofs {

/// Solves M x = right. Field: numbers of the matrix; Value: of the right side, a vector space over
/// it (Field * Value, Value -= Value). @throws std::domain_error if M is singular. Cost: O(n^3)
template <class Field, class Value>
[[nodiscard]] std::vector<Value> solve(std::vector<std::vector<Field>> m,
                                       std::vector<Value> right) {
  const std::size_t n = m.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    while (pivot < n && m[pivot][i] == Field(0)) ++pivot;
    if (pivot == n) throw std::domain_error("the system is singular");
    std::swap(m[i], m[pivot]);
    std::swap(right[i], right[pivot]);
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i || m[j][i] == Field(0)) continue;
      const Field factor = m[j][i] / m[i][i];
      for (std::size_t k = i; k < n; ++k) m[j][k] -= factor * m[i][k];
      right[j] -= factor * right[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) right[i] = (Field(1) / m[i][i]) * right[i];
  return right;
}

}  // namespace gammascope::proofs
