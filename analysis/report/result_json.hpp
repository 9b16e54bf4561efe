// SPDX-License-Identifier: MIT
// Result to and from JSON text: gammascope.result/1 (docs/formats.md, docs/result.schema.json).
// Equal results give equal bytes: key order is fixed, doubles are written so that they read back to
// the same bits, no locale is asked. Cost: linear in the cells.
// Tests: tests/analysis/report/test_result_json.cpp
#pragma once

#include <string>
#include <string_view>

#include "analysis/report/result.hpp"

namespace gammascope::report {

/// The word in the field "schema".
inline constexpr std::string_view result_schema = "gammascope.result/1";

/// The text of result.json, two spaces of indent, ending in a newline. Optional numbers that are
/// absent, infinite or NaN become null, and so does evidence of a finding that is not finite. Text
/// that is not UTF-8 gets U+FFFD for what cannot be read.
/// @throws std::invalid_argument naming the JSON path: a setting that is not finite, a gamma or
/// p-value
///   outside [0, 1], a setting or an evidence named twice
[[nodiscard]] std::string to_json(const Result& result);

/// The inverse of to_json: from_json(to_json(r)) holds the same doubles, bit for bit. Null evidence
/// reads as NaN, an empty list in the settings as a list of numbers.
/// @param file named in errors, "-" for standard input
/// @throws BadData naming the file and the JSON path ("cells[3].gamma"): text that is not JSON,
/// another
///   schema, a field missing, unknown, given twice or of the wrong kind, a word that is none of the
///   enumeration
[[nodiscard]] Result from_json(std::string_view text, const std::string& file);

}  // namespace gammascope::report
