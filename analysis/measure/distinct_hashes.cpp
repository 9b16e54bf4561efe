// SPDX-License-Identifier: MIT
#include "analysis/measure/distinct_hashes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gammascope::measure {

void DistinctHashes::fold() const {
  if (pending_.empty()) return;
  std::ranges::sort(pending_);
  const auto middle = static_cast<std::ptrdiff_t>(sorted_.size());
  sorted_.insert(sorted_.end(), pending_.begin(), pending_.end());
  std::inplace_merge(sorted_.begin(), sorted_.begin() + middle, sorted_.end());
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
  pending_.clear();
  if (sorted_.size() <= most) return;
  exact_ = false;
  sorted_ = {};
  pending_ = {};
}

bool DistinctHashes::exact() const {
  fold();
  return exact_;
}

void DistinctHashes::add(std::uint64_t hash) {
  if (!exact_) return;
  if (!pending_.empty() && pending_.back() == hash) return;
  pending_.push_back(hash);
  if (pending_.size() < std::max<std::size_t>(1024, sorted_.size() / 8)) return;
  fold();
}

void DistinctHashes::merge(const DistinctHashes& other) {
  if (!exact_) return;
  if (!other.exact()) {
    exact_ = false;
    sorted_ = {};
    pending_ = {};
    return;
  }
  const auto theirs = other.sorted();
  pending_.insert(pending_.end(), theirs.begin(), theirs.end());
  fold();
}

std::span<const std::uint64_t> DistinctHashes::sorted() const {
  fold();
  return sorted_;
}

bool DistinctHashes::contains(std::uint64_t hash) const {
  return std::ranges::binary_search(sorted(), hash);
}

DistinctHashes DistinctHashes::from_sorted(std::vector<std::uint64_t> ascending, bool exact) {
  DistinctHashes set;
  set.exact_ = exact;
  if (exact) set.sorted_ = std::move(ascending);
  return set;
}

bool operator==(const DistinctHashes& a, const DistinctHashes& b) {
  return a.exact() == b.exact() && std::ranges::equal(a.sorted(), b.sorted());
}

std::vector<std::uint64_t> shared(const DistinctHashes& a, const DistinctHashes& b) {
  std::vector<std::uint64_t> both;
  std::ranges::set_intersection(a.sorted(), b.sorted(), std::back_inserter(both));
  return both;
}

}  // namespace gammascope::measure
