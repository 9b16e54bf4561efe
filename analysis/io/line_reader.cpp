// SPDX-License-Identifier: MIT
#include "analysis/io/line_reader.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace gammascope::io {
namespace {

constexpr std::size_t piece = std::size_t{1} << 18;

}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> bytes, std::size_t max_line)
    : bytes_(std::move(bytes)), max_line_(max_line) {}

/// Reads more bytes behind `end_`. False at the end of the stream.
bool LineReader::fill(std::size_t room) {
  if (ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (capacity_ - end_ < room + padding) {
    const std::size_t wanted = std::max(end_ + room + padding, capacity_ + capacity_ / 2);
    auto* grown = static_cast<char*>(std::realloc(buffer_.get(), wanted));
    if (grown == nullptr) throw std::bad_alloc();
    (void)buffer_.release();
    buffer_.reset(grown);
    capacity_ = wanted;
  }
  const std::size_t got = bytes_->read(buffer_.get() + end_, capacity_ - end_ - padding);
  end_ += got;
  ended_ = got == 0;
  return !ended_;
}

std::string_view LineReader::peek() {
  constexpr std::size_t head = std::size_t{1} << 16;
  while (end_ - begin_ < head && fill(piece)) {
  }
  return {buffer_.get() + begin_, std::min(head, end_ - begin_)};
}

/// Leaves out the rest of a line that is too long.
bool LineReader::skip_rest(Line& line) {
  line = {buffer_.get(), 0, number_, true, true};
  for (;;) {
    const auto* newline =
        static_cast<const char*>(std::memchr(buffer_.get() + begin_, '\n', end_ - begin_));
    if (newline != nullptr) {
      begin_ = static_cast<std::size_t>(newline - buffer_.get()) + 1;
      return true;
    }
    begin_ = end_ = 0;
    if (!fill(piece)) {
      line.whole = false;
      return true;
    }
  }
}

bool LineReader::next(Line& line) {
  if (number_ == 0 && peek().starts_with("\xef\xbb\xbf")) begin_ += 3;
  ++number_;
  std::size_t searched = 0;
  const char* newline = nullptr;
  for (;;) {
    newline = static_cast<const char*>(
        std::memchr(buffer_.get() + begin_ + searched, '\n', end_ - begin_ - searched));
    const std::size_t length = newline != nullptr
                                   ? static_cast<std::size_t>(newline - buffer_.get()) - begin_
                                   : end_ - begin_;
    if (length > max_line_) return skip_rest(line);
    if (newline != nullptr) break;
    searched = length;
    if (!fill(piece)) break;
  }
  std::size_t size = 0;
  if (newline != nullptr) {
    size = static_cast<std::size_t>(newline - buffer_.get()) - begin_;
  } else {
    size = end_ - begin_;
    if (size == 0) return false;
  }
  line = {buffer_.get() + begin_, size, number_, newline != nullptr, false};
  begin_ += size + (line.whole ? 1 : 0);
  if (line.size > 0 && line.data[line.size - 1] == '\r') --line.size;
  return true;
}

}  // namespace gammascope::io
