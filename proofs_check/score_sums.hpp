// SPDX-License-Identifier: MIT
// Right sides: E[sum_t w_t grad log pi(y_t | h_t)] over all responses, for weights w_t made from
// the response's log-ratios.
#pragma once

#include <cstddef>
#include <vector>

#include "proofs_check/trajectories.hpp"

namespace gammascope::proofs {

/// @param x [state][token] log-ratios X  @param weight called as weight(x of the response (T), t):
/// the weight of token t, 0-based
/// @return one entry a logit, row-major (states * tokens); grad log pi(a|s) = 1[a = b] - pi(b|s) at
/// (s, b)
template <class Number, class Weight>
[[nodiscard]] std::vector<Number> score_sum(const TinyProcess& p,
                                            const std::vector<Response>& all,
                                            const Table<Number>& x,
                                            const Weight& weight) {
  std::vector<Number> sum(p.states() * p.tokens());
  std::vector<Number> path;
  for (const Response& y : all) {
    path.clear();
    for (std::size_t t = 0; t < y.size(); ++t) path.push_back(x[y.state[t]][y.token[t]]);
    for (std::size_t t = 0; t < y.size(); ++t) {
      const Number w = weight(path, t);
      for (std::size_t b = 0; b < p.tokens(); ++b) {
        const Q z = (y.token[t] == b ? 1 : 0) - p.student[y.state[t]][b];
        sum[y.state[t] * p.tokens() + b] += Q(y.probability * z) * w;
      }
    }
  }
  return sum;
}

/// "d/d logit(s, b): LEFT | RIGHT" for each logit where they differ; empty if they are equal.
[[nodiscard]] inline std::string difference(const TinyProcess& p,
                                            const std::vector<LogPrime>& left,
                                            const std::vector<LogPrime>& right) {
  std::string text;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (left[i] != right[i])
      text += "  d/d logit(" + std::to_string(i / p.tokens()) + ", " +
              std::to_string(i % p.tokens()) + "): left " + left[i].text() + ", right " +
              right[i].text() + "\n";
  return text;
}

}  // namespace gammascope::proofs
