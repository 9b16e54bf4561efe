// SPDX-License-Identifier: MIT
// Whole files in and out. Tests: tests/analysis/report/test_files.cpp
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gammascope::report {

/// The text of a result or a picture, at most 512 MiB; "-": standard input.
/// @throws NoInput, BadData as read_text of core
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Whether `path` is a regular file that begins as JSON whose schema is `name`/VERSION, such as
/// gammascope.result: its first 256 bytes are looked at.
[[nodiscard]] bool names_schema(const std::filesystem::path& path, std::string_view name);

/// Writes `bytes` to `path` whole or not at all: to PATH.tmp.PID, flushed to disk, renamed over
/// what was there. Something that is no regular file (/dev/stdout, a pipe) is written to directly.
/// @throws NoInput naming the file and the reason; nothing is left then
void write_whole(const std::filesystem::path& path, std::string_view bytes);

/// Writes and flushes to disk a file that must not exist yet, in a folder nobody else sees.
/// @throws NoInput
void write_new(const std::filesystem::path& path, std::string_view bytes);

/// Flushes the names in a folder to disk.
/// @throws NoInput
void sync_folder(const std::filesystem::path& folder);

}  // namespace gammascope::report
