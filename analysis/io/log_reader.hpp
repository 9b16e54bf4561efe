// SPDX-License-Identifier: MIT
// One interface for every source of responses. Memory: one response (for JSONL: a few times the
// longest line) at a time. Nothing in here prints, exits or repairs silently. Tests:
// tests/analysis/io/
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/core/errors.hpp"
#include "analysis/core/rollout.hpp"
#include "analysis/io/nonfinite.hpp"

namespace gammascope::io {

enum class OnError : std::uint8_t {
  stop,
  skip
};  ///< --on-error: bad lines end the run, or are counted and left out

struct ReadOptions {
  NonFinitePolicy nonfinite;                    ///< --nonfinite
  OnError on_error = OnError::stop;             ///< --on-error
  std::size_t max_line = std::size_t{1} << 30;  ///< --max-line, bytes
  std::string dialect;                          ///< --from; empty: recognised
  /// A file that is read for "-"; empty: standard input itself. Messages say "-" all the same.
  std::string standard_input;
};

/// What was met on the way. Complete only when the reader has returned false.
struct ReadReport {
  std::vector<std::string> files;
  std::string dialect;         ///< "canonical v1", "store v1"
  std::int64_t rollouts = 0;   ///< handed out
  std::int64_t bad_lines = 0;  ///< left out by --on-error skip; the first is kept in `first_bad`
  DataError first_bad;
  std::int64_t cut_last_line =
      0;  ///< files that end in the middle of a line: that line is left out and counted
  std::int64_t empty_rollouts = 0;    ///< no token at all, or every token masked (still handed out)
  std::int64_t dropped_rollouts = 0;  ///< by --nonfinite drop-rollout
  std::int64_t masked_tokens = 0, clipped_tokens = 0;
  NonFiniteCounts nonfinite;                           ///< how every bad number was written
  std::map<std::string, std::int64_t> unknown_fields;  ///< name -> times seen
  /// Columns that no result needs -> numbers of sampled tokens that were none; read as NaN.
  std::map<std::string, std::int64_t> odd_numbers;
  std::int64_t unfinished_stores = 0;  ///< their writer was killed: the last shard may be missing
};

/// A forward reader of one log (one file, standard input, or one store directory). Not thread-safe.
class LogReader {
 public:
  virtual ~LogReader() = default;
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  /// Reads the next response, token frame, unpadded, nats (a header's log_base is applied),
  /// --nonfinite already applied. A log-prob column that is not recorded is empty; a masked token's
  /// value is not to be read. False at the end.
  /// @throws BadData naming file, line, field and rule (with --on-error skip only for the file as a
  /// whole); Interrupted
  virtual bool next(RolloutRecord& rollout) = 0;

  /// Known once next() was called, or the reader is at its end.
  [[nodiscard]] virtual const LogHeader& header() const = 0;
  [[nodiscard]] virtual const ReadReport& report() const = 0;

 protected:
  LogReader() = default;
};

/// Opens one log: a store directory, or JSONL plain, gzip or zstd (by content, not by name); "-" is
/// standard input.
/// @throws NoInput if it is missing or unreadable, BadData if it is empty or of no known kind,
/// UsageError for an unknown dialect
[[nodiscard]] std::unique_ptr<LogReader> open_log(const std::string& path,
                                                  const ReadOptions& options);

/// Several logs one after the other, as one. The header is the first one's; headers that disagree
/// in a field that changes numbers (vocab_size, eos_ids, max_response, dtype, temperatures) are a
/// BadData naming both files and the field. Another log_base is no disagreement: both arrive as
/// nats.
[[nodiscard]] std::unique_ptr<LogReader> open_logs(const std::vector<std::string>& paths,
                                                   const ReadOptions& options);

}  // namespace gammascope::io
