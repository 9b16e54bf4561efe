// SPDX-License-Identifier: MIT
// A family of processes with parameters, and whether it is a student-teacher pair at all.
// Tests: tests/simulators/families/test_registry.cpp
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "simulators/markov/mixture.hpp"

namespace gammascope::families {

/// One parameter; legal values: low < x < high.
struct Parameter {
  std::string name;
  double value;  ///< the default
  double low, high;
  bool whole;           ///< a whole number
  std::string meaning;  ///< with its unit
};

using Values = std::map<std::string, double>;  ///< every parameter of a family by name

struct Family {
  std::string name;
  std::string about;  ///< one line
  std::vector<Parameter> parameters;
  /// Whether (OP), E[exp X | h] <= 1, holds, so that some teacher has these log-ratios (theory 3a).
  /// On-policy claims on a "no" are refused.
  bool realisable;
  std::function<markov::Mixture(const Values&)> build;
};

/// S(x, n) = 1 + x + … + x^(n-1) by doubling, S(2m) = S(m) (1 + x^m): no difference is taken, so
/// nothing cancels at x near 1. For |x| <= 1, n >= 0. Cost: O(log n)
[[nodiscard]] inline double power_sum(double x, long n) {
  double sum = 0, power = 1;  // S(m) and x^m for the bits of n read so far
  for (int bit = 62; bit >= 0; --bit) {
    sum *= 1 + power;
    power *= power;
    if ((n >> bit & 1) != 0) {
      sum = 1 + x * sum;
      power *= x;
    }
  }
  return sum;
}

}  // namespace gammascope::families
