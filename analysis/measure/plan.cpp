// SPDX-License-Identifier: MIT
#include "analysis/measure/plan.hpp"

#include <algorithm>

#include "analysis/core/errors.hpp"

namespace gammascope::measure {
namespace {

void check(const CellSpec& cell) {
  const std::string kind{name(cell.alignment)};
  if (!(cell.gamma >= 0.0 && cell.gamma <= 1.0))
    throw UsageError("gamma must lie in [0, 1], not " + std::to_string(cell.gamma));
  if (cell.at_least < 0) throw UsageError("a length must not be negative");
  if (cell.alignment == Alignment::infinite) {
    if (cell.n) throw UsageError("alignment infinite has no n");
    return;
  }
  const std::int64_t smallest = cell.alignment == Alignment::position ? 0 : 1;
  if (!cell.n || *cell.n < smallest)
    throw UsageError("alignment " + kind + " needs n of at least " + std::to_string(smallest));
}

}  // namespace

double noise_floor_of(const std::optional<std::string>& dtype) {
  if (!dtype) return 2e-6;
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), *dtype) != names.end();
  };
  if (is({"bf16", "bfloat16", "torch.bfloat16"})) return 3e-3;
  if (is({"fp16", "float16", "half", "torch.float16"})) return 4e-4;
  return 2e-6;
}

std::vector<std::int64_t> log_grid(std::int64_t largest) {
  std::vector<std::int64_t> grid;
  for (std::int64_t n = 1; n < largest; n *= 2) grid.push_back(n);
  if (largest >= 1) grid.push_back(largest);
  return grid;
}

std::vector<std::int64_t> log_positions(std::int64_t largest) {
  std::vector<std::int64_t> grid;
  if (largest < 0) return grid;
  grid = log_grid(largest);
  grid.insert(grid.begin(), 0);
  return grid;
}

std::vector<CellSpec> cell_grid(std::span<const Alignment> alignments,
                                std::span<const double> gammas,
                                std::span<const std::int64_t> at) {
  std::vector<CellSpec> cells;
  for (const Alignment a : alignments)
    for (const double g : gammas) {
      if (a != Alignment::infinite) {
        for (const std::int64_t n : at) cells.push_back({a, g, n, 0});
      } else if (g < 1.0) {
        cells.push_back({a, g, std::nullopt, 0});
      }
    }
  return cells;
}

Plan::Plan(const Settings& settings, const std::vector<CellSpec>& cells) : settings_(settings) {
  if (!(settings_.confidence > 0.0 && settings_.confidence < 1.0))
    throw UsageError("the confidence must lie between 0 and 1");
  if (settings_.max_length && *settings_.max_length < 1)
    throw UsageError("the largest length must be at least 1");
  if (settings_.noise_floor && !(*settings_.noise_floor >= 0.0))
    throw UsageError("the noise floor must not be negative");
  for (const CellSpec& cell : cells) {
    check(cell);
    if (!index_of(cell)) cells_.push_back(cell);
    if (cell.alignment == Alignment::window && settings_.start == Start::all &&
        !settings_.max_length)
      throw UsageError("windows from every start need the largest length");
    if (cells_.size() > max_cells) {
      throw UsageError("at most " + std::to_string(max_cells) + " cells in one run, not " +
                       std::to_string(cells.size()) +
                       ": ask for fewer gammas, alignments or places");
    }
  }
  if (cells_.empty()) throw UsageError("no cell to measure");
}

std::optional<std::size_t> Plan::index_of(const CellSpec& cell) const noexcept {
  const auto it = std::find(cells_.begin(), cells_.end(), cell);
  if (it == cells_.end()) return std::nullopt;
  return static_cast<std::size_t>(it - cells_.begin());
}

}  // namespace gammascope::measure
