// SPDX-License-Identifier: MIT
// Names inside a store, shared by its writer and its reader (docs/formats.md). Private to io.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gammascope::io {

constexpr std::string_view store_format = "gammascope.store/1";
constexpr const char* offset_suffix = ".offset";
constexpr const char* present_suffix = ".present";

/// "shard-000012.safetensors"
[[nodiscard]] std::string shard_name(std::size_t number);
[[nodiscard]] std::optional<std::size_t> shard_number(std::string_view name);
/// What a killed writer leaves: "shard-000012.safetensors.tmp".
[[nodiscard]] bool is_leftover(std::string_view name) noexcept;
/// Paths of every "*.safetensors" in the folder, by name. @throws std::filesystem::filesystem_error
[[nodiscard]] std::vector<std::string> list_shards(const std::string& directory);
/// A folder may be written into if it is missing or empty, or holds a store: every *.safetensors in
/// it bears the mark of the format, and there is at least one, or what a killed writer left.
/// @throws UsageError for any other folder, and for what is no folder;
/// std::filesystem::filesystem_error
void check_store_folder(const std::string& directory);

}  // namespace gammascope::io
