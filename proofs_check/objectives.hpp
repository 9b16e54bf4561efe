// SPDX-License-Identifier: MIT
// Left sides: the gradients of J_seq and J_token with respect to every logit, from the definitions
// of the objectives by the product rule, d pi(a|s) / d logit(s, b) = pi(a|s) (1[a = b] - pi(b|s)).
// Nothing here knows the formulas of Propositions 3.1 and 3.2, nor shares a function with them.
#pragma once

#include <vector>

#include "proofs_check/tiny_process.hpp"

namespace gammascope::proofs {

/// One entry a logit, row-major (states * tokens).
using Gradient = std::vector<LogPrime>;

/// d/d logits of J_seq = sum_y P(y) (log P(y) - log P*(y)), Eq. (4a), y over all responses, the
/// prompts averaged over. P(y) is differentiated as a product, the log through dP / P.
/// Cost: tokens^length
[[nodiscard]] Gradient sequence_objective_gradient(const TinyProcess& process);

/// d/d logits of J_token = sum_h d(h) KL(student || teacher)(h), Eq. (4b), the sum over prefixes
/// and d(h), their distribution, held fixed. Cost: tokens^length
[[nodiscard]] Gradient token_objective_gradient(const TinyProcess& process);

}  // namespace gammascope::proofs
