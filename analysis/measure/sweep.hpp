// SPDX-License-Identifier: MIT
// One pass over a log: every response gives its rows to every cell of the plan. The result is exact
// (integers on a grid, grouped_state.hpp), so the same responses give the same bytes in any order,
// on any number of threads, in any shards. Tests: tests/analysis/measure/test_sweep.cpp (brute
// force), test_sweep_bytes.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/credit/credit_path.hpp"
#include "analysis/measure/grouped_state.hpp"
#include "analysis/measure/plan.hpp"
#include "analysis/stats/exact_powers.hpp"

namespace gammascope::measure {

/// What a sweep met. T counts sampled tokens.
struct Counts {
  std::int64_t rollouts = 0;     ///< seen
  std::int64_t tokens = 0;       ///< sampled tokens of those
  std::int64_t empty = 0;        ///< no sampled token: no row anywhere
  std::int64_t cut = 0;          ///< finish length or abort
  std::int64_t dropped = 0;      ///< cut ones left out by Truncated::drop
  std::int64_t end_unknown = 0;  ///< finish not recorded: not used by horizon and infinite
  std::int64_t damaged = 0;      ///< with masked bad numbers: left out of horizon and infinite
  std::int64_t left_out = 0;     ///< not empty, not dropped, but not in horizon and infinite
  std::int64_t without_prompt_id = 0;  ///< each its own cluster
  std::int64_t longest = 0;            ///< max T
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// The sums of one pass; mergeable, comparable.
class Sweep {
 public:
  static constexpr std::size_t max_groups = 512;

  explicit Sweep(Plan plan);

  /// Adds one response to every cell it belongs to. Cost: one multiply-add per token and gamma for
  /// position, horizon and infinite together; for windows n per start and gamma; and some ns per
  /// row and cell.
  /// @throws BadData naming file, line (of a RolloutRecord that has them), row and gamma if |A| is
  /// above 2^20 nats, or if the clock needs a column that is not there; the sums are then
  /// unfinished and must not be used
  void add(const Rollout& rollout, bool has_prompt_id = true);
  void add(const RolloutRecord& rollout);

  /// @throws std::invalid_argument if the plans differ
  void merge(const Sweep& other);

  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }
  [[nodiscard]] const GroupedState& groups() const noexcept { return groups_; }
  [[nodiscard]] const PromptSample& prompts() const noexcept { return prompts_; }

  /// Third and fourth power sums over all rows of the cell, about the origin that
  /// groups().clusters(cell, about) has. @throws std::out_of_range if the plan has no such cell
  [[nodiscard]] stats::RowPowers row_powers(std::size_t cell, About about) const;

  /// G: the sum over k of the largest weight that a row of this cell gives to its k-th token, what
  /// the triangle inequality of Theorem 3.3 needs (theory 1). geo(gamma, N) for the clocks skip and
  /// count, N = n by window and horizon, (max_length, else the longest response) - t by position,
  /// infinite by `infinite`; for reset that of the longest segment used; for turn sum_k
  /// gamma^(fewest borders that a row has before its k-th token), which is more than any row's own
  /// sum where turns end at different tokens (at_least is not looked at). 0 without rows.
  /// @throws std::out_of_range if the plan has no such cell
  [[nodiscard]] double weight_sum(std::size_t cell) const;
  /// The same for squared weights: geo(gamma^2, N), what independent noise of a token is multiplied
  /// by.
  [[nodiscard]] double squared_weight_sum(std::size_t cell) const;

  /// Which cell of groups() holds the cell's per-response means: the cell itself, unless windows
  /// start everywhere and Weight::response is set.
  [[nodiscard]] std::size_t response_mean_cell(std::size_t cell) const;

  friend bool operator==(const Sweep& a, const Sweep& b) {
    return a.plan_ == b.plan_ && a.counts_ == b.counts_ && a.groups_ == b.groups_ &&
           a.prompts_ == b.prompts_ && a.powers_ == b.powers_ &&
           a.largest_weights_ == b.largest_weights_ && a.fewest_borders_ == b.fewest_borders_;
  }

 private:
  /// Cells of one alignment and n: which entry of the state of the scan goes where.
  struct Target {
    std::int64_t n = 0;         ///< t, tokens left, or window length
    std::int64_t at_least = 0;  ///< T
    std::size_t gamma = 0;      ///< index into the gammas of that scan
    std::size_t cell = 0;
    std::size_t place = 0, mean_place = 0;  ///< of the cell and of its response means in a block
    std::size_t rows = 0;                   ///< its row set, index into fewest_borders_
    bool first_of_rows = false;             ///< the one cell of the row set that counts borders
  };
  /// All windows of one length, with the gammas that are asked for there.
  struct Window {
    std::size_t n = 0;
    std::vector<double> gammas, with_squares;  ///< the second: gammas, then their squares
    std::vector<Target> targets;
  };
  struct Row;

  friend struct StateFields;

  [[nodiscard]] Layout lay_out(std::size_t cells);

  void add(const Rollout& rollout, bool has_prompt_id, const RolloutRecord* record);
  template <class Use>
  void walk_whole(const Row& row,
                  const CreditPath& path,
                  std::span<const double> gammas,
                  Use&& use);
  void scan_whole(const Row& row);
  void scan_window(const Row& row, const Window& window);
  [[nodiscard]] std::int64_t checked(const Row& row,
                                     const Target& target,
                                     std::span<const double> advantage) const;
  void put(std::size_t place, std::int64_t k);
  void keep_largest(const Target& target, std::span<const double> weights);
  void count_borders(const Target& target, std::size_t first, std::size_t last);
  [[nodiscard]] bool weights_by_row() const noexcept;
  [[nodiscard]] bool by_turn() const noexcept { return plan_.settings().clock == Clock::turn; }
  [[nodiscard]] const CellSpec& spec_of(std::size_t cell) const;
  [[nodiscard]] std::int64_t most_tokens(const CellSpec& spec) const;

  Plan plan_;
  Counts counts_;
  GroupedState groups_;
  PromptSample prompts_;
  std::vector<stats::ExactPowers> powers_;                  ///< by place
  std::vector<std::pair<double, double>> largest_weights_;  ///< per cell; clock reset
  /// Clock turn, per row set (alignment and n): [k] = fewest turn borders before the k-th token.
  std::vector<std::vector<std::uint32_t>> fewest_borders_;

  // Derived from the plan.
  std::vector<double> whole_gammas_, whole_with_squares_;  ///< of the scan over whole responses
  std::vector<Target> positions_, horizons_, infinites_;   ///< ascending n
  std::vector<Window> windows_;
  std::vector<std::size_t> mean_cells_, rows_of_, place_of_;  ///< per cell

  // Scratch of add().
  CreditPath path_, ones_;
  std::vector<double> state_;
  std::vector<stats::Int128> response_sums_;
  std::span<stats::ExactMoments> group_, prompt_;
};

/// Reads `source` to its end (it returns false) on `threads` threads (0: as many as the machine
/// has) and merges. `source` is called by one thread at a time. Same bytes for every number of
/// threads. The error of the first bad response in the order of the source is the one thrown.
/// @throws what source throws; BadData from Sweep::add; Interrupted
[[nodiscard]] Sweep sweep(const Plan& plan,
                          const std::function<bool(RolloutRecord&)>& source,
                          unsigned threads = 0);

}  // namespace gammascope::measure
