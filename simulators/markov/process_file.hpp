// SPDX-License-Identifier: MIT
// The process file: a JSON object (docs/formats.md)
//   states, actions   sizes
//   end_state         absorbing state, or null; its rows are ignored and may be null
//   initial           [states]
//   student, teacher  [states][actions]
//   next              [states][actions] -> state, or
//   kernel            [states][actions] -> [[state, probability], …]
//   unnormalised_teacher  true: teacher rows may sum to less than 1 (tokens outside the table)
//   max_length        tokens at which a response is cut; optional
//   name, about       text, ignored
// Each probability is a JSON number or a string: a fraction "3/5" or a decimal "0.6", "1e-3", both
// taken exactly. Tests: tests/simulators/markov/test_process_file.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/core/errors.hpp"
#include "simulators/markov/process.hpp"

namespace gammascope::markov {

struct ProcessFile {
  Process<double> process;
  std::optional<std::int64_t> max_length;
};

/// Reads the text of a process file; `file` is for messages only.
///
/// The log-ratio is formed from the numbers as written, before any rounding to double: log1p((t -
/// s) / s) with t - s exact, so it keeps full relative accuracy when teacher and student almost
/// agree. Token with student 0: it never occurs, and its `next` or `kernel` entry may be null.
/// Teacher 0 where the student is positive: log-ratio minus infinity.
/// Probabilities of a row sum to 1 within 1e-12.
/// @throws BadData naming file, field (as in `student[2][1]`, 0-based) and the rule broken
[[nodiscard]] ProcessFile parse_process(std::string_view text, const std::string& file);

/// Reads a file of at most 256 MiB; "-" is standard input. @throws NoInput if missing or
/// unreadable; BadData as above
[[nodiscard]] ProcessFile read_process(const std::string& path);

/// The text of a process file that reads back as the same process: teachers are written with enough
/// digits that every log-ratio returns to the same double (within 1 ulp).
/// @throws std::invalid_argument if some teacher row would sum to more than 1: no teacher has these
/// log-ratios
[[nodiscard]] std::string process_text(const Process<double>& process,
                                       std::optional<std::int64_t> max_length);

}  // namespace gammascope::markov
