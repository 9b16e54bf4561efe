// SPDX-License-Identifier: MIT
// The header of a log from JSON text, and whether two headers tell the same story. Private to io.
// Tests: tests/analysis/io/test_log_header.cpp
#pragma once

#include <string>
#include <string_view>

#include "analysis/core/rollout.hpp"

namespace gammascope::io {

/// Reads the header object; `temperature` sets both temperatures. Unknown members stay in `raw`.
/// @throws LineError with the field as "header.vocab_size" if a member has the wrong type
[[nodiscard]] LogHeader parse_header(std::string_view text);

/// What log-probabilities must be multiplied by to be in nats: log of `log_base`, 1 without one.
[[nodiscard]] double nats_per_unit(const LogHeader& header);

/// Says in the header that the numbers are in nats, once they were converted.
void set_nats(LogHeader& header);

/// The header as one line of JSON for a writer: `raw`, and what the typed fields say beyond it.
/// Log-probabilities in memory are nats, so a `log_base` becomes e.
/// @throws std::invalid_argument if `raw` is no JSON object
[[nodiscard]] std::string header_text(const LogHeader& header);

/// The first field that changes numbers and that both headers state differently (vocab_size,
/// eos_ids, max_response, dtype, student_temperature, teacher_temperature, log_base), as a
/// sentence; empty if they agree. What only one of them states is no disagreement.
[[nodiscard]] std::string disagreement(const LogHeader& a, const LogHeader& b);

}  // namespace gammascope::io
