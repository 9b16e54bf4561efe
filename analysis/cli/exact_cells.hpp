// SPDX-License-Identifier: MIT
// The cells that `exact` writes (results.md), from a process. Tests:
// tests/analysis/cli/test_exact.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/core/gamma.hpp"
#include "analysis/measure/cell.hpp"
#include "simulators/markov/exact_moments.hpp"
#include "simulators/markov/mixture.hpp"
#include "simulators/markov/process.hpp"
#include "simulators/markov/token_profile.hpp"

namespace gammascope::cli {

struct ExactRequest {
  const markov::Mixture& mixture;
  const markov::Process<double>& process;  ///< unite(mixture)
  std::int64_t max_length;
  std::vector<Gamma> gammas;
};

/// Position cells with n and gamma absent: sigma2, noise_variance, drift_variance (among those
/// alive), max_log_ratio, each the largest over t; and t4, the mean Delta over all tokens.
void add_token_cells(const markov::TokenProfile<double>& profile, std::vector<Cell>& cells);

/// alive (gamma absent), then mean, variance, second moment.
void add_position_cells(const ExactRequest& request,
                        const markov::TokenProfile<double>& profile,
                        const std::vector<std::int64_t>& positions,
                        std::vector<Cell>& cells);

/// Mean, variance, second moment; from the first token also the split by prompt where prompts
/// differ. drift_variance with gamma absent is the stopped one (theory 3c), the d2 of the drift
/// bound for this window.
void add_window_cells(const ExactRequest& request,
                      const markov::TokenProfile<double>& profile,
                      const std::vector<std::int64_t>& windows,
                      markov::WindowStart start,
                      std::vector<Cell>& cells);

/// probability and sigma2 (gamma absent; theory 5.4), then mean, variance, second moment.
void add_horizon_cells(const ExactRequest& request,
                       const std::vector<std::int64_t>& horizons,
                       std::vector<Cell>& cells);

/// Mean, variance, second moment and the split by prompt, for each gamma below 1.
void add_infinite_cells(const ExactRequest& request, std::vector<Cell>& cells);

}  // namespace gammascope::cli
