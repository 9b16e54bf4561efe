// SPDX-License-Identifier: MIT
// Reward-bounded mixing, Eq. (8): with m = mean |A_k| over the response's sampled tokens, b_t = A_t
// / (m + |A_t|) (0 when m = 0) and Ahat_t = b_t + R. Facts: |b_t| < 1, sign(Ahat_t) = R, mean b_t^2
// <= 1/4, b unchanged when all of A is scaled by c > 0 (T2.7a). Tests:
// tests/analysis/credit/test_rbm_advantage.cpp, values: tests/data/reference/credit.json
#pragma once

#include <vector>

namespace gammascope {

/// Turns A_t into Ahat_t in place. NaN entries (masked tokens) stay NaN and count nowhere.
/// @param advantage (T) nats  @param reward -1 or +1
/// @throws std::domain_error if the reward is anything else: the facts above are about R in {-1,
/// +1} only Cost: O(T). The mean of |A| is summed compensated, so T = 1e6 equal values give b = 1/2
/// to the last bit or two.
void rbm_advantage(std::vector<double>& advantage, double reward);

}  // namespace gammascope
