// SPDX-License-Identifier: MIT
#include "analysis/io/column_states.hpp"

#include <cmath>
#include <vector>

namespace gammascope::io {
namespace {

void see(ColumnStats& stats, double value) {
  if (stats.values++ == 0)
    stats.first = value;
  else if (value != stats.first)
    stats.differs = true;
}

template <class T>
void see_column(ColumnStats& stats, const std::vector<T>& column, const RolloutRecord& rollout) {
  if (column.empty()) return;
  ++stats.rollouts;
  for (std::size_t t = 0; t < column.size(); ++t) {
    if (!rollout.mask.empty() && rollout.mask[t] == 0) continue;
    const auto value = static_cast<double>(column[t]);
    if (!std::isnan(value)) see(stats, value);
  }
}

void see_text(ColumnStats& stats, bool there) {
  stats.rollouts += there ? 1 : 0;
  stats.values += there ? 1 : 0;
  stats.differs |= there;  // whether texts are all alike is nobody's question
}

template <class T>
void see_scalar(ColumnStats& stats, const std::optional<T>& value) {
  if (!value) return;
  ++stats.rollouts;
  see(stats, static_cast<double>(*value));
}

}  // namespace

void ColumnStates::add(const RolloutRecord& r) {
  const auto at = [&](Column column) -> ColumnStats& {
    return stats_[static_cast<std::size_t>(column)];
  };
  ++rollouts_;
  see_column(at(Column::student_logprob), r.student_logprob, r);
  see_column(at(Column::teacher_logprob), r.teacher_logprob, r);
  see_column(at(Column::rollout_logprob), r.rollout_logprob, r);
  see_column(at(Column::ref_logprob), r.ref_logprob, r);
  see_column(at(Column::entropy), r.entropy, r);
  see_column(at(Column::prefix_kl), r.prefix_kl, r);
  see_column(at(Column::advantage), r.advantage, r);
  see_column(at(Column::token_id), r.token_id, r);
  see_column(at(Column::turn), r.turn, r);
  // Two columns that are no number a sampled token: the mask counts every token, the sketch every
  // number.
  RolloutRecord whole;
  see_column(at(Column::mask), r.mask, whole);
  see_column(at(Column::score_sketch), r.score_sketch, whole);
  see_text(at(Column::topk), !r.topk.empty());
  see_text(at(Column::prompt_id), r.prompt_id.has_value());
  see_scalar(at(Column::sample_id), r.sample_id);
  see_scalar(at(Column::step), r.step);
  see_scalar(at(Column::reward), r.reward);
  see_text(at(Column::finish_reason), r.finish != FinishReason::unknown);
  see_text(at(Column::weight_version),
           !r.weight_version_sampled.empty() || !r.weight_version_scored.empty());
}

ColumnStats ColumnStates::operator[](Column column) const {
  ColumnStats stats = stats_[static_cast<std::size_t>(column)];
  if (stats.values > 0)
    stats.state =
        stats.differs || stats.values == 1 ? ColumnState::recorded : ColumnState::constant;
  return stats;
}

}  // namespace gammascope::io
