// SPDX-License-Identifier: MIT
#include "analysis/cli/result_source.hpp"

#include <utility>

#include "analysis/cli/measure_log.hpp"
#include "analysis/report/files.hpp"
#include "analysis/report/result_json.hpp"

namespace gammascope::cli {

std::optional<std::filesystem::path> result_file(const std::string& input) {
  std::error_code ignored;
  const std::filesystem::path path = input;
  if (std::filesystem::is_directory(path, ignored)) {
    if (std::filesystem::exists(path / "result.json", ignored)) return path / "result.json";
    return std::nullopt;
  }
  if (report::names_schema(path, "gammascope.result")) return path;
  return std::nullopt;
}

namespace {

/// "measure of rollouts.jsonl"
std::string heading_of(const report::Result& result) {
  std::string what;
  for (const std::string& file : result.source.files)
    what += (what.empty() ? " of " : ", ") + std::filesystem::path(file).filename().string();
  return result.verb + what;
}

DrawnResult read_result(const std::filesystem::path& file) {
  report::Result result = report::from_json(report::read_file(file), file.string());
  std::string heading = heading_of(result);
  return {std::move(heading), std::move(result), std::nullopt};
}

DrawnResult measured(const LogOptions& logs, const CellOptions& cells, bool force, bool quiet) {
  MeasuredLog m = measure_log(logs, cells, force, quiet);
  std::string heading = heading_of(m.result);
  return {std::move(heading), std::move(m.result), m.tails};
}

}  // namespace

DrawnResult result_of(const LogOptions& logs, const CellOptions& cells, bool force, bool quiet) {
  for (const std::string& input : logs.logs) {
    const auto file = result_file(input);
    if (!file) continue;
    if (logs.logs.size() > 1) throw UsageError(input + " is a result: give it alone");
    return read_result(*file);
  }
  return measured(logs, cells, force, quiet);
}

std::vector<DrawnResult> results_of(const LogOptions& logs,
                                    const CellOptions& cells,
                                    bool force,
                                    bool quiet) {
  LogOptions only_logs = logs;
  only_logs.logs.clear();
  std::vector<DrawnResult> all;
  std::optional<std::size_t> place;  // of the logs, where the first of them stood
  for (const std::string& input : logs.logs) {
    if (const auto file = result_file(input)) {
      all.push_back(read_result(*file));
      continue;
    }
    if (!place) place = all.size();
    only_logs.logs.push_back(input);
  }
  if (place)
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(*place),
               measured(only_logs, cells, force, quiet));
  return all;
}

}  // namespace gammascope::cli
