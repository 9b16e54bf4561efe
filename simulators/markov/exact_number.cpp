// SPDX-License-Identifier: MIT
#include "simulators/markov/exact_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace gammascope::markov {
namespace {

using Integer = boost::multiprecision::cpp_int;
using Wide = boost::multiprecision::cpp_bin_float_50;

bool digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// cpp_int would read a leading zero as octal.
Integer integer(std::string_view text) {
  const auto first = std::min(text.find_first_not_of('0'), text.size() - 1);
  return Integer(std::string(text.substr(first)));
}

std::optional<Rational> decimal(std::string_view text) {
  long exponent = 0;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    if (!power.empty() && power.front() == '+') power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error != std::errc{} || end != power.data() + power.size()) return std::nullopt;
    if (exponent < -1000 || exponent > 1000) return std::nullopt;
    text = text.substr(0, e);
  }
  const auto point = text.find('.');
  const std::string whole(text.substr(0, point));
  const std::string part(point == std::string_view::npos ? "" : text.substr(point + 1));
  if (!digits(whole) || (point != std::string_view::npos && !digits(part))) return std::nullopt;
  exponent -= static_cast<long>(part.size());
  const Integer power = pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  const Integer mantissa = integer(whole + part);
  return exponent < 0 ? Rational(mantissa, power) : Rational(mantissa * power);
}

Rational to_rational(const ExactNumber& x) {
  return std::holds_alternative<double>(x) ? Rational(std::get<double>(x)) : std::get<Rational>(x);
}

long double rounded(const Rational& x) {
  const Wide quotient = Wide(numerator(x)) / Wide(denominator(x));
  return quotient.convert_to<long double>();
}

}  // namespace

std::optional<Rational> parse_rational(std::string_view text) {
  if (text.size() > 1000) return std::nullopt;
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  std::optional<Rational> value;
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    const std::string_view over = text.substr(0, slash), under = text.substr(slash + 1);
    if (!digits(over) || !digits(under) || integer(under) == 0) return std::nullopt;
    value = Rational(integer(over), integer(under));
  } else {
    value = decimal(text);
  }
  if (value && negative) *value = -*value;
  return value;
}

long double to_long_double(const ExactNumber& x) {
  return std::holds_alternative<double>(x) ? static_cast<long double>(std::get<double>(x))
                                           : rounded(std::get<Rational>(x));
}

long double log_quotient(const ExactNumber& numerator, const ExactNumber& denominator) {
  const long double n = to_long_double(numerator), d = to_long_double(denominator);
  if (n == 0.0L) return -std::numeric_limits<long double>::infinity();
  const bool near = n >= d / 2 && n <= 2 * d;
  if (std::holds_alternative<double>(numerator) && std::holds_alternative<double>(denominator))
    return near ? std::log1p((n - d) / d) : std::log(n / d);  // n - d is exact (Sterbenz)
  const Rational over = to_rational(numerator), under = to_rational(denominator);
  return near ? std::log1p(rounded(Rational((over - under) / under)))
              : std::log(rounded(Rational(over / under)));
}

}  // namespace gammascope::markov
