// SPDX-License-Identifier: MIT
// The native store as a LogReader. Private to io; the public way is open_log().
#pragma once

#include <memory>
#include <string>

#include "analysis/io/log_reader.hpp"

namespace gammascope::io {

/// Streams every shard of a folder in the order of their names; temporary files are ignored.
/// Nothing in a file is believed: sizes and offsets are checked before memory is taken, values
/// before they are handed out. A DataError's line is the response's number in its shard, 1-based.
/// @throws NoInput if the folder cannot be read, BadData if it holds no shard
[[nodiscard]] std::unique_ptr<LogReader> open_store(const std::string& directory,
                                                    const ReadOptions& options);

}  // namespace gammascope::io
