// SPDX-License-Identifier: MIT
// A number as it stands in a process file: a double, or an exact fraction; and the logarithm of a
// quotient of two of them without loss. Tests: tests/simulators/markov/test_exact_number.cpp
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include <boost/multiprecision/cpp_int.hpp>

namespace gammascope::markov {

using Rational = boost::multiprecision::cpp_rational;

/// A double stands for itself exactly.
using ExactNumber = std::variant<double, Rational>;

/// "3/5", "0.6", "6e-1", "1": exactly that number. Absent if it is none of these, has a zero
/// denominator, or an exponent beyond 1000 or more than 1000 characters. No spaces; a leading minus
/// is understood.
[[nodiscard]] std::optional<Rational> parse_rational(std::string_view text);

/// Rounded once. Cost: a microsecond for a fraction
[[nodiscard]] long double to_long_double(const ExactNumber& x);

/// log(numerator / denominator), nats, relative error below 1e-18 also where the two almost agree:
/// log1p((n - d) / d) from the exact difference when the quotient lies in [1/2, 2], else log(n/d).
/// Minus infinity for a zero numerator. Precondition: numerator >= 0, denominator > 0.
[[nodiscard]] long double log_quotient(const ExactNumber& numerator,
                                       const ExactNumber& denominator);

}  // namespace gammascope::markov
