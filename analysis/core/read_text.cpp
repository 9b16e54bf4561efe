// SPDX-License-Identifier: MIT
#include "analysis/core/read_text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "analysis/core/errors.hpp"

namespace gammascope {

namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : path_(path), fd_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) fail(errno);
  }
  ~Descriptor() {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  /// Bytes read; 0 at the end.
  [[nodiscard]] std::size_t read(char* to, std::size_t most) {
    for (;;) {
      const ssize_t n = ::read(fd_, to, most);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) fail(errno);
    }
  }

 private:
  [[noreturn]] void fail(int error) const {
    throw NoInput(path_ + ": cannot be read: " + std::generic_category().message(error));
  }

  const std::string& path_;
  int fd_;
};

}  // namespace

std::string read_text(const std::string& path, std::size_t most) {
  Descriptor file(path);
  std::string bytes;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const std::size_t n = file.read(buffer.data(), buffer.size());
    if (n == 0) return bytes;
    const std::string_view piece(buffer.data(), n);
    if (piece.find('\0') != std::string_view::npos) {
      bytes.append(piece.substr(0, piece.find('\0')));
      const auto line = 1 + std::ranges::count(bytes, '\n');
      throw BadData(
          {path, static_cast<std::int64_t>(line), "", "holds a NUL byte, so it is no text"});
    }
    if (piece.size() > most - bytes.size())
      throw BadData({path, 0, "", "is longer than " + std::to_string(most >> 20) + " MiB"});
    bytes.append(piece);
  }
}

}  // namespace gammascope
