// SPDX-License-Identifier: MIT
// Rule `token_shares`: one domain or teacher owns the tokens, so a pooled number is its number
// (case N12). Memory: at most 256 names of each field. Tests:
// tests/analysis/doctor/test_token_shares.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/doctor/finding.hpp"

namespace gammascope::doctor {

class TokenShares {
 public:
  static constexpr std::size_t most_names = 256;
  static constexpr double uneven = 3;  ///< largest share over smallest

  void add(const RolloutRecord& rollout);
  /// One for each of domain and teacher whose shares differ more than threefold.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  using Tokens = std::map<std::string, std::int64_t>;
  std::array<Tokens, 2> tokens_;  ///< by domain, by teacher; responses without the field left out
};

}  // namespace gammascope::doctor
