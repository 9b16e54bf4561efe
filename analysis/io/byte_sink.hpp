// SPDX-License-Identifier: MIT
// Where bytes of a log go: a file that appears whole or not at all, a pipe, or standard output;
// plain, gzip or zstd. Private to io. Tests: tests/analysis/io/test_jsonl_writer.cpp
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gammascope::io {

/// A forward sink of bytes. Destroyed without close(), it leaves nothing under the final name.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  virtual void write(std::string_view bytes) = 0;  ///< @throws NoInput if they cannot be written
  virtual void close() = 0;                        ///< @throws NoInput as write()

 protected:
  ByteSink() = default;
};

/// PATH.tmp, synced and renamed by close(). A device, a pipe or "-" (standard output) is written
/// directly.
/// @throws UsageError if a file is there and overwrite is false, NoInput if it cannot be made
[[nodiscard]] std::unique_ptr<ByteSink> open_sink(const std::string& path, bool overwrite);

/// The adapters of zlib (gzip.cpp) and libzstd (zstd.cpp). The same bytes in give the same bytes
/// out: no time and no name is written.
[[nodiscard]] std::unique_ptr<ByteSink> gzip(std::unique_ptr<ByteSink> packed);
[[nodiscard]] std::unique_ptr<ByteSink> zstd(std::unique_ptr<ByteSink> packed);

/// Makes what was renamed in the folder of `path` survive a power cut. Folders that cannot be
/// synced (some network disks) are left alone.
void sync_folder_of(const std::string& path);

}  // namespace gammascope::io
