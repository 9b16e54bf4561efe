// SPDX-License-Identifier: MIT
// The .safetensors file format: 8 bytes with the length of a JSON header, the header, flat tensors.
// Source: the format section of the safetensors project's README, version 0.4 (what its reader
// demands is demanded here: no holes, no overlap, nothing behind the last tensor). For
// the store and for states of a measurement.
// Tests: tests/analysis/io/test_safetensors.cpp, fuzzed by tests/fuzz/
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/io/byte_sink.hpp"

namespace gammascope::io {

/// Where a tensor lies; `begin` and `end` are bytes from the start of the data.
struct Tensor {
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;
  std::uint64_t count = 0;  ///< product of shape
};

struct TensorLayout {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Headers above this are refused before they are read.
constexpr std::uint64_t most_header_bytes = std::uint64_t{1} << 24;

/// Reads and checks a header against the size of the data behind it, before anything is allocated
/// by its numbers. @throws BadData naming `file` and the tensor
[[nodiscard]] TensorLayout parse_layout(std::string_view header,
                                        std::uint64_t data_bytes,
                                        const std::string& file);

/// An open file: its layout, and bytes by position.
class TensorFile {
 public:
  /// @throws NoInput if it cannot be opened, BadData if it is no complete .safetensors file
  explicit TensorFile(const std::string& path);
  ~TensorFile();
  TensorFile(const TensorFile&) = delete;
  TensorFile& operator=(const TensorFile&) = delete;

  [[nodiscard]] const TensorLayout& layout() const noexcept { return layout_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Reads `size` bytes at `position` of the data. @throws BadData if the file has become shorter
  void read(std::uint64_t position, void* to, std::size_t size) const;

 private:
  void read_at(std::uint64_t offset, void* to, std::size_t size) const;
  std::string path_;
  int descriptor_;
  std::uint64_t data_offset_ = 0;
  TensorLayout layout_;
};

/// Reads one tensor from front to back through a buffer of at most 256 KiB.
class TensorCursor {
 public:
  TensorCursor(const TensorFile& file, const Tensor& tensor)
      : file_(&file), position_(tensor.begin), end_(tensor.end) {}
  /// @throws BadData if fewer than `size` bytes are left
  void read(void* to, std::size_t size);

 private:
  const TensorFile* file_;
  std::uint64_t position_, end_;  // of what is not in the buffer yet
  std::vector<char> buffer_;
  std::size_t given_ = 0;
};

/// One tensor to be written; the bytes are little-endian and stay the caller's.
struct TensorToWrite {
  std::string name, dtype;
  std::uint64_t count = 0;
  std::string_view bytes;
};

/// Writes a complete file to `sink` (not closed). Wide types first, so that every tensor is
/// aligned.
void write_tensors(ByteSink& sink,
                   std::vector<TensorToWrite> tensors,
                   const std::map<std::string, std::string>& metadata);

}  // namespace gammascope::io
