// SPDX-License-Identifier: MIT
#include "analysis/stats/holm.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

namespace gammascope::stats {

std::vector<double> holm_adjusted(std::span<const double> p) {
  for (const double x : p)
    if (!(x >= 0.0 && x <= 1.0)) throw std::domain_error("a p-value must lie in [0, 1]");
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(
      order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double so_far = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    so_far = std::max(so_far, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    adjusted[order[i]] = so_far;
  }
  return adjusted;
}

}  // namespace gammascope::stats
