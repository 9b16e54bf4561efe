// SPDX-License-Identifier: MIT
// Bytes of a log, whatever it is packed in: plain, gzip or zstd, told apart by the first bytes and
// never by the name. Memory: fixed buffers. Private to io. Tests:
// tests/analysis/io/test_large_logs.cpp
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace gammascope::io {

/// A forward stream of bytes.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills up to `size` bytes; 0 only at the end. @throws NoInput on a read error, BadData if
  /// packed data are damaged
  virtual std::size_t read(char* data, std::size_t size) = 0;

  /// At the end: the packed stream stopped in its middle, so the file was cut.
  [[nodiscard]] virtual bool cut() const noexcept { return false; }

 protected:
  ByteSource() = default;
};

/// Opens a file, or standard input for "-", and unpacks it as needed.
/// @throws NoInput if it is missing or unreadable, BadData if it is packed in a way that is not
/// read
[[nodiscard]] std::unique_ptr<ByteSource> open_bytes(const std::string& path,
                                                     const std::string& standard_input = {});

/// The adapters of zlib (gzip.cpp) and libzstd (zstd.cpp): every member or frame of `packed`, one
/// after the other. `file` is for messages.
[[nodiscard]] std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> packed,
                                                 std::string file);
[[nodiscard]] std::unique_ptr<ByteSource> unzstd(std::unique_ptr<ByteSource> packed,
                                                 std::string file);

}  // namespace gammascope::io
