// SPDX-License-Identifier: MIT
#include "analysis/credit/discounted_advantage.hpp"

#include <limits>

#include "analysis/credit/credit_path.hpp"

namespace gammascope {

void discounted_advantage(const Rollout& rollout,
                          Gamma gamma,
                          Clock clock,
                          std::vector<double>& advantage) {
  CreditPath path;
  path.assign(rollout, clock);
  advantage.assign(rollout.length(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> state;
  const double g = gamma.value();
  std::size_t at = rollout.length();
  scan_credit(
      path, std::span<const double>(&g, 1), state, [&](std::size_t, std::span<const double> a) {
        do --at;
        while (!rollout.counts(at));
        advantage[at] = a[0];
      });
}

}  // namespace gammascope
