// SPDX-License-Identifier: MIT
// Canonical JSONL (docs/formats.md): a header line where there is a header, then one response a
// line. Tests: tests/analysis/io/test_jsonl_writer.cpp, test_round_trip.cpp
#pragma once

#include <memory>
#include <string>

#include "analysis/core/rollout.hpp"
#include "analysis/io/log_writer.hpp"

namespace gammascope::io {

/// Appends `rollout` as one line of canonical JSONL, newline included, to `text`. Numbers are the
/// shortest that read back to the same float (double for advantages and scalars); a bad number is
/// null, "inf" or "-inf", so that the line is JSON.
/// @throws std::invalid_argument if a column has neither 0 nor T entries (T = the longest column),
/// or a score_sketch is no multiple of T
void append_jsonl(std::string& text, const RolloutRecord& rollout);

/// Appends the header line; nothing if the header is not present.
void append_jsonl_header(std::string& text, const LogHeader& header);

/// Writes to PATH.tmp and renames at close(); compresses for the endings .gz and .zst. "-" is
/// standard output; a device or pipe is written directly. Memory: one line and 1 MiB.
/// A closed pipe is a NoInput where the program ignores SIGPIPE, as `gammascope` does.
class JsonlWriter final : public LogWriter {
 public:
  /// @throws UsageError if the file is there and overwrite is false, NoInput if it cannot be
  /// written
  JsonlWriter(const std::string& path, const LogHeader& header, const WriteOptions& options = {});
  ~JsonlWriter() override;
  void write(const RolloutRecord& rollout) override;
  void close() override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gammascope::io
