// SPDX-License-Identifier: MIT
#include "analysis/cli/result_source.hpp"

#include <fstream>
#include <utility>

#include "analysis/cli/measure_log.hpp"
#include "analysis/report/files.hpp"
#include "analysis/report/result_json.hpp"

namespace gammascope::cli {

namespace {

/// The result.json that `input` is or holds; absent if it is something else.
std::optional<std::filesystem::path> result_file(const std::string& input) {
  std::error_code ignored;
  const std::filesystem::path path = input;
  if (std::filesystem::is_directory(path, ignored)) {
    if (std::filesystem::exists(path / "result.json", ignored)) return path / "result.json";
    return std::nullopt;
  }
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::string head(256, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (head.find("\"gammascope.result/") == std::string::npos) return std::nullopt;
  return path;
}

}  // namespace

DrawnResult result_of(const LogOptions& logs, const CellOptions& cells, bool force, bool quiet) {
  for (const std::string& input : logs.logs) {
    const auto file = result_file(input);
    if (!file) continue;
    if (logs.logs.size() > 1) throw UsageError(input + " is a result: give it alone");
    return {report::from_json(report::read_file(*file), file->string()), std::nullopt};
  }
  MeasuredLog measured = measure_log(logs, cells, force, quiet);
  return {std::move(measured.result), measured.tails};
}

}  // namespace gammascope::cli
