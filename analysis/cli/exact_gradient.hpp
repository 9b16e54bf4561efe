// SPDX-License-Identifier: MIT
// `exact --gradient`: mean and noise of the gradient of a process for every gamma and baseline, and
// the best gamma for a batch size (theory 6; theory-2, 6a and 6b). Tests:
// tests/analysis/cli/test_exact_gradient.cpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/core/gamma.hpp"
#include "analysis/measure/cell.hpp"
#include "analysis/report/text.hpp"
#include "simulators/markov/mixture.hpp"

namespace gammascope::cli {

/// The student is a softmax with one row of logits for each state of each prompt's process. One
/// prompt gives the mean gradient of `samples` responses; prompts are the independent units.
struct GradientRequest {
  const markov::Mixture& mixture;
  std::int64_t max_length;
  std::vector<Gamma> gammas;          ///< what is shown
  std::vector<std::int64_t> batches;  ///< prompts in a batch, >= 1
  std::int64_t samples = 1;           ///< responses a prompt, >= 1
};

struct GradientReport {
  std::vector<Cell> cells;             ///< trace_cov, norm2, cosine, bias2; by batch alignment, mse
  std::vector<std::string> sentences;  ///< the best gamma for each baseline and batch
};

/// Cells without limits, status `exact`; n and alignment absent. trace_cov is of one prompt's mean
/// gradient: within / samples + between where prompts differ. The best gamma is the one of least
/// mean squared error, and of largest alignment, on the gammas shown and a grid (0, 0.02, …, and
/// dense near 1): neither is monotone in the batch (theory-2, 6c).
///
/// @throws UsageError if the process meets a token that the teacher never emits, or its parameters
/// are too many for this computation (states * tokens of all prompts above 4096)
/// Cost: (gammas + 80) * 3 baselines * max_length * nonzeros * states * tokens
[[nodiscard]] GradientReport exact_gradient(const GradientRequest& request);

/// The cells as one table, a row for each baseline and gamma, then the sentences.
[[nodiscard]] std::string gradient_text(const GradientReport& report,
                                        const GradientRequest& request,
                                        const report::TextStyle& style);

}  // namespace gammascope::cli
