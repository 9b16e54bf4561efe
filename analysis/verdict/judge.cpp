// SPDX-License-Identifier: MIT
#include "analysis/verdict/judge.hpp"

namespace gammascope {

Judgement judge(const Evidence& evidence, Origin sigma2_origin, double alpha) {
  if (sigma2_origin == Origin::same_rollouts)
    return {Outcome::identity,
            "sigma2 was taken from the responses under test: the inequality holds by construction "
            "and could not have failed"};
  if (evidence.cell_status == CellStatus::degenerate)
    return {Outcome::degenerate,
            "the variance is zero or below the noise floor: every upper bound holds, nothing was "
            "shown"};
  if (evidence.only_if) return {Outcome::inconclusive, *evidence.only_if};
  if (!evidence.cannot_fail.empty()) return {Outcome::inconclusive, evidence.cannot_fail};
  if (evidence.p_fail <= alpha)
    return {Outcome::fail, "the variance is shown to be above the bound"};
  if (evidence.p_pass <= alpha && evidence.cell_status == CellStatus::unreliable)
    return {Outcome::inconclusive,
            "below the bound, but the limits are unreliable: " + evidence.cell_reason};
  if (evidence.p_pass <= alpha)
    return {Outcome::pass, "the variance is shown to be below the bound"};
  if (evidence.cell_status == CellStatus::not_available)
    return {Outcome::inconclusive, "no limits: " + evidence.cell_reason};
  return {Outcome::inconclusive,
          "the data show neither that the variance is below the bound nor "
          "that it is above"};
}

}  // namespace gammascope
