// SPDX-License-Identifier: MIT
// One interface for both ways to write a log. The same records and header give the same bytes on
// every run, whatever the locale. Tests: tests/analysis/io/test_round_trip.cpp
#pragma once

#include <memory>
#include <string>

#include "analysis/core/rollout.hpp"

namespace gammascope::io {

/// A forward writer of one log. Not thread-safe. Without close() nothing appears under the log's
/// name; only a StoreWriter that is used directly, as for live logs, keeps its complete shards.
class LogWriter {
 public:
  virtual ~LogWriter() = default;
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// Appends one response. Values of masked tokens that are not finite are written as "no value".
  /// @throws std::invalid_argument if columns disagree in length, NoInput if the disk is full or
  /// the pipe is closed
  virtual void write(const RolloutRecord& rollout) = 0;

  /// Flushes, syncs and gives the log its name. Call exactly once. @throws NoInput as above
  virtual void close() = 0;

 protected:
  LogWriter() = default;
};

struct WriteOptions {
  bool overwrite = false;  ///< --force: replace what is there
};

/// Opens a writer by the look of the name: "-" is standard output; *.jsonl, *.jsonl.gz and
/// *.jsonl.zst (likewise *.json…, *.ndjson…) and everything that exists and is no directory are
/// JSONL; any other name is a store directory.
/// @throws UsageError if something is there already and overwrite is false, NoInput if it cannot be
/// written
[[nodiscard]] std::unique_ptr<LogWriter> open_writer(const std::string& path,
                                                     const LogHeader& header,
                                                     const WriteOptions& options);

}  // namespace gammascope::io
