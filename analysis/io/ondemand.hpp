// SPDX-License-Identifier: MIT
// The adapter of simdjson: values of one line into columns. Dialects include this and nothing of
// simdjson's own. Every function throws LineError with field, index and rule. Private to io.
// Tests: tests/analysis/io/test_canonical.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "analysis/io/line_error.hpp"

namespace gammascope::io {

using JsonValue = simdjson::ondemand::value;

/// @throws LineError "is not valid JSON: …" unless `code` is success
void check_json(simdjson::error_code code, std::string_view field);

/// Whether the value is null; it is then used up.
[[nodiscard]] bool take_null(JsonValue& value, std::string_view field);

/// A number in any of the spellings that are met: 1e400 and Infinity, -Infinity, "-inf" as text are
/// infinite, NaN and "nan" are NaN, null is null_value() of apply_nonfinite.hpp.
constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();
[[nodiscard]] double read_number(JsonValue& value,
                                 std::string_view field,
                                 std::size_t index = no_index);

/// (T) numbers in nats, multiplied by `scale`; of log-probabilities the sentinels are not.
void read_floats(JsonValue& value,
                 std::string_view field,
                 double scale,
                 bool log_probabilities,
                 std::vector<float>& out);
/// (T) doubles; null is NaN.
void read_doubles(JsonValue& value, std::string_view field, std::vector<double>& out);
/// (T × K) numbers, flat; returns T. @throws LineError if rows differ in length
[[nodiscard]] std::size_t read_matrix(JsonValue& value,
                                      std::string_view field,
                                      std::vector<float>& out);
/// (T) of 0, 1, false, true.
void read_mask(JsonValue& value, std::string_view field, std::vector<std::uint8_t>& out);
/// (T) integers that fit.
void read_integers(JsonValue& value, std::string_view field, std::vector<std::int64_t>& out);
void read_integers(JsonValue& value, std::string_view field, std::vector<std::int32_t>& out);

/// Scalars; null is absent.
[[nodiscard]] std::optional<std::int64_t> read_integer(JsonValue& value, std::string_view field);
[[nodiscard]] std::optional<double> read_real(JsonValue& value, std::string_view field);
[[nodiscard]] std::optional<std::string> read_text(JsonValue& value, std::string_view field);
/// A string, or an integer as its text.
[[nodiscard]] std::optional<std::string> read_text_or_integer(JsonValue& value,
                                                              std::string_view field);
/// Any value as its JSON text; null is "".
[[nodiscard]] std::string read_raw(JsonValue& value, std::string_view field);

/// Whether the bytes are UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace gammascope::io
