// SPDX-License-Identifier: MIT
#include "analysis/io/column_watch.hpp"

#include <algorithm>
#include <utility>

#include "analysis/io/apply_nonfinite.hpp"
#include "analysis/io/line_error.hpp"

namespace gammascope::io {

ColumnWatch::ColumnWatch(std::string student, std::string teacher)
    : columns_{{std::move(student)}, {std::move(teacher)}} {}

void ColumnWatch::look(RolloutRecord& rollout, std::int64_t line) {
  const std::size_t length = std::max({rollout.student_logprob.size(),
                                       rollout.teacher_logprob.size(),
                                       rollout.mask.size(),
                                       rollout.token_id.size()});
  const bool sampled = rollout.mask.empty() ? length > 0 : std::ranges::count(rollout.mask, 1) > 0;
  if (!sampled) return;  // nothing in it could be recorded
  settle(columns_[0], rollout.student_logprob, rollout.mask, line);
  settle(columns_[1], rollout.teacher_logprob, rollout.mask, line);
}

void ColumnWatch::settle(Column& column,
                         std::vector<float>& values,
                         const std::vector<std::uint8_t>& mask,
                         std::int64_t line) {
  bool recorded = false;
  for (std::size_t t = 0; t < values.size() && !recorded; ++t)
    recorded = (mask.empty() || mask[t] != 0) && !is_null(values[t]);
  if (column.state == State::undecided) {
    column.state = recorded ? State::recorded : State::not_recorded;
    column.line = line;
  }
  if (column.state == State::not_recorded) {
    if (recorded)
      throw LineError(column.name,
                      "is recorded here, but not in line " + std::to_string(column.line) +
                          ": a log must have it in every response or in none");
    values.clear();
  } else if (values.empty()) {
    throw LineError(column.name,
                    "is absent here, but recorded in line " + std::to_string(column.line) +
                        ": a log must have it in every response or in none");
  }
}

}  // namespace gammascope::io
