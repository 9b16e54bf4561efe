// SPDX-License-Identifier: MIT
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "analysis/core/errors.hpp"
#include "analysis/core/read_text.hpp"

using namespace gammascope;

namespace {

/// A file with `bytes`, gone at the end.
class File {
 public:
  explicit File(const std::string& bytes)
      : path_((std::filesystem::temp_directory_path() /
               ("gammascope-text-" + std::to_string(::getpid())))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { std::remove(path_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("a text is read whole up to its limit and not beyond") {
  const std::string bytes(std::size_t{3} << 20, 'x');
  const File file(bytes);
  CHECK(read_text(file.path(), bytes.size()) == bytes);
  CHECK_THROWS_AS(read_text(file.path(), bytes.size() - 1), BadData);
  CHECK_THROWS_WITH(read_text(file.path(), std::size_t{2} << 20),
                    Catch::Contains("is longer than 2 MiB"));
}

TEST_CASE("a NUL byte is named with its line and an endless device ends there") {
  const File file(std::string("a\nb\nc\0d", 7));
  CHECK_THROWS_WITH(read_text(file.path(), 100), Catch::Contains(":3: holds a NUL byte"));
  CHECK_THROWS_AS(read_text("/dev/zero", std::size_t{1} << 40), BadData);
}

TEST_CASE("a file that is not there or is a folder is no input") {
  CHECK_THROWS_AS(read_text("/nonexistent/file", 100), NoInput);
  CHECK_THROWS_AS(read_text("/", 100), NoInput);
}
