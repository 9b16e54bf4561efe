// SPDX-License-Identifier: MIT
#include "analysis/io/byte_sink.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "analysis/core/errors.hpp"
#include "analysis/core/interrupt.hpp"

namespace gammascope::io {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;

class FileSink final : public ByteSink {
 public:
  FileSink(int descriptor, std::string path, std::string temporary)
      : descriptor_(descriptor), path_(std::move(path)), temporary_(std::move(temporary)) {
    buffer_.reserve(buffer_size);
  }
  ~FileSink() override {
    if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  void write(std::string_view bytes) override {
    if (buffer_.size() + bytes.size() > buffer_size) flush();
    if (bytes.size() >= buffer_size) return put(bytes);
    buffer_.append(bytes);
  }
  void close() override {
    flush();
    if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail();
    if (descriptor_ != STDOUT_FILENO && ::close(std::exchange(descriptor_, -1)) != 0) fail();
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
    temporary_.clear();
    sync_folder_of(path_);
  }

 private:
  [[noreturn]] void fail() const {
    throw NoInput(path_ + ": cannot be written: " + std::strerror(errno));
  }
  void flush() {
    put(buffer_);
    buffer_.clear();
  }
  void put(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
      if (done >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(done));
      } else if (errno == EINTR) {
        stop_if_interrupted();
      } else {
        fail();
      }
    }
  }

  int descriptor_;
  std::string path_, temporary_, buffer_;
};

}  // namespace

std::unique_ptr<ByteSink> open_sink(const std::string& path, bool overwrite) {
  if (path == "-") return std::make_unique<FileSink>(STDOUT_FILENO, path, "");
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  if (fs::is_directory(status)) throw UsageError(path + ": is a folder");
  const bool special = fs::exists(status) && !fs::is_regular_file(status);
  if (fs::is_regular_file(status) && !overwrite)
    throw UsageError(path + ": exists already; --force overwrites it");
  const std::string target = special ? path : path + ".tmp";
  const int descriptor = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) throw NoInput(path + ": cannot be written: " + std::strerror(errno));
  return std::make_unique<FileSink>(descriptor, path, special ? "" : target);
}

void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace gammascope::io
