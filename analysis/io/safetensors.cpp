// SPDX-License-Identifier: MIT
#include "analysis/io/safetensors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/core/errors.hpp"
#include "analysis/io/json.hpp"

namespace gammascope::io {

static_assert(std::endian::native == std::endian::little, "the files are little-endian");

namespace {

constexpr std::size_t cursor_bytes = std::size_t{1} << 18;

[[noreturn]] void bad(const std::string& file, const std::string& field, const std::string& rule) {
  throw BadData({file, 0, field, rule});
}

/// Bytes of one number; 0 for a type that is not known.
std::uint64_t width(std::string_view dtype) noexcept {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 13> widths{{{"BOOL", 1},
                                                                               {"U8", 1},
                                                                               {"I8", 1},
                                                                               {"F16", 2},
                                                                               {"BF16", 2},
                                                                               {"I16", 2},
                                                                               {"U16", 2},
                                                                               {"I32", 4},
                                                                               {"U32", 4},
                                                                               {"F32", 4},
                                                                               {"I64", 8},
                                                                               {"U64", 8},
                                                                               {"F64", 8}}};
  for (const auto& [name, bytes] : widths)
    if (name == dtype) return bytes;
  return 0;
}

std::vector<std::uint64_t> naturals(const Json& json,
                                    const std::string& file,
                                    const std::string& field) {
  if (!json.is_array()) bad(file, field, "must be a list of numbers");
  std::vector<std::uint64_t> out;
  for (const Json& item : json) {
    if (!item.is_number_unsigned()) bad(file, field, "must hold whole numbers, 0 or more");
    out.push_back(item.get<std::uint64_t>());
  }
  return out;
}

Tensor parse_tensor(const Json& json, const std::string& name, const std::string& file) {
  if (!json.is_object() || !json.contains("dtype") || !json.contains("shape") ||
      !json.contains("data_offsets") || !json["dtype"].is_string())
    bad(file, name, "a tensor must have dtype, shape and data_offsets");
  Tensor tensor;
  tensor.dtype = json["dtype"].get<std::string>();
  tensor.shape = naturals(json["shape"], file, name + ".shape");
  const auto offsets = naturals(json["data_offsets"], file, name + ".data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    bad(file, name + ".data_offsets", "must be begin and end");
  tensor.begin = offsets[0];
  tensor.end = offsets[1];
  const std::uint64_t bytes = width(tensor.dtype);
  if (bytes == 0) bad(file, name + ".dtype", "is not known: " + tensor.dtype);
  std::uint64_t count = 1, size = 0;
  for (const std::uint64_t extent : tensor.shape)
    if (__builtin_mul_overflow(count, extent, &count)) bad(file, name + ".shape", "is too large");
  if (__builtin_mul_overflow(count, bytes, &size) || size != tensor.end - tensor.begin)
    bad(file, name, "shape and data_offsets disagree about the size");
  tensor.count = count;
  return tensor;
}

}  // namespace

TensorLayout parse_layout(std::string_view header,
                          std::uint64_t data_bytes,
                          const std::string& file) {
  const Json json = parse_json(header, file);
  if (!json.is_object()) bad(file, "", "the header must be a JSON object");
  TensorLayout layout;
  for (const auto& [name, value] : json.items()) {
    if (name == "__metadata__") {
      if (!value.is_object()) bad(file, name, "must be an object");
      for (const auto& [key, text] : value.items()) {
        if (!text.is_string()) bad(file, name + "." + key, "must be a string");
        layout.metadata[key] = text.get<std::string>();
      }
    } else {
      layout.tensors[name] = parse_tensor(value, name, file);
    }
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const auto& [name, tensor] : layout.tensors) ranges.emplace_back(tensor.begin, tensor.end);
  std::ranges::sort(ranges);
  std::uint64_t covered = 0;
  for (const auto& [begin, end] : ranges) {
    if (begin != covered) bad(file, "", "tensors overlap or leave a hole");
    covered = end;
  }
  if (covered != data_bytes)
    bad(file,
        "",
        "the header speaks of " + std::to_string(covered) + " bytes of data, the file holds " +
            std::to_string(data_bytes) + ": it was cut or is damaged");
  return layout;
}

TensorFile::TensorFile(const std::string& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw NoInput(path + ": cannot be opened: " + std::strerror(errno));
  try {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
      bad(path, "", "is no regular file");
    const auto size = static_cast<std::uint64_t>(status.st_size);
    std::uint64_t header_bytes = 0;
    if (size < sizeof header_bytes) bad(path, "", "is too short for a .safetensors file");
    read_at(0, &header_bytes, sizeof header_bytes);
    if (header_bytes > most_header_bytes || header_bytes > size - sizeof header_bytes)
      bad(path, "", "the length of the header cannot be right: " + std::to_string(header_bytes));
    std::string header(static_cast<std::size_t>(header_bytes), '\0');
    read_at(sizeof header_bytes, header.data(), header.size());
    data_offset_ = sizeof header_bytes + header_bytes;
    layout_ = parse_layout(header, size - data_offset_, path);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

TensorFile::~TensorFile() { ::close(descriptor_); }

void TensorFile::read_at(std::uint64_t offset, void* to, std::size_t size) const {
  auto* out = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_, out, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw NoInput(path_ + ": cannot be read: " + std::strerror(errno));
    if (got == 0) bad(path_, "", "has become shorter while it was read");
    out += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

void TensorFile::read(std::uint64_t position, void* to, std::size_t size) const {
  read_at(data_offset_ + position, to, size);
}

void TensorCursor::read(void* to, std::size_t size) {
  auto* out = static_cast<char*>(to);
  if (size > (buffer_.size() - given_) + (end_ - position_))
    throw BadData({file_->path(), 0, "", "a tensor ends too early"});
  while (size > 0) {
    if (given_ == buffer_.size()) {
      buffer_.resize(
          static_cast<std::size_t>(std::min<std::uint64_t>(cursor_bytes, end_ - position_)));
      file_->read(position_, buffer_.data(), buffer_.size());
      position_ += buffer_.size();
      given_ = 0;
    }
    const std::size_t piece = std::min(size, buffer_.size() - given_);
    std::memcpy(out, buffer_.data() + given_, piece);
    given_ += piece;
    out += piece;
    size -= piece;
  }
}

void write_tensors(ByteSink& sink,
                   std::vector<TensorToWrite> tensors,
                   const std::map<std::string, std::string>& metadata) {
  std::ranges::stable_sort(
      tensors, std::ranges::greater(), [](const TensorToWrite& t) { return width(t.dtype); });
  Json header = Json::object();
  for (const auto& [key, text] : metadata) header["__metadata__"][key] = text;
  std::uint64_t at = 0;
  for (const TensorToWrite& tensor : tensors) {
    header[tensor.name] = {{"dtype", tensor.dtype},
                           {"shape", Json::array({tensor.count})},
                           {"data_offsets", Json::array({at, at + tensor.bytes.size()})}};
    at += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > most_header_bytes)
    throw std::invalid_argument("the header of a shard would be longer than a reader accepts");
  const std::uint64_t size = text.size();
  std::array<char, sizeof size> prefix{};
  std::memcpy(prefix.data(), &size, sizeof size);
  sink.write({prefix.data(), prefix.size()});
  sink.write(text);
  for (const TensorToWrite& tensor : tensors) sink.write(tensor.bytes);
}

}  // namespace gammascope::io
