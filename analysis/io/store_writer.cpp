// SPDX-License-Identifier: MIT
#include "analysis/io/store_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/core/errors.hpp"
#include "analysis/io/byte_sink.hpp"
#include "analysis/io/log_header.hpp"
#include "analysis/io/rollout_length.hpp"
#include "analysis/io/safetensors.hpp"
#include "analysis/io/store_columns.hpp"
#include "analysis/io/store_layout.hpp"

namespace gammascope::io {
namespace {

namespace fs = std::filesystem;

/// One field of all responses of a shard: its bytes one after the other, where each ends, and
/// whether it is there at all.
struct ColumnBuffer {
  const char* name = "";
  const char* type = "";
  std::uint64_t item = 1;  // bytes of one number
  bool ragged = false, optional = false, any = false;
  std::vector<char> flat;
  std::vector<std::uint64_t> offset{0};
  std::vector<std::uint8_t> present;

  void put(const void* data, std::size_t bytes) {
    const auto* from = static_cast<const char*>(data);
    flat.insert(flat.end(), from, from + bytes);
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return flat.size() + 8 * offset.size() + present.size();
  }
  void clear() {
    flat.clear();
    offset.assign(1, 0);
    present.clear();
    any = false;
  }
};

template <class T>
void put_ragged(ColumnBuffer& column, const T* data, std::size_t count) {
  column.type = dtype<T>();
  column.item = sizeof(T);
  column.ragged = true;
  column.put(data, count * sizeof(T));
  column.offset.push_back(column.flat.size() / sizeof(T));
  column.any |= count > 0;
}

template <class T>
void put_field(ColumnBuffer& column, const T& field) {
  if constexpr (IsVector<T>::value) {
    put_ragged(column, field.data(), field.size());
  } else if constexpr (std::is_same_v<T, std::string>) {
    put_ragged(column, reinterpret_cast<const unsigned char*>(field.data()), field.size());
  } else if constexpr (IsOptional<T>::value) {
    const bool any = column.any || field.has_value();
    put_field(column, field.value_or(typename T::value_type{}));
    column.any = any;
    column.optional = true;
    column.present.push_back(field.has_value() ? 1 : 0);
  } else {
    column.type = dtype<T>();
    column.item = sizeof(T);
    column.put(&field, sizeof field);
    column.any = true;
  }
}

std::string_view bytes_of(const auto& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}

/// The number after the last shard's.
std::size_t next_shard(const std::vector<std::string>& shards) {
  std::size_t next = 0;
  for (const std::string& shard : shards)
    if (const auto number = shard_number(fs::path(shard).filename().string()))
      next = std::max(next, *number + 1);
  return next;
}

}  // namespace

struct StoreWriter::Impl {
  std::string directory, header;
  std::size_t shard_bytes, shard = 0;
  std::int64_t rollouts = 0;  // of the shard in hand
  std::vector<ColumnBuffer> columns;

  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t sum = 0;
    for (const ColumnBuffer& column : columns) sum += column.bytes();
    return sum;
  }

  void flush(bool last) {
    std::vector<TensorToWrite> tensors;
    for (const ColumnBuffer& column : columns) {
      if (!column.any) continue;
      const std::string name = column.name;
      tensors.push_back(
          {name, column.type, column.flat.size() / column.item, bytes_of(column.flat)});
      if (column.ragged)
        tensors.push_back(
            {name + offset_suffix, "U64", column.offset.size(), bytes_of(column.offset)});
      if (column.optional)
        tensors.push_back(
            {name + present_suffix, "U8", column.present.size(), bytes_of(column.present)});
    }
    std::map<std::string, std::string> metadata{{"format", std::string(store_format)},
                                                {"rollouts", std::to_string(rollouts)}};
    if (!header.empty()) metadata["header"] = header;
    if (last) metadata["last"] = "true";
    const auto sink = open_sink((fs::path(directory) / shard_name(shard)).string(), false);
    write_tensors(*sink, std::move(tensors), metadata);
    sink->close();
    ++shard;
    rollouts = 0;
    for (ColumnBuffer& column : columns) column.clear();
  }
};

StoreWriter::StoreWriter(const std::string& directory,
                         const LogHeader& header,
                         StoreMode mode,
                         std::size_t shard_bytes)
    : impl_(std::make_unique<Impl>()) {
  impl_->directory = directory;
  impl_->shard_bytes = shard_bytes;
  if (header.present) impl_->header = header_text(header);
  try {
    check_store_folder(directory);
    fs::create_directory(directory);
    std::vector<std::string> leftovers;
    for (const auto& entry : fs::directory_iterator(directory))
      if (is_leftover(entry.path().filename().string())) leftovers.push_back(entry.path().string());
    for (const std::string& leftover : leftovers) fs::remove(leftover);
    const std::vector<std::string> shards = list_shards(directory);
    if (mode == StoreMode::create && !shards.empty())
      throw UsageError(directory + ": holds a store already; --force overwrites it");
    if (mode == StoreMode::replace)
      for (const std::string& shard : shards) fs::remove(shard);
    if (mode == StoreMode::append) impl_->shard = next_shard(shards);
  } catch (const fs::filesystem_error& error) {
    throw NoInput(directory + ": cannot be written: " + error.code().message());
  }
  sync_folder_of((fs::path(directory) / "shard").string());
}

StoreWriter::~StoreWriter() = default;

void StoreWriter::write(const RolloutRecord& rollout) {
  check_lengths(rollout);
  std::size_t i = 0;
  for_each_column(rollout, [&](const char* name, const auto& field) {
    if (i == impl_->columns.size()) impl_->columns.emplace_back().name = name;
    put_field(impl_->columns[i++], field);
  });
  ++impl_->rollouts;
  if (impl_->bytes() >= impl_->shard_bytes) impl_->flush(false);
}

void StoreWriter::close() { impl_->flush(true); }

}  // namespace gammascope::io
