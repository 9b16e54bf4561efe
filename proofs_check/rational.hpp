// SPDX-License-Identifier: MIT
// Q, and how its elements are written. GMP enters through this file.
#pragma once

#include <string>

#include <boost/multiprecision/gmp.hpp>

namespace gammascope::proofs {

/// A rational number of any size; always in lowest terms.
using Q = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                        boost::multiprecision::et_off>;

/// n / d. Precondition: d != 0.
[[nodiscard]] inline Q q(long n, long d = 1) { return Q(n) / Q(d); }

/// base^n, n >= 0; 0^0 = 1.
[[nodiscard]] inline Q power(const Q& base, std::size_t n) {
  Q result{1};
  for (std::size_t i = 0; i < n; ++i) result *= base;
  return result;
}

/// "-7/8", "3".
[[nodiscard]] inline std::string text(const Q& x) { return x.str(); }

}  // namespace gammascope::proofs
