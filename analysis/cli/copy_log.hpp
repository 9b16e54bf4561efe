// SPDX-License-Identifier: MIT
// From logs to a log, response by response: what `convert` and `credit` share. Memory: one response
// (for a store: one shard). Tests: tests/analysis/cli/test_convert.cpp, test_credit.cpp
#pragma once

#include <functional>
#include <string>

#include "analysis/cli/options.hpp"
#include "analysis/core/rollout.hpp"
#include "analysis/report/result.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace gammascope::cli {

struct CopyOptions {
  LogOptions log;
  OutputOptions output;
  std::string to;  ///< -o
};

/// Changes a response before it is written; `where` says which one it is, for errors.
using ChangeRollout = std::function<void(RolloutRecord&, const std::string& where)>;

void add_copy_options(CLI::App& app, CopyOptions& options);

/// Reads, changes, writes. On an error nothing appears under the output's name.
/// @param change_header before it is written
/// @param result verb and settings are set; source and summary are filled in
/// @throws as io::open_logs, its reader and io::open_writer; UsageError if standard output is
/// wanted twice
void copy_log(const CopyOptions& options,
              const std::function<void(LogHeader&)>& change_header,
              const ChangeRollout& change,
              report::Result& result);

/// Writes what the options ask for: a sentence, JSON, a folder.
void write_copy_output(const CopyOptions& options, const report::Result& result);

}  // namespace gammascope::cli
