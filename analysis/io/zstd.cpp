// SPDX-License-Identifier: MIT
// The adapter of libzstd: nothing else includes it.
#include <new>
#include <utility>
#include <vector>

#include <zstd.h>
#include <zstd_errors.h>

#include "analysis/core/errors.hpp"
#include "analysis/io/byte_sink.hpp"
#include "analysis/io/byte_source.hpp"

namespace gammascope::io {
namespace {

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> packed, std::string file)
      : packed_(std::move(packed)),
        file_(std::move(file)),
        buffer_(ZSTD_DStreamInSize()),
        stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }

  std::size_t read(char* data, std::size_t size) override {
    ZSTD_outBuffer out{data, size, 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !more_) {
        in_ = {buffer_.data(), packed_->read(buffer_.data(), buffer_.size()), 0};
        if (in_.size == 0) {
          cut_ = open_frame_;
          break;
        }
      }
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      if (ZSTD_isError(status) != 0)
        throw BadData(
            {file_, 0, "", std::string("the zstd data are damaged: ") + ZSTD_getErrorName(status)});
      open_frame_ = status != 0;
      more_ = open_frame_ && out.pos == out.size;  // it may hold back bytes that did not fit
    }
    return out.pos;
  }
  [[nodiscard]] bool cut() const noexcept override { return cut_; }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ByteSource> packed_;
  std::string file_;
  std::vector<char> buffer_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool open_frame_ = false, more_ = false, cut_ = false;
};

class ZstdSink final : public ByteSink {
 public:
  explicit ZstdSink(std::unique_ptr<ByteSink> packed)
      : packed_(std::move(packed)), buffer_(ZSTD_CStreamOutSize()), stream_(ZSTD_createCStream()) {
    if (!stream_) throw std::bad_alloc();
    // A checksum, so that damage on a disk is seen.
    if (ZSTD_isError(ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1)) != 0)
      throw std::bad_alloc();
  }
  void write(std::string_view bytes) override {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    while (in.pos < in.size) run(in, ZSTD_e_continue);
  }
  void close() override {
    ZSTD_inBuffer in{nullptr, 0, 0};
    while (run(in, ZSTD_e_end) != 0) {
    }
    packed_->close();
  }

 private:
  std::size_t run(ZSTD_inBuffer& in, ZSTD_EndDirective how) {
    ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
    const std::size_t status = ZSTD_compressStream2(stream_.get(), &out, &in, how);
    if (ZSTD_isError(status) != 0)
      throw Error(ExitStatus::internal, std::string("zstd: ") + ZSTD_getErrorName(status));
    packed_->write({buffer_.data(), out.pos});
    return status;
  }

  struct Free {
    void operator()(ZSTD_CStream* stream) const noexcept { ZSTD_freeCStream(stream); }
  };
  std::unique_ptr<ByteSink> packed_;
  std::vector<char> buffer_;
  std::unique_ptr<ZSTD_CStream, Free> stream_;
};

}  // namespace

std::unique_ptr<ByteSource> unzstd(std::unique_ptr<ByteSource> packed, std::string file) {
  return std::make_unique<ZstdSource>(std::move(packed), std::move(file));
}
std::unique_ptr<ByteSink> zstd(std::unique_ptr<ByteSink> packed) {
  return std::make_unique<ZstdSink>(std::move(packed));
}

}  // namespace gammascope::io
