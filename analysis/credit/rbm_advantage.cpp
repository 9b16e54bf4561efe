// SPDX-License-Identifier: MIT
#include "analysis/credit/rbm_advantage.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace gammascope {

void rbm_advantage(std::vector<double>& advantage, double reward) {
  if (reward != 1.0 && reward != -1.0) throw std::domain_error("RBM needs a reward of -1 or +1");
  double sum = 0.0, lost = 0.0;  // Neumaier
  std::size_t count = 0;
  for (const double a : advantage) {
    if (std::isnan(a)) continue;
    const double x = std::fabs(a), next = sum + x;
    lost += sum >= x ? (sum - next) + x : (x - next) + sum;
    sum = next;
    ++count;
  }
  const double mean = count > 0 ? (sum + lost) / static_cast<double>(count) : 0.0;
  for (double& a : advantage)
    if (!std::isnan(a)) a = (mean > 0.0 ? a / (mean + std::fabs(a)) : 0.0) + reward;
}

}  // namespace gammascope
