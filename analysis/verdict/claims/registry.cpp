// SPDX-License-Identifier: MIT
// The kinds of claim: one line each.
#include "analysis/verdict/claims/equal_at_step.hpp"
#include "analysis/verdict/claims/growth_exponent.hpp"
#include "analysis/verdict/claims/mean.hpp"
#include "analysis/verdict/claims/ratio.hpp"
#include "analysis/verdict/claims/rbm_above.hpp"
#include "analysis/verdict/claims/rbm_share.hpp"
#include "analysis/verdict/claims/second_moment.hpp"
#include "analysis/verdict/claims/variance.hpp"

namespace gammascope::claims {

const std::vector<Kind>& kinds() {
  // clang-format off
  static const std::vector<Kind> table{
      {"variance", "gamma, PLACE", "Var(A), nats^2", true, make_variance},
      {"second_moment", "gamma, PLACE", "E[A^2], nats^2", true, make_second_moment},
      {"mean", "gamma, PLACE", "E[A], nats", true, make_mean},
      {"ratio", "gamma, over, PLACE", "Var(A) at gamma over that at `over`", false, make_ratio},
      {"growth_exponent", "gamma, window=[N,N,...]", "slope of log Var(A) against log n", false, make_growth_exponent},
      {"rbm_share", "gamma", "mean |b| of Eq. (8), as a share of the reward's size", false, make_rbm_share},
      {"rbm_above", "gamma, size", "share of tokens with |b| > size", false, make_rbm_above},
      {"equal_at_step", "step", "mean |Delta| at that step, nats; without a limit: the noise floor", false, make_equal_at_step},
  };
  // clang-format on
  return table;
}

const Kind& find_kind(const Spec& spec) {
  std::string names;
  for (const Kind& kind : kinds()) {
    if (kind.quantity == spec.quantity) return kind;
    names.append(names.empty() ? "" : ", ").append(kind.quantity);
  }
  At at = spec.at;
  if (!at.file.empty()) at.field = "quantity";
  refuse(at, "there is no quantity '" + spec.quantity + "' (" + names + ")");
}

}  // namespace gammascope::claims
