// SPDX-License-Identifier: MIT
// The native store (docs/formats.md): a directory of shards, each one complete .safetensors file.
// A shard is written under a temporary name, synced, renamed, and the directory synced: a writer
// that is killed loses at most the shard in hand. Tests: tests/analysis/io/test_store.cpp,
// test_store_killed.cpp
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "analysis/core/rollout.hpp"
#include "analysis/io/log_writer.hpp"

namespace gammascope::io {

/// What to do with shards that are there already.
enum class StoreMode {
  create,   ///< refuse them
  replace,  ///< delete them first
  append,   ///< go on after the last: for live logs and for a writer that was killed
};

/// Memory: one shard. One writer a directory at a time.
class StoreWriter final : public LogWriter {
 public:
  static constexpr std::size_t default_shard_bytes = std::size_t{64} << 20;

  /// Makes the directory (its parent must be there), removes temporary files that a killed writer
  /// left. Nothing is touched in a folder that is not empty and no store.
  /// @throws UsageError for such a folder and for shards under StoreMode::create, NoInput if it
  /// cannot be written
  StoreWriter(const std::string& directory,
              const LogHeader& header,
              StoreMode mode = StoreMode::create,
              std::size_t shard_bytes = default_shard_bytes);
  ~StoreWriter() override;  ///< without close() the shard in hand is discarded
  void write(const RolloutRecord& rollout) override;
  void close() override;  ///< writes the last shard and marks it as the last

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gammascope::io
