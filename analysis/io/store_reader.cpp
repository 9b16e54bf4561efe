// SPDX-License-Identifier: MIT
#include "analysis/io/store_reader.hpp"

#include <charconv>
#include <filesystem>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/core/interrupt.hpp"
#include "analysis/io/finish_rollout.hpp"
#include "analysis/io/line_error.hpp"
#include "analysis/io/log_header.hpp"
#include "analysis/io/ondemand.hpp"
#include "analysis/io/rollout_length.hpp"
#include "analysis/io/safetensors.hpp"
#include "analysis/io/store_columns.hpp"
#include "analysis/io/store_layout.hpp"

namespace gammascope::io {
namespace {

/// One shard, read from front to back.
class Shard {
 public:
  Shard(const std::string& path, std::size_t most_bytes) : file_(path), most_bytes_(most_bytes) {
    if (metadata("format") != store_format)
      bad("format", "must be " + std::string(store_format) + ", is \"" + metadata("format") + "\"");
    const std::string count = metadata("rollouts");
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), rollouts_);
    if (error != std::errc() || end != count.data() + count.size())
      bad("rollouts", "must be a number, is \"" + count + "\"");
    const Tensor* hash = find("prompt_hash", "U64", rollouts_);
    if (rollouts_ > 0 && hash == nullptr) bad("prompt_hash", "must be there in every shard");
    used_ = 0;
    RolloutRecord shape;
    for_each_column(shape, [&](const char* name, auto& field) {
      columns_.push_back(open_column<std::remove_cvref_t<decltype(field)>>(name));
    });
    if (used_ != file_.layout().tensors.size())
      bad("", "holds a tensor that is no column of " + std::string(store_format));
  }

  [[nodiscard]] std::string metadata(const std::string& key) const {
    const auto found = file_.layout().metadata.find(key);
    return found == file_.layout().metadata.end() ? std::string() : found->second;
  }
  [[nodiscard]] std::uint64_t row() const noexcept { return row_; }

  /// False at the end. The row is taken from every column before anything is judged.
  bool next(RolloutRecord& rollout) {
    if (row_ == rollouts_) return false;
    ++row_;
    row_bytes_ = 0;
    std::size_t i = 0;
    for_each_column(rollout, [&](const char*, auto& field) { take(columns_[i++], field); });
    return true;
  }

 private:
  struct Column {
    std::string name;
    std::optional<TensorCursor> flat, offset, present;
    std::uint64_t at = 0, count = 0;  // of the flat values
  };

  [[noreturn]] void bad(const std::string& field, const std::string& rule) const {
    throw BadData({file_.path(), static_cast<std::int64_t>(row_), field, rule});
  }

  /// The tensor `name` with `count` numbers of `type`; null if it is absent.
  const Tensor* find(const std::string& name,
                     const char* type,
                     std::optional<std::uint64_t> count) {
    const auto found = file_.layout().tensors.find(name);
    if (found == file_.layout().tensors.end()) return nullptr;
    const Tensor& tensor = found->second;
    if (tensor.dtype != type) bad(name, "must be " + std::string(type) + ", is " + tensor.dtype);
    if (tensor.shape.size() != 1) bad(name, "must have one dimension");
    if (count && tensor.count != *count)
      bad(name,
          "must have " + std::to_string(*count) + " numbers, has " + std::to_string(tensor.count));
    ++used_;
    return &tensor;
  }

  template <class T>
  Column open_column(const std::string& name) {
    Column column;
    column.name = name;
    if constexpr (IsOptional<T>::value) {
      column = open_column<typename T::value_type>(name);
      if (!column.flat) return column;
      const Tensor* present = find(name + present_suffix, "U8", rollouts_);
      if (present == nullptr) bad(name, "has no " + name + present_suffix);
      column.present.emplace(file_, *present);
    } else if constexpr (IsVector<T>::value || std::is_same_v<T, std::string>) {
      const Tensor* flat = find(name, dtype<typename T::value_type>(), std::nullopt);
      if (flat == nullptr) return column;
      // rollouts_ + 1 cannot wrap: prompt_hash has rollouts_ entries in the file.
      const Tensor* offset = find(name + offset_suffix, "U64", rollouts_ + 1);
      if (offset == nullptr) bad(name, "has no " + name + offset_suffix);
      column.flat.emplace(file_, *flat);
      column.offset.emplace(file_, *offset);
      column.count = flat->count;
      if (take_number<std::uint64_t>(*column.offset) != 0)
        bad(name + offset_suffix, "must begin at 0");
    } else {
      if (const Tensor* flat = find(name, dtype<T>(), rollouts_)) column.flat.emplace(file_, *flat);
    }
    return column;
  }

  template <class T>
  static T take_number(TensorCursor& cursor) {
    T number{};
    cursor.read(&number, sizeof number);
    return number;
  }

  template <class T>
  void take(Column& column, T& field) {
    if (!column.flat) return;
    if constexpr (IsOptional<T>::value) {
      typename T::value_type value{};
      take(column, value);
      const auto present = take_number<std::uint8_t>(*column.present);
      if (present > 1) bad(column.name + present_suffix, "must be 0 or 1");
      if (present == 1) field = std::move(value);
    } else if constexpr (IsVector<T>::value || std::is_same_v<T, std::string>) {
      const auto end = take_number<std::uint64_t>(*column.offset);
      if (end < column.at || end > column.count || (row_ == rollouts_ && end != column.count))
        bad(column.name + offset_suffix, "must ascend to the number of values");
      const std::uint64_t count = end - column.at;
      constexpr std::uint64_t item = sizeof(typename T::value_type);
      // count * item cannot wrap: both are within the file.
      row_bytes_ += count * item;
      if (row_bytes_ > most_bytes_)
        bad(column.name,
            "the response is longer than --max-line, " + std::to_string(most_bytes_) + " bytes");
      field.resize(static_cast<std::size_t>(count));
      column.flat->read(field.data(), field.size() * item);
      column.at = end;
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      if constexpr (std::is_enum_v<T>) {
        const auto number = take_number<std::underlying_type_t<T>>(*column.flat);
        if (number >= EnumName<T>::names.size()) bad(column.name, "is no known reason");
        field = static_cast<T>(number);
      } else {
        field = take_number<T>(*column.flat);
      }
    }
  }

