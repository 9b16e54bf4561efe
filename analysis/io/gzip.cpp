// SPDX-License-Identifier: MIT
// The adapter of zlib: nothing else includes it.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <zlib.h>

#include "analysis/core/errors.hpp"
#include "analysis/io/byte_sink.hpp"
#include "analysis/io/byte_source.hpp"

namespace gammascope::io {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 17;
constexpr int gzip_window = 15 + 16;  // 32 KiB window, gzip wrapping

uInt clamp(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::string file)
      : packed_(std::move(packed)), file_(std::move(file)), buffer_(buffer_size) {
    if (inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(char* data, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(data);
    const uInt room = clamp(size);
    stream_.avail_out = room;
    while (!ended_ && stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !refill()) {
        cut_ = !between_;
        ended_ = true;
        break;
      }
      if (between_ && skip_padding()) continue;
      between_ = false;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        between_ = true;
        inflateReset(&stream_);
      } else if (status == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        throw BadData({file_,
                       0,
                       "",
                       std::string("the gzip data are damaged: ") +
                           (stream_.msg != nullptr ? stream_.msg : "unknown")});
      }
    }
    return room - stream_.avail_out;
  }
  [[nodiscard]] bool cut() const noexcept override { return cut_; }

 private:
  bool refill() {
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_in = clamp(packed_->read(buffer_.data(), buffer_.size()));
    return stream_.avail_in > 0;
  }
  /// Zeros after a member, as tape blocks leave them, are no data. True if one was skipped.
  bool skip_padding() {
    if (!started_ || *stream_.next_in != 0) {
      started_ = true;
      return false;
    }
    ++stream_.next_in;
    --stream_.avail_in;
    return true;
  }

  std::unique_ptr<ByteSource> packed_;
  std::string file_;
  std::vector<char> buffer_;
  z_stream stream_{};
  bool between_ = true, started_ = false, ended_ = false, cut_ = false;
};

class GzipSink final : public ByteSink {
 public:
  explicit GzipSink(std::unique_ptr<ByteSink> packed)
      : packed_(std::move(packed)), buffer_(buffer_size) {
    if (deflateInit2(
            &stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
      throw std::bad_alloc();
  }
  ~GzipSink() override { deflateEnd(&stream_); }
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const uInt piece = clamp(bytes.size());
      // zlib's interface predates const; it does not write to its input.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = piece;
      while (stream_.avail_in > 0) run(Z_NO_FLUSH);
      bytes.remove_prefix(piece);
    }
  }
  void close() override {
    while (run(Z_FINISH) != Z_STREAM_END) {
    }
    packed_->close();
  }

 private:
  int run(int flush) {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_out = clamp(buffer_.size());
    const int status = deflate(&stream_, flush);
    packed_->write({buffer_.data(), buffer_.size() - stream_.avail_out});
    return status;
  }

  std::unique_ptr<ByteSink> packed_;
  std::vector<char> buffer_;
  z_stream stream_{};
};

}  // namespace

std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> packed, std::string file) {
  return std::make_unique<GzipSource>(std::move(packed), std::move(file));
}
std::unique_ptr<ByteSink> gzip(std::unique_ptr<ByteSink> packed) {
  return std::make_unique<GzipSink>(std::move(packed));
}

}  // namespace gammascope::io
