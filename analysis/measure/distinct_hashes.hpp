// SPDX-License-Identifier: MIT
// Different 64-bit hashes, counted exactly up to a limit; what prompts two logs share. Tests:
// tests/analysis/measure/test_distinct_hashes.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gammascope::measure {

/// A set of hashes that gives up, empty, beyond `most`. The same set whatever the order. Memory: 8
/// bytes a hash and an eighth more. Not for several threads at once, not even to be read.
class DistinctHashes {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20;

  /// Cost: logarithmic, amortised.
  void add(std::uint64_t hash);
  void merge(const DistinctHashes& other);

  /// False once there were more than `most`.
  [[nodiscard]] bool exact() const;
  /// Ascending; empty unless exact(). Valid until the next call.
  [[nodiscard]] std::span<const std::uint64_t> sorted() const;
  [[nodiscard]] std::size_t size() const { return sorted().size(); }
  [[nodiscard]] bool contains(std::uint64_t hash) const;

  /// @param ascending strictly, at most `most`; @param exact false: more than can be kept
  [[nodiscard]] static DistinctHashes from_sorted(std::vector<std::uint64_t> ascending, bool exact);

  friend bool operator==(const DistinctHashes& a, const DistinctHashes& b);

 private:
  void fold() const;  ///< pending_ into sorted_, or gives up

  mutable bool exact_ = true;
  mutable std::vector<std::uint64_t> sorted_, pending_;
};

/// Hashes that both have. Cost: linear.
[[nodiscard]] std::vector<std::uint64_t> shared(const DistinctHashes& a, const DistinctHashes& b);

}  // namespace gammascope::measure
