// SPDX-License-Identifier: MIT
// A text file held whole, within a limit: results, settings and process files. Logs are streamed
// (io). Tests: tests/analysis/core/test_read_text.cpp
#pragma once

#include <cstddef>
#include <string>

namespace gammascope {

/// The bytes of a file; "-": standard input. Stops at the first NUL byte and at the limit, so that
/// an endless device costs no more memory than `most` bytes.
///
/// @param most bytes
/// @throws NoInput if it is not there, not readable or a folder; BadData if it is longer than
/// `most`, or holds a NUL byte and so is no text. Cost: one pass
[[nodiscard]] std::string read_text(const std::string& path, std::size_t most);

}  // namespace gammascope
