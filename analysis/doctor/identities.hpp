// SPDX-License-Identifier: MIT
// Rules `t1` to `t4`: four identities of an on-policy log that need no threshold (theory 5.8): per
// sampled token, end token included,
//   t1  E exp(s - r) = 1      r is the true sampler              t3  E[-s] = E[H]   tokens drawn
//   from the law that s and H describe t2  E exp(-Delta) <= 1    s is the true sampler, u a law t4
//   E Delta >= 0   on policy, one-sided
// t1 to t3 are tested with tokens as the sample (martingale differences under the null), t4 with
// prompts; limits are by prompts. Tests: tests/analysis/doctor/test_identities.cpp
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/doctor/cluster_mean.hpp"
#include "analysis/doctor/finding.hpp"
#include "analysis/measure/cell.hpp"

namespace gammascope::doctor {

enum class Word : std::uint8_t {
  ok,  ///< |z| below 4 (5 for exp(-Delta), which is right-skewed), and the limits do not exclude
       ///< the identity
  broken,  ///< beyond, on the side that the identity forbids
  low,  ///< t2 below 1: allowed where the teacher's support lies outside the student's; said, not
        ///< judged
  degenerate,   ///< r is a copy of s: holds by construction
  cannot_tell,  ///< the limits exclude the identity and |z| is below the threshold, no limits (one
                ///< prompt), fewer than 8 prompts (t4), too few tokens, an overflow, or the end
                ///< token is not in the log (theory 5.4 iv)
  absent,       ///< the columns do not allow it
};

class Identities {
 public:
  struct Answer {
    Quantity which = Quantity::t1;
    Word word = Word::absent;
    double value = 0;
    std::optional<double> z;             ///< of the test
    std::optional<double> lower, upper;  ///< 95 %, prompts as clusters
    std::int64_t prompts = 0, tokens = 0;
    std::string sentence;
  };

  /// Only tokens with mask 1; a response whose column is missing does not count for that identity,
  /// and neither does a token with a bad number in it.
  void add(const RolloutRecord& rollout);
  /// Which token ids end a response, from the header; empty: not recorded. Before answers().
  void set_eos_ids(const std::vector<std::int64_t>& ids) { eos_ids_ = ids; }

  /// t1 … t4 in this order, those that the columns do not allow included.
  [[nodiscard]] std::array<Answer, 4> answers() const;
  [[nodiscard]] std::vector<Finding> findings() const;
  /// Cells of result.json: alignment, gamma, n absent.
  [[nodiscard]] std::vector<Cell> cells() const;
  /// Whether the end token is in the log: true, false, or absent when ids or eos_ids are not
  /// recorded. One response that stopped and does not end in an end token makes it false.
  [[nodiscard]] std::optional<bool> end_token_logged() const;

 private:
  ClusterMean t1_{1.0}, t2_{1.0}, t3_{0.0}, t4_{0.0};  // origin: the value under the identity
  std::int64_t responses_ = 0, without_prompt_id_ = 0, stopped_without_ids_ = 0;
  std::map<std::int64_t, std::int64_t> last_ids_;  ///< of responses that stopped; at most 4096 ids
  std::vector<std::int64_t> eos_ids_;
};

}  // namespace gammascope::doctor
