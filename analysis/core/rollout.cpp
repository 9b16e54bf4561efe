// SPDX-License-Identifier: MIT
#include "analysis/core/rollout.hpp"

namespace gammascope {

void RolloutRecord::clear() {
  for (auto* column : {&student_logprob,
                       &teacher_logprob,
                       &rollout_logprob,
                       &ref_logprob,
                       &entropy,
                       &prefix_kl,
                       &score_sketch})
    column->clear();
  mask.clear();
  turn.clear();
  token_id.clear();
  advantage.clear();
  for (auto* field : {&topk,
                      &run,
                      &teacher,
                      &domain,
                      &teacher_version,
                      &text,
                      &logprobs_kind,
                      &estimator,
                      &weight_version_sampled,
                      &weight_version_scored,
                      &file})
    field->clear();
  prompt_id.reset();
  step.reset();
  sample_id.reset();
  top_k.reset();
  reward.reset();
  temperature.reset();
  top_p.reset();
  finish = FinishReason::unknown;
  line = 0;
  prompt_hash = 0;
  masked_bad = 0;
  clipped = 0;
}

}  // namespace gammascope
