// SPDX-License-Identifier: MIT
// Logs drawn from a pool: several cells of the same responses.
#pragma once

#include <cmath>
#include <vector>

#include "analysis/stats/cluster_sums.hpp"
#include "tests/calibration/laws.hpp"

namespace gammascope::calibration {

/// sqrt(icc) of one response per prompt + sqrt(1 - icc) of one per rollout, 4 rollouts: the pool's
/// variance in every cell, whatever the icc.
class PoolSample {
 public:
  PoolSample(const Pool& pool, const std::vector<std::size_t>& cells, double icc)
      : pool_(pool),
        cells_(cells),
        sums_(cells.size()),
        effect_(std::sqrt(icc)),
        own_(std::sqrt(1 - icc)) {}

  void draw(std::size_t prompts, Draw& random) {
    for (auto& s : sums_) s.assign(prompts, {});
    for (std::size_t i = 0; i < prompts; ++i) {
      const double* shared = effect_ > 0 ? pool_.response(random.index(pool_.size())) : nullptr;
      for (int j = 0; j < 4; ++j) {
        const double* own = pool_.response(random.index(pool_.size()));
        for (std::size_t k = 0; k < cells_.size(); ++k) {
          const double a =
              own_ * own[cells_[k]] + (shared != nullptr ? effect_ * shared[cells_[k]] : 0.0);
          stats::ClusterSums& c = sums_[k][i];
          c.rows += 1;
          c.s1 += a;
          c.s2 += a * a;
        }
      }
    }
  }
  [[nodiscard]] const std::vector<stats::ClusterSums>& sums(std::size_t k) const {
    return sums_[k];
  }

 private:
  const Pool& pool_;
  const std::vector<std::size_t>& cells_;
  std::vector<std::vector<stats::ClusterSums>> sums_;
  double effect_, own_;
};

}  // namespace gammascope::calibration
