// SPDX-License-Identifier: MIT
// JSON lines of any dialect as a LogReader. Private to io; the public way is open_log().
#pragma once

#include <memory>
#include <string>

#include "analysis/io/byte_source.hpp"
#include "analysis/io/log_reader.hpp"

namespace gammascope::io {

/// Finds the dialect by the first 64 KiB, or takes options.dialect.
/// @throws BadData if nothing is there or no dialect fits, UsageError for an unknown dialect
[[nodiscard]] std::unique_ptr<LogReader> open_jsonl(std::unique_ptr<ByteSource> bytes,
                                                    const std::string& path,
                                                    const ReadOptions& options);

}  // namespace gammascope::io
