// SPDX-License-Identifier: MIT
#include "analysis/cli/earlier_result.hpp"

#include <array>
#include <filesystem>
#include <type_traits>

#include "analysis/report/cell_groups.hpp"
#include "analysis/report/files.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/result_json.hpp"

namespace gammascope::cli {

namespace {

/// Settings that decide which rows a number is of, and what A is.
constexpr std::array<std::string_view, 4> decisive{"clock", "truncated", "start", "nonfinite"};

const report::Setting* find(const SettingList& settings, std::string_view name) {
  for (const auto& [key, value] : settings)
    if (key == name) return &value;
  return nullptr;
}

std::string place_text(const Cell& cell) {
  std::string text = report::words(cell.quantity);
  if (cell.gamma) text += ", gamma " + report::exact_number(*cell.gamma);
  return text + ", " + report::place(cell.alignment, cell.n);
}

}  // namespace

std::string setting_text(const report::Setting& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>) {
          return v;
        } else if constexpr (std::is_same_v<T, bool>) {
          return v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, double>) {
          return report::exact_number(v);
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          return std::to_string(v);
        } else {
          std::string list;
          for (const auto& part : v) list += (list.empty() ? "" : ",") + setting_text(part);
          return list;
        }
      },
      value);
}

claims::Reference earlier_number(const claims::Limit& limit,
                                 const claims::Kind& kind,
                                 const Cell& cell,
                                 const SettingList& settings,
                                 const std::string& log_hash) {
  namespace fs = std::filesystem;
  if (!kind.in_results)
    claims::refuse(limit.at,
                   "a result does not say which arguments its " + std::string(kind.quantity) +
                       " has: claim a number, or a baseline of check --init");
  fs::path path = limit.name;
  if (path.is_relative() && !limit.at.file.empty())
    path = fs::path(limit.at.file).parent_path() / path;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) path /= "result.json";
  const report::Result earlier = report::from_json(report::read_file(path), path.string());
  for (const std::string_view name : decisive) {
    const report::Setting* const then = find(earlier.settings, name);
    const report::Setting* const now = find(settings, name);
    if (then == nullptr || now == nullptr || setting_text(*then) == setting_text(*now)) continue;
    claims::refuse(limit.at,
                   path.string() + " was measured with " + std::string(name) + " " +
                       setting_text(*then) + ", this run has " + setting_text(*now) +
                       "; such numbers are not compared");
  }
  for (const Cell& then : earlier.cells) {
    if (then.quantity != cell.quantity || then.alignment != cell.alignment ||
        then.gamma != cell.gamma || then.n != cell.n)
      continue;
    if (!then.value) break;
    return {*then.value,
            claims::Fit::of_cell(then),
            "of " + limit.name,
            !log_hash.empty() && earlier.source.hash == log_hash};
  }
  claims::refuse(limit.at, path.string() + " has no " + place_text(cell));
}

}  // namespace gammascope::cli
