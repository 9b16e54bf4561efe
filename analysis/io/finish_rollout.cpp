// SPDX-License-Identifier: MIT
#include "analysis/io/finish_rollout.hpp"

#include <algorithm>

#include "analysis/io/apply_nonfinite.hpp"
#include "analysis/io/prompt_hash.hpp"

namespace gammascope::io {

bool finish_rollout(RolloutRecord& rollout,
                    ColumnWatch& watch,
                    std::int64_t line,
                    const NonFinitePolicy& policy,
                    ReadReport& report) {
  watch.look(rollout, line);
  // Before bad numbers are touched: the cluster of a response is not a matter of the policy.
  if (rollout.prompt_id || rollout.prompt_hash == 0) rollout.prompt_hash = prompt_hash(rollout);
  const std::int64_t masked = rollout.masked_bad, clipped = rollout.clipped;
  if (apply_nonfinite(policy, rollout, report.nonfinite, watch.student(), watch.teacher()) ==
      Treated::dropped) {
    ++report.dropped_rollouts;
    return false;
  }
  report.masked_tokens += rollout.masked_bad - masked;
  report.clipped_tokens += rollout.clipped - clipped;
  ++report.rollouts;
  const std::size_t length = std::max({rollout.student_logprob.size(),
                                       rollout.teacher_logprob.size(),
                                       rollout.mask.size(),
                                       rollout.token_id.size()});
  if (length == 0 || (!rollout.mask.empty() && std::ranges::count(rollout.mask, 1) == 0))
    ++report.empty_rollouts;
  return true;
}

}  // namespace gammascope::io
