// SPDX-License-Identifier: MIT
// Where a result goes: a table on standard output, JSON, and the folder of --out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/cli/options.hpp"
#include "analysis/core/errors.hpp"
#include "analysis/report/config_toml.hpp"
#include "analysis/report/result.hpp"
#include "analysis/report/tails.hpp"

namespace gammascope::cli {

/// Checked before anything is measured: --out free, --json no foreign file, and no two outputs, nor
/// an output and an input, in one place, not even with --force. @throws UsageError
/// @param inputs what the run reads: nothing is written onto it or into a store among it
/// @param log the log that the run writes (-o); "-": standard output, which --json then leaves free
void check_output(const OutputOptions& options,
                  const std::vector<std::string>& inputs = {},
                  const std::string& log = {});

/// The part of it about --json, for verbs whose --out is another place.
void check_json(const OutputOptions& options,
                const std::vector<std::string>& inputs,
                const std::string& log = {});

/// A document to where --json says; nothing if it was not given. @throws NoInput
void write_json(const std::string& document, const OutputOptions& options);

/// The same for one more file that a run writes.
/// @param option named in errors
/// @param mark what an earlier run wrote begins with, near its start; such a file may be replaced.
/// Empty: none may
void check_file(const std::string& option,
                const std::string& file,
                const std::vector<std::string>& inputs,
                const std::string& mark,
                bool force);

/// Writes all that the options ask for. The table is left out with --quiet and when the JSON goes
/// to standard output.
/// @param table what to print instead of the standard table; empty: the standard one
/// @param config what repeats the run; absent: verb, settings and files of the result
/// @throws NoInput if something cannot be written
void write_output(const report::Result& result,
                  const OutputOptions& options,
                  const report::Tails* tails = nullptr,
                  const std::string& table = {},
                  const std::optional<report::Config>& config = {});

/// To standard output, all of it. A reader that has gone away (closed pipe) is no error of ours; a
/// full disk is.
/// @throws NoInput
void print(const std::string& text);

/// Exit status of the verdicts of a result: that of its worst word; none: 0.
[[nodiscard]] ExitStatus status_of(const report::Result& result, bool accept_no_evidence);

}  // namespace gammascope::cli
