// SPDX-License-Identifier: MIT
#include "analysis/measure/grouped_state.hpp"

#include <iterator>
#include <stdexcept>

#include "analysis/core/hash_prefix.hpp"

namespace gammascope::measure {
namespace {

using Block = std::vector<stats::ExactMoments>;

void add_to(Block& to, const Block& from) {
  for (std::size_t c = 0; c < to.size(); ++c) to[c].merge(from[c]);
}

bool belongs(std::uint64_t prefix, Half half) noexcept {
  if (half == Half::both) return true;
  return (prefix >> 63 != 0) == (half == Half::second);
}

std::size_t place_of(const Layout& layout, std::size_t cells, std::size_t cell) {
  if (cell >= cells) throw std::out_of_range("there is no such cell");
  return layout.empty() ? cell : layout[cell];
}

KeyedColumn keyed(const std::map<std::uint64_t, Block>& blocks, std::size_t place) {
  KeyedColumn column;
  column.reserve(blocks.size());
  for (const auto& [key, block] : blocks)
    if (block[place].count() > 0) column.emplace_back(key, block[place]);
  return column;
}

void check_layout(const Layout& layout, std::size_t cells) {
  if (!layout.empty() && layout.size() != cells)
    throw std::invalid_argument("a layout has one place for each cell");
}

}  // namespace

stats::ExactMoments total_of(std::span<const stats::ExactMoments> column) {
  stats::ExactMoments sum;
  for (const stats::ExactMoments& group : column) sum.merge(group);
  return sum;
}

std::vector<stats::ClusterSums> sums_about(std::span<const stats::ExactMoments> column,
                                           std::int64_t k0) {
  std::vector<stats::ClusterSums> sums;
  sums.reserve(column.size());
  for (const stats::ExactMoments& group : column) sums.push_back(group.about(k0));
  return sums;
}

GroupedState::GroupedState(std::size_t cells, std::size_t max_groups, Layout layout)
    : cells_(cells), max_groups_(max_groups), layout_(std::move(layout)) {
  check_layout(layout_, cells);
  if (max_groups < 32) throw std::invalid_argument("GroupedState: max_groups >= 32");
}

std::span<stats::ExactMoments> GroupedState::block(std::uint64_t prompt) {
  auto [it, is_new] = blocks_.try_emplace(hash_prefix(prompt, bits_));
  if (is_new) {
    it->second.resize(cells_);
    if (blocks_.size() > max_groups_) {
      coarsen();
      it = blocks_.find(hash_prefix(prompt, bits_));
    }
  }
  return it->second;
}

void GroupedState::refold() {
  std::map<std::uint64_t, Block> coarser;
  for (auto& [key, block] : blocks_) {
    const std::uint64_t place = hash_prefix(key, bits_);
    if (const auto it = coarser.find(place); it != coarser.end())
      add_to(it->second, block);
    else
      coarser.emplace(place, std::move(block));
  }
  blocks_ = std::move(coarser);
}

void GroupedState::coarsen() {
  while (blocks_.size() > max_groups_) {
    --bits_;
    refold();
  }
}

void GroupedState::merge(const GroupedState& other) {
  if (cells_ != other.cells_ || max_groups_ != other.max_groups_ || layout_ != other.layout_)
    throw std::invalid_argument("GroupedState: states of different shape cannot be merged");
  if (other.bits_ < bits_) {
    bits_ = other.bits_;
    refold();
  }
  for (const auto& [key, theirs] : other.blocks_) {
    const auto [it, is_new] = blocks_.try_emplace(hash_prefix(key, bits_), theirs);
    if (!is_new) add_to(it->second, theirs);
  }
  coarsen();
}

std::vector<stats::ExactMoments> GroupedState::column(std::size_t cell, Half half) const {
  const std::size_t place = place_of(layout_, cells_, cell);
  std::vector<stats::ExactMoments> groups;
  groups.reserve(blocks_.size());
  for (const auto& [key, block] : blocks_)
    if (belongs(key, half) && block[place].count() > 0) groups.push_back(block[place]);
  return groups;
}

KeyedColumn GroupedState::keyed_column(std::size_t cell) const {
  return keyed(blocks_, place_of(layout_, cells_, cell));
}

stats::ExactMoments GroupedState::total(std::size_t cell, Half half) const {
  return total_of(column(cell, half));
}

std::pair<std::vector<stats::ClusterSums>, double> GroupedState::clusters(std::size_t cell,
                                                                          About about,
                                                                          Half half) const {
  const auto groups = column(cell, half);
  const std::int64_t k0 = about == About::mean ? total_of(groups).centre() : 0;
  return {sums_about(groups, k0), static_cast<double>(k0) * stats::ExactMoments::quantum};
}

std::pair<std::vector<stats::ClusterSums>, double> GroupedState::aligned_clusters(
    std::size_t cell, About about) const {
  const std::size_t place = place_of(layout_, cells_, cell);
  std::vector<stats::ExactMoments> groups;
  groups.reserve(blocks_.size());
  for (const auto& [key, block] : blocks_) groups.push_back(block[place]);
  const std::int64_t k0 = about == About::mean ? total_of(groups).centre() : 0;
  return {sums_about(groups, k0), static_cast<double>(k0) * stats::ExactMoments::quantum};
}

PromptSample::PromptSample(std::size_t cells, Layout layout)
    : cells_(cells), layout_(std::move(layout)) {
  check_layout(layout_, cells);
}

std::span<stats::ExactMoments> PromptSample::block(std::uint64_t prompt) {
  auto it = blocks_.lower_bound(prompt);
  if (it != blocks_.end() && it->first == prompt) return it->second;
  if (blocks_.size() == capacity) {
    overflowed_ = true;
    if (it == blocks_.end()) return {};
    blocks_.erase(std::prev(blocks_.end()));
  }
  return blocks_.try_emplace(prompt, cells_).first->second;
}

void PromptSample::merge(const PromptSample& other) {
  if (cells_ != other.cells_ || layout_ != other.layout_)
    throw std::invalid_argument("PromptSample: samples of different shape cannot be merged");
  overflowed_ = overflowed_ || other.overflowed_;
  for (const auto& [key, theirs] : other.blocks_) {
    const auto [it, is_new] = blocks_.try_emplace(key, theirs);
    if (!is_new) add_to(it->second, theirs);
  }
  while (blocks_.size() > capacity) {
    overflowed_ = true;
    blocks_.erase(std::prev(blocks_.end()));
  }
}

KeyedColumn PromptSample::keyed_column(std::size_t cell) const {
  return keyed(blocks_, place_of(layout_, cells_, cell));
}

std::pair<std::vector<stats::ClusterSums>, double> PromptSample::clusters(std::size_t cell) const {
  std::vector<stats::ExactMoments> column;
  for (const auto& [key, sums] : keyed_column(cell)) column.push_back(sums);
  const std::int64_t k0 = total_of(column).centre();
  return {sums_about(column, k0), static_cast<double>(k0) * stats::ExactMoments::quantum};
}

}  // namespace gammascope::measure