  TensorFile file_;
  std::size_t most_bytes_, used_ = 0;
  std::uint64_t rollouts_ = 0, row_ = 0, row_bytes_ = 0;
  std::vector<Column> columns_;
};

/// What the writer promised about one response. @throws LineError
void judge(const RolloutRecord& rollout) {
  try {
    check_lengths(rollout);
  } catch (const std::invalid_argument& error) {
    throw LineError("", error.what());
  }
  for (const std::uint8_t m : rollout.mask)
    if (m > 1) throw LineError("mask", "must be 0 or 1");
  for (std::size_t t = 0; t < rollout.turn.size(); ++t)
    if (rollout.turn[t] < (t == 0 ? 0 : rollout.turn[t - 1]))
      throw LineError("turn", "turns must count upwards from 0 or more");
  if (rollout.masked_bad < 0 || rollout.clipped < 0)
    throw LineError("masked_bad", "counts must not be negative");
  for_each_column(rollout, [](const char* name, const auto& field) {
    using T = std::remove_cvref_t<decltype(field)>;
    std::string_view text;
    if constexpr (std::is_same_v<T, std::string>) text = field;
    if constexpr (std::is_same_v<T, std::optional<std::string>>)
      if (field) text = *field;
    if (!is_utf8(text)) throw LineError(name, "is not UTF-8");
  });
}

class StoreReader final : public LogReader {
 public:
  StoreReader(const std::string& directory,
              std::vector<std::string> shards,
              const ReadOptions& options)
      : directory_(directory), shards_(std::move(shards)), options_(options) {
    report_.files.push_back(directory);
    report_.dialect = "store v1";
  }

  bool next(RolloutRecord& rollout) override {
    for (;;) {
      stop_if_interrupted();
      if (!shard_ && !open_next()) return false;
      rollout.clear();
      if (!next_row(rollout)) {
        last_ = shard_->metadata("last") == "true";
        shard_.reset();
        continue;
      }
      const auto row = static_cast<std::int64_t>(shard_->row());
      rollout.file = shards_[at_ - 1];
      rollout.line = row;
      try {
        judge(rollout);
        responses_ = true;
        if (finish_rollout(rollout, watch_, row, options_.nonfinite, report_)) return true;
      } catch (const LineError& error) {
        const DataError data{shards_[at_ - 1], row, error.field, error.rule};
        if (options_.on_error == OnError::stop) throw BadData(data);
        if (report_.bad_lines++ == 0) report_.first_bad = data;
      }
    }
  }

  [[nodiscard]] const LogHeader& header() const override { return header_; }
  [[nodiscard]] const ReadReport& report() const override { return report_; }

 private:
  bool next_row(RolloutRecord& rollout) try {
    return shard_->next(rollout);
  } catch (const std::bad_alloc&) {
    throw out_of_memory(shards_[at_ - 1], static_cast<std::int64_t>(shard_->row()));
  }

  bool open_next() {
    if (at_ == shards_.size()) {
      if (!last_ && !ended_) ++report_.unfinished_stores;
      if (!responses_ && !ended_)
        throw BadData({directory_,
                       0,
                       "",
                       report_.bad_lines == 0
                           ? "holds no response"
                           : "holds no good response; the first: " + report_.first_bad.rule});
      ended_ = true;
      return false;
    }
    const std::string& path = shards_[at_++];
    shard_ = std::make_unique<Shard>(path, options_.max_line);
    const std::string text = shard_->metadata("header");
    if (text.empty()) return true;
    LogHeader header;
    try {
      header = parse_header(text);
    } catch (const LineError& error) {
      throw BadData({path, 0, error.field, error.rule});
    }
    if (!header_.present) {
      header_ = std::move(header);
      first_header_ = path;
    } else if (const std::string what = disagreement(header_, header); !what.empty()) {
      throw BadData({path, 0, "header", "says otherwise than " + first_header_ + ": " + what});
    }
    return true;
  }

  std::string directory_, first_header_;
  std::vector<std::string> shards_;
  ReadOptions options_;
  ColumnWatch watch_{"student_logprob", "teacher_logprob"};
  std::unique_ptr<Shard> shard_;
  std::size_t at_ = 0;
  LogHeader header_;
  ReadReport report_;
  bool last_ = false, responses_ = false, ended_ = false;
};

}  // namespace

std::unique_ptr<LogReader> open_store(const std::string& directory, const ReadOptions& options) {
  std::vector<std::string> shards;
  try {
    shards = list_shards(directory);
  } catch (const std::filesystem::filesystem_error& error) {
    throw NoInput(directory + ": cannot be read: " + error.code().message());
  }
  if (shards.empty())
    throw BadData({directory, 0, "", "is a folder without a shard (*.safetensors)"});
  return std::make_unique<StoreReader>(directory, std::move(shards), options);
}

}  // namespace gammascope::io
