// SPDX-License-Identifier: MIT
// A store that appears whole or not at all, for programs that convert or simulate. Private to io;
// the public way is open_writer().
#pragma once

#include <memory>
#include <string>

#include "analysis/core/rollout.hpp"
#include "analysis/io/log_writer.hpp"

namespace gammascope::io {

/// Writes DIRECTORY.partial and gives it its name at close(); what was there before is replaced
/// then and not earlier, so a log may be converted into its own place.
/// @throws UsageError if DIRECTORY holds a store and overwrite is false, NoInput if it cannot be
/// written
[[nodiscard]] std::unique_ptr<LogWriter> open_whole_store(const std::string& directory,
                                                          const LogHeader& header,
                                                          bool overwrite);

}  // namespace gammascope::io
