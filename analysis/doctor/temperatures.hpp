// SPDX-License-Identifier: MIT
// Rule `temperature`: do the two columns and the sampler speak of one law? Log-probs at two
// temperatures make a log-ratio that no training sees (case B10), and tokens drawn at another
// temperature than the student's column is computed at break identities t2 to t4. Only what the log
// says about itself: header and rows. Tests: tests/analysis/doctor/test_temperatures.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/core/rollout.hpp"
#include "analysis/doctor/finding.hpp"

namespace gammascope::doctor {

class Temperatures {
 public:
  void add(const RolloutRecord& rollout);
  /// @param header of the same log
  [[nodiscard]] std::vector<Finding> findings(const LogHeader& header) const;

 private:
  std::int64_t rows_ = 0;        // that say a temperature
  double least_ = 0, most_ = 0;  // of those
};

}  // namespace gammascope::doctor
