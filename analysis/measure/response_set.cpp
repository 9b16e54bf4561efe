// SPDX-License-Identifier: MIT
#include "analysis/measure/response_set.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

namespace gammascope::measure {

void ResponseSet::trim() const {
  if (!sorted_) std::ranges::sort(kept_);
  sorted_ = true;
  if (kept_.size() > capacity) kept_.resize(capacity);
}

void ResponseSet::add(std::uint64_t hash) {
  ++count_;
  sum_ += hash;
  kept_.push_back(hash);
  sorted_ = false;
  if (kept_.size() >= 2 * capacity) trim();
}

void ResponseSet::merge(const ResponseSet& other) {
  count_ += other.count_;
  sum_ += other.sum_;
  const auto theirs = other.smallest();
  kept_.insert(kept_.end(), theirs.begin(), theirs.end());
  sorted_ = false;
  trim();
}

std::span<const std::uint64_t> ResponseSet::smallest() const {
  trim();
  return kept_;
}

std::string ResponseSet::text() const {
  char text[48];
  std::snprintf(text,
                sizeof text,
                "%lld-%016llx",
                static_cast<long long>(count_),
                static_cast<unsigned long long>(sum_));
  return text;
}

ResponseSet ResponseSet::from_parts(std::int64_t count,
                                    std::uint64_t sum,
                                    std::vector<std::uint64_t> smallest) {
  ResponseSet set;
  set.count_ = count;
  set.sum_ = sum;
  set.kept_ = std::move(smallest);
  set.sorted_ = false;
  set.trim();
  return set;
}

bool operator==(const ResponseSet& a, const ResponseSet& b) {
  return a.count_ == b.count_ && a.sum_ == b.sum_ && std::ranges::equal(a.smallest(), b.smallest());
}

Overlap overlap(const ResponseSet& a, const ResponseSet& b) {
  const auto one = a.smallest(), two = b.smallest();
  // Up to here both would have kept every response that they met.
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  Overlap o;
  for (const ResponseSet* set : {&a, &b}) {
    if (set->count() <= static_cast<std::int64_t>(ResponseSet::capacity)) continue;
    last = std::min(last, set->smallest().back());
    o.complete = false;
  }
  auto i = one.begin(), j = two.begin();
  const auto one_end = std::ranges::upper_bound(one, last),
             two_end = std::ranges::upper_bound(two, last);
  o.first = one_end - i;
  o.second = two_end - j;
  while (i != one_end && j != two_end) {
    if (*i == *j) {
      ++o.both;
      ++i;
      ++j;
    } else {
      ++(*i < *j ? i : j);
    }
  }
  return o;
}

}  // namespace gammascope::measure
