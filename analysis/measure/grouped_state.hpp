// SPDX-License-Identifier: MIT
// Sums per group of prompts and per cell: the state of a measurement. It depends on the *set* of
// responses only, not on order, threads, shards or merging, and its memory does not grow with the
// log. Tests: tests/analysis/measure/test_grouped_state.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "analysis/stats/cluster_sums.hpp"
#include "analysis/stats/exact_moments.hpp"

namespace gammascope::measure {

/// The sum of all.
[[nodiscard]] stats::ExactMoments total_of(std::span<const stats::ExactMoments> column);
/// Each as doubles about the grid point k0 (ExactMoments::about).
[[nodiscard]] std::vector<stats::ClusterSums> sums_about(
    std::span<const stats::ExactMoments> column, std::int64_t k0);

/// Which prompts: all, or one half by the top bit of the prompt hash (theory 5.2).
enum class Half : std::uint8_t { both, first, second };

/// Origin of the sums handed to stats: the grid point nearest to the cell's mean (of that half), or
/// 0.
enum class About : std::uint8_t { mean, zero };

/// Where each cell lies in a block: places[cell]. Cells that are added to one after the other
/// should lie side by side. Empty: places[cell] = cell.
using Layout = std::vector<std::uint32_t>;

/// Sums by prompt hash, or by its first bits; ascending.
using KeyedColumn = std::vector<std::pair<std::uint64_t, stats::ExactMoments>>;

/// One block of `cells` exact moments per group of prompts.
///
/// A group is all prompts whose 64-bit hash shares its first `bits` bits; bits = the largest with
/// at most max_groups groups in use: a function of the set of prompts, hence of no order. bits
/// starts at 64 (a group is a prompt) and falls by one, pairs of groups being added, whenever there
/// are too many. Memory: max_groups * cells * 48 bytes (512 groups, 640 cells: 16 MB).
class GroupedState {
 public:
  /// @throws std::invalid_argument if max_groups < 32 (no useful limits below)
  explicit GroupedState(std::size_t cells, std::size_t max_groups = 512, Layout layout = {});

  /// The sums of the prompt's group, by place; made when new. Valid until the next call. Cost: one
  /// look-up.
  [[nodiscard]] std::span<stats::ExactMoments> block(std::uint64_t prompt);

  /// @throws std::invalid_argument if the two were made with other cells or another max_groups
  void merge(const GroupedState& other);

  [[nodiscard]] std::size_t cells() const noexcept { return cells_; }
  [[nodiscard]] int bits() const noexcept { return bits_; }
  [[nodiscard]] std::size_t groups() const noexcept { return blocks_.size(); }

  /// The groups of a half with at least one row in this cell, by ascending hash.
  /// @throws std::out_of_range if there is no such cell
  [[nodiscard]] std::vector<stats::ExactMoments> column(std::size_t cell,
                                                        Half half = Half::both) const;
  /// The same with the prefix of each group.
  [[nodiscard]] KeyedColumn keyed_column(std::size_t cell) const;
  /// All groups of a half added up. @throws std::out_of_range if there is no such cell
  [[nodiscard]] stats::ExactMoments total(std::size_t cell, Half half = Half::both) const;

  /// column() as doubles about one origin (nats, returned): shifted in integers, rounded once.
  [[nodiscard]] std::pair<std::vector<stats::ClusterSums>, double> clusters(
      std::size_t cell, About about, Half half = Half::both) const;

  /// The same over all groups, those without a row in this cell included: cluster i is the same
  /// prompts in every cell, what a function of several cells needs (hjs2.hpp, influence.hpp).
  [[nodiscard]] std::pair<std::vector<stats::ClusterSums>, double> aligned_clusters(
      std::size_t cell, About about) const;

  friend bool operator==(const GroupedState&, const GroupedState&) = default;

 private:
  friend struct StateFields;

  using Block = std::vector<stats::ExactMoments>;
  void refold();   ///< blocks of one prefix at the present bits become one
  void coarsen();  ///< fewer bits until max_groups holds

  std::size_t cells_, max_groups_;
  Layout layout_;
  int bits_ = 64;
  std::map<std::uint64_t, Block> blocks_;  ///< by prefix; nodes keep their address
};

/// Full sums of the 1024 prompts with the smallest hash: exact for logs of up to 1024 prompts, a
/// random sample of whole prompts above. For what groups cannot give: the split between and within
/// prompts, and means by prompt. Mergeable in any order, like GroupedState.
class PromptSample {
 public:
  static constexpr std::size_t capacity = 1024;

  explicit PromptSample(std::size_t cells, Layout layout = {});

  /// The sums of this prompt, by place; empty if it is not among those kept. Valid until the next
  /// call.
  [[nodiscard]] std::span<stats::ExactMoments> block(std::uint64_t prompt);

  /// @throws std::invalid_argument if the two have other cells
  void merge(const PromptSample& other);

  [[nodiscard]] std::size_t prompts() const noexcept { return blocks_.size(); }
  /// Every prompt met is kept.
  [[nodiscard]] bool complete() const noexcept { return !overflowed_; }

  /// The prompts with at least one row in this cell. @throws std::out_of_range if there is no such
  /// cell
  [[nodiscard]] KeyedColumn keyed_column(std::size_t cell) const;

  /// As GroupedState::clusters. @throws std::out_of_range if there is no such cell
  [[nodiscard]] std::pair<std::vector<stats::ClusterSums>, double> clusters(std::size_t cell) const;

  friend bool operator==(const PromptSample&, const PromptSample&) = default;

 private:
  friend struct StateFields;

  std::size_t cells_;
  Layout layout_;
  bool overflowed_ = false;
  std::map<std::uint64_t, std::vector<stats::ExactMoments>> blocks_;
};

}  // namespace gammascope::measure
