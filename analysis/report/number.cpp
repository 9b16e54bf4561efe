// SPDX-License-Identifier: MIT
#include "analysis/report/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace gammascope::report {
namespace {

std::string chars(double x, std::chars_format format, int precision) {
  std::array<char, 400> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, format, precision).ptr;
  return {buffer.data(), end};
}

/// Cuts zeros after a decimal point, and the point when nothing is left behind it.
std::string trimmed(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

struct Scientific {
  std::string mantissa;
  int exponent = 0;
};

/// |x| rounded to `digits` significant digits; x finite and not 0.
Scientific scientific(double x, int digits) {
  const std::string text = chars(x, std::chars_format::scientific, digits - 1);
  const std::size_t e = text.find('e');
  Scientific result{text.substr(0, e), 0};
  const char* first = text.data() + e + 1;
  if (*first == '+') ++first;
  std::from_chars(first, text.data() + text.size(), result.exponent);
  return result;
}

std::string significant(double x, int digits) {
  if (std::isnan(x)) return "-";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  if (x == 0.0) return "0";
  const Scientific s = scientific(x, digits);
  if (s.exponent < -4 || s.exponent > 5)
    return trimmed(s.mantissa) + "e" + std::to_string(s.exponent);
  // One decimal in the thousands: 1360.5, beside bounds of the same size, still tells them apart.
  const int decimals = s.exponent == 3 ? 1 : std::max(0, digits - 1 - s.exponent);
  return trimmed(chars(x, std::chars_format::fixed, decimals));
}

}  // namespace

std::string number(double x) { return significant(x, 4); }

std::string number(const std::optional<double>& x) { return x ? number(*x) : "-"; }

std::string limits(const std::optional<double>& lower, const std::optional<double>& upper) {
  if (!lower && !upper) return "-";
  std::string low = number(lower), high = number(upper);
  if (lower && upper && std::isfinite(*lower) && std::isfinite(*upper)) {
    const double size = std::max(std::fabs(*lower), std::fabs(*upper));
    if (size >= 1e-4 && size < 1e6) {
      const int exponent = scientific(size, 3).exponent;
      const double distance = std::fabs(*upper - *lower);
      int decimals = std::max(0, 2 - exponent);
      while (decimals < 5 - exponent && distance < 10.0 * std::pow(10.0, -decimals)) ++decimals;
      low = chars(*lower == 0.0 ? 0.0 : *lower, std::chars_format::fixed, decimals);
      high = chars(*upper == 0.0 ? 0.0 : *upper, std::chars_format::fixed, decimals);
    }
  }
  return "[" + low + ", " + high + "]";
}

std::string exact_number(double x) {
  if (!std::isfinite(x) || x == 0.0) return significant(x, 4);
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  return {buffer.data(), end};
}

std::string count(std::int64_t n, std::string_view gap) {
  std::string digits = std::to_string(n);
  const std::size_t sign = n < 0 ? 1 : 0;
  if (digits.size() - sign < 5) return digits;
  for (std::size_t i = digits.size() - 3; i > sign; i = i > 3 ? i - 3 : 0) digits.insert(i, gap);
  return digits;
}

std::string percent(double share) {
  const double x = 100.0 * share;
  if (!std::isfinite(x)) return number(x);
  if (std::fabs(x) >= 9.95 && std::fabs(x) < 1e6)
    return chars(x, std::chars_format::fixed, 0) + " %";
  return significant(x, 2) + " %";
}

std::string p_value(double p) { return p < 1e-9 ? "<1e-9" : significant(p, 2); }

}  // namespace gammascope::report
