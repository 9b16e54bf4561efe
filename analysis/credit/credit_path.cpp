// SPDX-License-Identifier: MIT
#include "analysis/credit/credit_path.hpp"

#include <stdexcept>
#include <string>

namespace gammascope {

void CreditPath::assign(const Rollout& rollout, Clock clock) {
  delta.clear();
  spend.clear();
  uniform = true;
  if (clock == Clock::turn && rollout.turn.size() != rollout.length())
    throw std::invalid_argument(
        "clock turn needs the column `turn`, which this response does not have");
  if (rollout.mask.empty() && clock != Clock::turn) {
    delta.resize(rollout.length());
    for (std::size_t t = 0; t < delta.size(); ++t) delta[t] = rollout.delta(t);
    spend.assign(delta.size(), 1);
    return;
  }
  std::uint32_t masked = 0;
  std::int32_t last_turn = 0;
  for (std::size_t t = 0; t < rollout.length(); ++t) {
    if (!rollout.counts(t)) {
      ++masked;
      continue;
    }
    if (!delta.empty()) {
      std::uint32_t between = 1;
      switch (clock) {
        case Clock::skip:
          break;
        case Clock::count:
          between = 1 + masked;
          break;
        case Clock::reset:
          between = masked > 0 ? cut : 1;
          break;
        case Clock::turn:
          if (rollout.turn[t] < last_turn)
            throw std::invalid_argument("the turn index goes back at token " + std::to_string(t));
          between = rollout.turn[t] != last_turn ? 1 : 0;
          break;
      }
      spend.back() = between;
      uniform = uniform && between == 1;
    }
    if (clock == Clock::turn) last_turn = rollout.turn[t];
    delta.push_back(rollout.delta(t));
    spend.push_back(1);
    masked = 0;
  }
}

double weight_sum(const CreditPath& path, std::size_t first, std::size_t last, double gamma) {
  CreditPath ones;
  ones.delta.assign(last - first, -1.0);
  ones.spend.assign(path.spend.begin() + static_cast<std::ptrdiff_t>(first),
                    path.spend.begin() + static_cast<std::ptrdiff_t>(last));
  ones.uniform = path.uniform;
  std::vector<double> state;
  scan_credit(
      ones, std::span<const double>(&gamma, 1), state, [](std::size_t, std::span<const double>) {});
  return state[0];
}

}  // namespace gammascope
