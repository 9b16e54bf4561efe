// SPDX-License-Identifier: MIT
// Which responses a measurement is of: a content hash that no order and no sharding changes, and
// what two sets have in common. Tests: tests/analysis/measure/test_response_set.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gammascope::measure {

/// What two sets of responses share, among those that both would have kept.
struct Overlap {
  std::int64_t first = 0, second = 0;  ///< responses looked at, of each
  std::int64_t both = 0;               ///< of these, in both (as often as in the one with fewer)
  bool complete = true;                ///< every response of both was looked at
};

/// The multiset of response hashes: their number and sum, and the 65536 smallest. The same whatever
/// the order, and additive. Memory at most 1 MiB. A part that came in already is found for certain
/// up to 65536 responses in all; beyond, one that makes up a share f of the whole is missed with
/// probability (1 - f)^65536: below 1e-9 for f above 1/3162.
class ResponseSet {
 public:
  static constexpr std::size_t capacity = std::size_t{1} << 16;

  /// @param hash io::response_hash
  void add(std::uint64_t hash);
  void merge(const ResponseSet& other);

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  /// Modulo 2^64.
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }
  /// Ascending, repeated ones as often as they came. Valid until the next call.
  [[nodiscard]] std::span<const std::uint64_t> smallest() const;
  /// The content hash: "384-91f0c2d5a7b3e846", number of responses and sum.
  [[nodiscard]] std::string text() const;

  /// The inverse of the accessors, for states on disk.
  [[nodiscard]] static ResponseSet from_parts(std::int64_t count,
                                              std::uint64_t sum,
                                              std::vector<std::uint64_t> smallest);

  friend bool operator==(const ResponseSet& a, const ResponseSet& b);

 private:
  void trim() const;

  std::int64_t count_ = 0;
  std::uint64_t sum_ = 0;
  mutable bool sorted_ = true;
  mutable std::vector<std::uint64_t> kept_;  ///< the smallest, and at most as many more
};

/// Cost: linear in what is kept.
[[nodiscard]] Overlap overlap(const ResponseSet& a, const ResponseSet& b);

}  // namespace gammascope::measure
