// SPDX-License-Identifier: MIT
// What a run measures: the settings that decide numbers and the list of cells (results.md, Defaults
// that decide numbers). Tests: tests/analysis/measure/test_plan.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/core/enum_name.hpp"
#include "analysis/credit/clock.hpp"
#include "analysis/measure/cell.hpp"

namespace gammascope::measure {

enum class Truncated : std::uint8_t { keep, drop };          ///< --truncated
enum class Start : std::uint8_t { zero, all };               ///< --start, of windows
enum class Weight : std::uint8_t { row, response, prompt };  ///< --weight, of means only

struct Settings {
  Clock clock = Clock::skip;
  Truncated truncated = Truncated::keep;
  Start start = Start::zero;
  Weight weight = Weight::row;
  std::optional<double> noise_floor;       ///< sd of one log-ratio's engine error, nats
  std::optional<std::int64_t> max_length;  ///< sampled tokens; required by Start::all
  double confidence = 0.95;                ///< two-sided, of limits
  bool by_prompt = true;  ///< keep sums per prompt: between/within split, Weight::prompt
  friend bool operator==(const Settings&, const Settings&) = default;
};

/// The noise floor when none is given: float32 2e-6, bf16 3e-3 nats (results.md); float16 4e-4, an
/// eighth of bf16's for three more bits. Unknown or absent dtype: float32's.
[[nodiscard]] double noise_floor_of(const std::optional<std::string>& dtype);

/// One row set. n: results.md (position: t, 0-based; horizon: tokens left; window: tokens;
/// infinite: absent).
struct CellSpec {
  Alignment alignment = Alignment::window;
  double gamma = 0;
  std::optional<std::int64_t> n;
  /// Only responses with T >= at_least. The sigma2 of a horizon cell N is the largest second moment
  /// of gamma 0 over horizons k <= N with at_least = N (theory 5.4).
  std::int64_t at_least = 0;
  friend bool operator==(const CellSpec&, const CellSpec&) = default;
};

/// 1, 2, 4, … below `largest`, and `largest`. Empty if largest < 1.
[[nodiscard]] std::vector<std::int64_t> log_grid(std::int64_t largest);
/// 0 and log_grid(largest): positions. Empty if largest < 0.
[[nodiscard]] std::vector<std::int64_t> log_positions(std::int64_t largest);

/// All cells of alignments x gammas x at; `infinite` once per gamma below 1.
[[nodiscard]] std::vector<CellSpec> cell_grid(std::span<const Alignment> alignments,
                                              std::span<const double> gammas,
                                              std::span<const std::int64_t> at);

/// Settings and cells, checked. Equal cells are kept once, in the order of their first appearance.
class Plan {
 public:
  static constexpr std::size_t max_cells = 1024;  ///< cells with limits in one run

  /// @throws UsageError for gamma outside [0, 1], n missing, out of range or given to `infinite`,
  /// confidence outside (0, 1), Start::all with windows but without max_length, more than max_cells
  /// cells (the count is named), or none
  Plan(const Settings& settings, const std::vector<CellSpec>& cells);

  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }
  [[nodiscard]] std::span<const CellSpec> cells() const noexcept { return cells_; }
  /// Place of a cell; absent if the plan does not have it. Cost O(cells).
  [[nodiscard]] std::optional<std::size_t> index_of(const CellSpec& cell) const noexcept;

  friend bool operator==(const Plan&, const Plan&) = default;

 private:
  Settings settings_;
  std::vector<CellSpec> cells_;
};

}  // namespace gammascope::measure

namespace gammascope {
template <>
struct EnumName<measure::Truncated> {
  static constexpr std::array<std::string_view, 2> names{"keep", "drop"};
};
template <>
struct EnumName<measure::Start> {
  static constexpr std::array<std::string_view, 2> names{"0", "all"};
};
template <>
struct EnumName<measure::Weight> {
  static constexpr std::array<std::string_view, 3> names{"row", "response", "prompt"};
};
}  // namespace gammascope
