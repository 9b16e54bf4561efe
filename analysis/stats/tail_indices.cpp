// SPDX-License-Identifier: MIT
#include "analysis/stats/tail_indices.hpp"

#include <vector>

namespace gammascope::stats {

TailIndices tail_indices(std::span<const double> values) {
  std::vector<double> mirrored(values.begin(), values.end());
  for (double& x : mirrored) x = -x;
  return {pareto_khat(mirrored), pareto_khat(values)};
}

}  // namespace gammascope::stats
