// SPDX-License-Identifier: MIT
// check --init: a claims file of today's numbers. Tests: tests/analysis/cli/test_claims.cpp
#pragma once

#include <string>

#include "analysis/cli/options.hpp"
#include "analysis/measure/sweep.hpp"
#include "analysis/report/result.hpp"

namespace gammascope::cli {

struct InitText {
  std::string text;        ///< of the claims file
  std::size_t claims = 0;  ///< in it
};

/// One claim on the variance of every cell of the plan that has limits, and one on the ratio of the
/// largest gamma to the smallest at each place: within a band of today's number. The band is the
/// smallest whole per cent, 10 at least, at which an unchanged log of this size is shown to be
/// inside with probability about 80 %.
/// @param result source and settings of the run
/// @throws BadData if no cell has limits
[[nodiscard]] InitText init_claims(const report::Result& result,
                                   const measure::Sweep& sweep,
                                   double noise_floor);

}  // namespace gammascope::cli
