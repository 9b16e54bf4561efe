// SPDX-License-Identifier: MIT
#include "analysis/io/whole_store.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "analysis/core/errors.hpp"
#include "analysis/io/byte_sink.hpp"
#include "analysis/io/store_layout.hpp"
#include "analysis/io/store_writer.hpp"

namespace gammascope::io {
namespace {

namespace fs = std::filesystem;

class WholeStore final : public LogWriter {
 public:
  WholeStore(std::string directory, const LogHeader& header)
      : directory_(std::move(directory)),
        partial_(directory_ + ".partial"),
        writer_(std::make_unique<StoreWriter>(partial_, header, StoreMode::replace)) {}
  ~WholeStore() override {
    std::error_code ignored;
    if (!closed_) fs::remove_all(partial_, ignored);
  }
  WholeStore(const WholeStore&) = delete;
  WholeStore& operator=(const WholeStore&) = delete;

  void write(const RolloutRecord& rollout) override { writer_->write(rollout); }

  void close() override {
    writer_->close();
    try {
      if (fs::exists(directory_)) {
        for (const std::string& shard : list_shards(directory_)) fs::remove(shard);
        for (const std::string& shard : list_shards(partial_))
          fs::rename(shard, fs::path(directory_) / fs::path(shard).filename());
        fs::remove(partial_);
        sync_folder_of((fs::path(directory_) / "shard").string());
      } else {
        fs::rename(partial_, directory_);
      }
    } catch (const fs::filesystem_error& error) {
      throw NoInput(directory_ + ": cannot be written: " + error.code().message());
    }
    sync_folder_of(directory_);
    closed_ = true;
  }

 private:
  std::string directory_, partial_;
  std::unique_ptr<StoreWriter> writer_;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<LogWriter> open_whole_store(const std::string& directory,
                                            const LogHeader& header,
                                            bool overwrite) {
  std::string name = directory;
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  std::error_code none;
  try {
    check_store_folder(name);
    if (!overwrite && fs::is_directory(name, none) && !list_shards(name).empty())
      throw UsageError(name + ": holds a store already; --force overwrites it");
  } catch (const fs::filesystem_error& error) {
    throw NoInput(name + ": cannot be read: " + error.code().message());
  }
  return std::make_unique<WholeStore>(std::move(name), header);
}

}  // namespace gammascope::io
