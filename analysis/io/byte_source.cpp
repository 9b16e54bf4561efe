// SPDX-License-Identifier: MIT
#include "analysis/io/byte_source.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "analysis/core/errors.hpp"
#include "analysis/core/interrupt.hpp"

namespace gammascope::io {
namespace {

/// A file descriptor whose first bytes were looked at.
class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, std::string file) : descriptor_(descriptor), file_(std::move(file)) {
    while (ahead_ < head_.size()) {
      const std::size_t got = read_some(head_.data() + ahead_, head_.size() - ahead_);
      if (got == 0) break;
      ahead_ += got;
    }
  }
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  [[nodiscard]] std::string_view head() const noexcept { return {head_.data(), ahead_}; }

  std::size_t read(char* data, std::size_t size) override {
    if (given_ == ahead_) return read_some(data, size);
    const std::size_t n = std::min(size, ahead_ - given_);
    std::memcpy(data, head_.data() + given_, n);
    given_ += n;
    return n;
  }

 private:
  std::size_t read_some(char* data, std::size_t size) {
    for (;;) {
      const ssize_t got = ::read(descriptor_, data, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw NoInput(file_ + ": cannot be read: " + std::strerror(errno));
      stop_if_interrupted();
    }
  }

  int descriptor_;
  std::string file_;
  std::array<char, 6> head_{};
  std::size_t ahead_ = 0, given_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path, const std::string& standard_input) {
  int descriptor = STDIN_FILENO;
  if (path != "-" || !standard_input.empty()) {
    const std::string& file = path == "-" ? standard_input : path;
    descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw NoInput(path + ": cannot be opened: " + std::strerror(errno));
  }
  auto source = std::make_unique<FileSource>(descriptor, path);
  using namespace std::string_view_literals;
  const std::string_view head = source->head();
  if (head.starts_with("\x1f\x8b"sv)) return gunzip(std::move(source), path);
  // A zstd frame, or a frame that is to be skipped, as parallel packers write first.
  if (head.starts_with("\x28\xb5\x2f\xfd"sv) ||
      (head.size() >= 4 && (static_cast<unsigned char>(head[0]) & 0xf0u) == 0x50u &&
       head.substr(1, 3) == "\x2a\x4d\x18"sv))
    return unzstd(std::move(source), path);
  for (const auto& [magic, what] :
       {std::pair{"\xfd"
                  "7zXZ\0"sv,
                  "xz"},
        std::pair{"BZh"sv, "bzip2"},
        std::pair{"PK\x03\x04"sv, "zip (a PyTorch .pt file is one, too)"},
        std::pair{"\x04\x22\x4d\x18"sv, "lz4"},
        std::pair{"PAR1"sv, "Parquet"}})
    if (head.starts_with(magic))
      throw BadData({path,
                     0,
                     "",
                     std::string("packed as ") + what +
                         ", which is not read; plain JSONL, gzip and zstd are"});
  return source;
}

}  // namespace gammascope::io
