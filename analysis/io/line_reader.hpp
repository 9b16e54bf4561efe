// SPDX-License-Identifier: MIT
// Lines of a byte stream in bounded memory: one buffer, as long as the longest line and never
// longer than `max_line`. Private to io. Tests: tests/analysis/io/test_line_reader.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "analysis/io/byte_source.hpp"

namespace gammascope::io {

/// One line, without its end. The bytes may be changed in place; `LineReader::padding` bytes behind
/// them may be read. Valid until the next call.
struct Line {
  char* data = nullptr;
  std::size_t size = 0;
  std::int64_t number = 0;  ///< 1-based
  bool whole = true;        ///< it ended with a newline
  bool too_long = false;    ///< it was longer than max_line: left out, data is empty
  [[nodiscard]] std::string_view text() const noexcept { return {data, size}; }
};

/// Strips a UTF-8 byte order mark at the start and a carriage return at the end of each line.
class LineReader {
 public:
  static constexpr std::size_t padding = 64;  ///< what simdjson wants behind a document

  LineReader(std::unique_ptr<ByteSource> bytes, std::size_t max_line);

  /// The first bytes of the stream, at most 64 KiB, without taking them. Before the first next().
  [[nodiscard]] std::string_view peek();

  /// False at the end. Cost: one search of a newline. @throws as ByteSource::read
  bool next(Line& line);

  /// Of the line in hand.
  [[nodiscard]] std::int64_t number() const noexcept { return number_; }

  /// At the end: a packed stream stopped in its middle.
  [[nodiscard]] bool cut() const noexcept { return bytes_->cut(); }

 private:
  bool fill(std::size_t room);
  bool skip_rest(Line& line);

  struct Free {
    void operator()(char* data) const noexcept { std::free(data); }
  };
  std::unique_ptr<ByteSource> bytes_;
  std::size_t max_line_;
  std::unique_ptr<char, Free> buffer_;  // grown by realloc, which moves pages instead of bytes
  std::size_t capacity_ = 0, begin_ = 0, end_ = 0;
  std::int64_t number_ = 0;
  bool ended_ = false;
};

}  // namespace gammascope::io
