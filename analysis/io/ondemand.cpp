// SPDX-License-Identifier: MIT
#include "analysis/io/ondemand.hpp"

#include <charconv>
#include <cmath>
#include <new>

#include "analysis/io/apply_nonfinite.hpp"
#include "analysis/io/json_scan.hpp"

namespace gammascope::io {
namespace {

namespace ondemand = simdjson::ondemand;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string at(std::string_view field, std::size_t index) {
  return index == no_index ? std::string(field)
                           : std::string(field) + "[" + std::to_string(index) + "]";
}

/// What stands there, short enough for a message.
std::string shown(std::string_view token) {
  constexpr std::size_t most = 24;
  std::string text;
  for (const char c : token.substr(0, most)) text += c < ' ' || c > '~' ? '?' : c;
  return text + (token.size() > most ? "…" : "");
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() &&
         (text.back() == ' ' || text.back() == '\t' || text.back() == '\r' || text.back() == '\n'))
    text.remove_suffix(1);
  return text;
}

std::string_view token_of(JsonValue& value) { return trimmed(value.raw_json_token()); }

ondemand::array array_of(JsonValue& value, std::string_view field) {
  ondemand::array array;
  const auto code = value.get_array().get(array);
  if (code == simdjson::INCORRECT_TYPE)
    throw LineError(std::string(field), "must be an array, is " + shown(token_of(value)));
  check_json(code, field);
  return array;
}

/// Calls read(element, index) for each element of an array.
template <class Read>
void for_each_element(JsonValue& value, std::string_view field, const Read& read) {
  std::size_t index = 0;
  for (auto element : array_of(value, field)) {
    JsonValue item;
    check_json(element.get(item), field);
    read(item, index++);
  }
}

/// The words that stand for numbers, without sign, in lower case.
double word(std::string_view text) {
  std::string lower;
  for (const char c : text.substr(0, 16)) lower += c >= 'A' && c <= 'Z' ? char(c + 32) : c;
  const bool minus = lower.starts_with('-');
  if (minus || lower.starts_with('+')) lower.erase(0, 1);
  if (lower == "inf" || lower == "infinity") return minus ? -infinity : infinity;
  if (lower == "nan") return std::numeric_limits<double>::quiet_NaN();
  return 0;  // no such word
}

/// A JSON number that a double cannot hold.
bool out_of_range(std::string_view text, double& number) {
  double parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc::result_out_of_range || end != text.data() + text.size()) return false;
  const bool tiny = text.find("e-") != std::string_view::npos ||
                    text.find("E-") != std::string_view::npos || text.starts_with("0.") ||
                    text.starts_with("-0.");
  number = tiny ? 0.0 : text.starts_with('-') ? -infinity : infinity;
  return true;
}

double odd_number(JsonValue& value, std::string_view field, std::size_t index) {
  std::string_view token = token_of(value);
  if (token == "null") return double(null_value());
  double number = 0;
  if (out_of_range(token, number)) return number;
  const std::string_view spelled = token;
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"')
    token = token.substr(1, token.size() - 2);
  number = word(token);
  if (number != 0) return number;
  throw LineError(at(field, index), "must be a number, is " + shown(spelled));
}

/// To float, to nearest; a cast beyond the largest float would be undefined.
float narrow(double number) noexcept {
  constexpr double most = std::numeric_limits<float>::max();
  constexpr double rounds_up = 0x1.ffffffp127;  // halfway to what would come next
  if (!(std::abs(number) > most)) return static_cast<float>(number);  // NaN as well
  return static_cast<float>(std::copysign(std::abs(number) < rounds_up ? most : infinity, number));
}

template <class Integer>
void integers(JsonValue& value, std::string_view field, std::vector<Integer>& out) {
  for_each_element(value, field, [&](JsonValue& item, std::size_t index) {
    std::int64_t number = 0;
    if (item.get_int64().get(number) != simdjson::SUCCESS)
      throw LineError(at(field, index), "must be an integer, is " + shown(token_of(item)));
    if (number < std::numeric_limits<Integer>::min() ||
        number > std::numeric_limits<Integer>::max())
      throw LineError(at(field, index), "does not fit in 32 bits: " + std::to_string(number));
    out.push_back(static_cast<Integer>(number));
  });
}

}  // namespace

void check_json(simdjson::error_code code, std::string_view field) {
  if (code == simdjson::SUCCESS) return;
  if (code == simdjson::MEMALLOC) throw std::bad_alloc();
  throw LineError(std::string(field),
                  std::string("is not valid JSON: ") + simdjson::error_message(code));
}

bool take_null(JsonValue& value, std::string_view field) {
  if (token_of(value) != "null") return false;
  const auto null = value.is_null();
  check_json(null.error(), field);
  return true;
}

