// SPDX-License-Identifier: MIT
#include "analysis/report/files.hpp"

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/core/errors.hpp"
#include "analysis/core/read_text.hpp"

namespace gammascope::report {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int error) {
  throw NoInput(path.string() + ": " + what + ": " + std::generic_category().message(error));
}

/// A descriptor closed on every way out.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags, const char* what)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (fd_ < 0) fail(path, what, errno);
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  /// Some file systems report a full disk only here.
  [[nodiscard]] int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

void write_all(Descriptor& file, const std::filesystem::path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path, "cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void write_and_sync(const std::filesystem::path& path, std::string_view bytes) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL, "cannot be made");
  write_all(file, path, bytes);
  if (::fsync(file.get()) != 0) fail(path, "cannot be flushed", errno);
  if (file.close() != 0) fail(path, "cannot be closed", errno);
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  constexpr std::size_t most = std::size_t{512} << 20;
  return read_text(path.string(), most);
}

bool names_schema(const std::filesystem::path& path, std::string_view name) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream in(path, std::ios::binary);
  std::string head(256, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find("\"schema\"") != std::string::npos &&
         head.find("\"" + std::string(name) + "/") != std::string::npos;
}

void write_new(const std::filesystem::path& path, std::string_view bytes) {
  write_and_sync(path, bytes);
}

void write_whole(const std::filesystem::path& path, std::string_view bytes) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    Descriptor file(path, O_WRONLY, "cannot be written");
    write_all(file, path, bytes);
    if (file.close() != 0) fail(path, "cannot be closed", errno);
    return;
  }
  const std::filesystem::path beside = path.string() + ".tmp." + std::to_string(::getpid());
  try {
    write_and_sync(beside, bytes);
    if (::rename(beside.c_str(), path.c_str()) != 0) fail(path, "cannot be put in place", errno);
  } catch (...) {
    ::unlink(beside.c_str());
    throw;
  }
  const std::filesystem::path folder = path.parent_path();
  sync_folder(folder.empty() ? "." : folder);
}

void sync_folder(const std::filesystem::path& folder) {
  Descriptor entry(folder, O_RDONLY | O_DIRECTORY, "cannot be opened");
  // Some file systems have no fsync of folders; that is no loss of data.
  if (::fsync(entry.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
    fail(folder, "cannot be flushed", errno);
}

}  // namespace gammascope::report
