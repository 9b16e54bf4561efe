// SPDX-License-Identifier: MIT
// What states keep inside, for the file of a state alone.
#pragma once

#include "analysis/measure/grouped_state.hpp"
#include "analysis/measure/survey.hpp"
#include "analysis/measure/sweep.hpp"

namespace gammascope::measure {

struct StateFields {
  static auto& bits(auto& groups) { return groups.bits_; }
  static auto& blocks(auto& groups_or_prompts) { return groups_or_prompts.blocks_; }
  static auto& overflowed(auto& prompts) { return prompts.overflowed_; }

  static auto& counts(auto& sweep) { return sweep.counts_; }
  static auto& groups(auto& sweep) { return sweep.groups_; }
  static auto& prompts(auto& sweep) { return sweep.prompts_; }
  static auto& powers(auto& sweep) { return sweep.powers_; }
  static auto& largest_weights(auto& sweep) { return sweep.largest_weights_; }
  static auto& fewest_borders(auto& sweep) { return sweep.fewest_borders_; }

  static auto& lengths(auto& survey) { return survey.lengths_; }
  static auto& hashes(auto& survey) { return survey.prompts_; }
  static auto& delta(auto& survey) { return survey.delta_; }
  /// Name and place of every count of a survey.
  template <class Survey, class Use>
  static void each_count(Survey& s, Use&& use) {
    use("rollouts", s.rollouts_);
    use("tokens", s.tokens_);
    use("empty", s.empty_);
    use("cut", s.cut_);
    use("ended", s.ended_);
    use("damaged", s.damaged_);
    use("interior_masks", s.interior_masks_);
    use("without_prompt_id", s.without_prompt_id_);
    use("without_turn", s.without_turn_);
    use("out_of_range", s.out_of_range_);
  }
  template <class Counts, class Use>
  static void each_sweep_count(Counts& c, Use&& use) {
    use("rollouts", c.rollouts);
    use("tokens", c.tokens);
    use("empty", c.empty);
    use("cut", c.cut);
    use("dropped", c.dropped);
    use("end_unknown", c.end_unknown);
    use("damaged", c.damaged);
    use("left_out", c.left_out);
    use("without_prompt_id", c.without_prompt_id);
    use("longest", c.longest);
  }
};

}  // namespace gammascope::measure