double read_number(JsonValue& value, std::string_view field, std::size_t index) {
  double number = 0;
  if (value.get_double().get(number) == simdjson::SUCCESS) return number;
  return odd_number(value, field, index);
}

void read_floats(JsonValue& value,
                 std::string_view field,
                 double scale,
                 bool log_probabilities,
                 std::vector<float>& out) {
  for_each_element(value, field, [&](JsonValue& item, std::size_t index) {
    const double number = read_number(item, field, index);
    if (std::isnan(number)) {
      // The payload that tells null from NaN survives the casts.
      out.push_back(is_null(static_cast<float>(number)) ? null_value()
                                                        : std::numeric_limits<float>::quiet_NaN());
      return;
    }
    const float plain = narrow(number);
    const bool keep = scale == 1 || (log_probabilities && is_bad_log_probability(plain));
    out.push_back(keep ? plain : narrow(number * scale));
  });
}

void read_doubles(JsonValue& value, std::string_view field, std::vector<double>& out) {
  for_each_element(value, field, [&](JsonValue& item, std::size_t index) {
    const double number = read_number(item, field, index);
    out.push_back(std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number);
  });
}

std::size_t read_matrix(JsonValue& value, std::string_view field, std::vector<float>& out) {
  std::size_t rows = 0, width = 0;
  for_each_element(value, field, [&](JsonValue& row, std::size_t t) {
    const std::size_t before = out.size();
    for_each_element(row, at(field, t), [&](JsonValue& item, std::size_t k) {
      out.push_back(narrow(read_number(item, at(field, t), k)));
    });
    const std::size_t got = out.size() - before;
    if (rows == 0) width = got;
    if (got != width || got == 0)
      throw LineError(at(field, t),
                      got == 0 ? "must not be empty"
                               : "has " + std::to_string(got) + " values, the rows before have " +
                                     std::to_string(width));
    ++rows;
  });
  return rows;
}

void read_mask(JsonValue& value, std::string_view field, std::vector<std::uint8_t>& out) {
  for_each_element(value, field, [&](JsonValue& item, std::size_t index) {
    std::int64_t number = -1;
    bool flag = false;
    if (item.get_int64().get(number) != simdjson::SUCCESS &&
        item.get_bool().get(flag) == simdjson::SUCCESS)
      number = flag ? 1 : 0;
    if (number != 0 && number != 1)
      throw LineError(at(field, index), "must be 0 or 1, is " + shown(token_of(item)));
    out.push_back(static_cast<std::uint8_t>(number));
  });
}

void read_integers(JsonValue& value, std::string_view field, std::vector<std::int64_t>& out) {
  integers(value, field, out);
}
void read_integers(JsonValue& value, std::string_view field, std::vector<std::int32_t>& out) {
  integers(value, field, out);
}

std::optional<std::int64_t> read_integer(JsonValue& value, std::string_view field) {
  if (take_null(value, field)) return std::nullopt;
  std::int64_t number = 0;
  if (value.get_int64().get(number) != simdjson::SUCCESS)
    throw LineError(std::string(field), "must be an integer, is " + shown(token_of(value)));
  return number;
}

std::optional<double> read_real(JsonValue& value, std::string_view field) {
  if (take_null(value, field)) return std::nullopt;
  double number = 0;
  if (value.get_double().get(number) != simdjson::SUCCESS)
    throw LineError(std::string(field), "must be a number, is " + shown(token_of(value)));
  return number;
}

std::optional<std::string> read_text(JsonValue& value, std::string_view field) {
  if (take_null(value, field)) return std::nullopt;
  std::string_view text;
  const auto code = value.get_string().get(text);
  if (code == simdjson::INCORRECT_TYPE)
    throw LineError(std::string(field), "must be a string, is " + shown(token_of(value)));
  check_json(code, field);
  return std::string(text);
}

std::optional<std::string> read_text_or_integer(JsonValue& value, std::string_view field) {
  std::int64_t number = 0;
  if (value.get_int64().get(number) == simdjson::SUCCESS) return std::to_string(number);
  const std::string_view token = token_of(value);
  if (token != "null" && !token.starts_with('"'))
    throw LineError(std::string(field), "must be a string or an integer, is " + shown(token));
  return read_text(value, field);
}

std::string read_raw(JsonValue& value, std::string_view field) {
  std::string_view text;
  check_json(simdjson::to_json_string(value).get(text), field);
  text = trimmed(text);
  if (!is_one_value(text)) throw LineError(std::string(field), "is not valid JSON");
  return text == "null" ? std::string() : std::string(text);
}

bool is_utf8(std::string_view text) noexcept { return simdjson::validate_utf8(text); }

}  // namespace gammascope::io
