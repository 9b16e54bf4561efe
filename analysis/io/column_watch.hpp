// SPDX-License-Identifier: MIT
// Whether student_logprobs and teacher_logprobs are recorded, which a log must say the same way in
// every response (case N38). Private to io. Tests: tests/analysis/io/test_columns.cpp
#pragma once

#include <cstdint>
#include <string>

#include "analysis/core/rollout.hpp"

namespace gammascope::io {

/// Fed with the responses of one log in order. A column is not recorded where it is absent or null
/// at every sampled token; the first response with a sampled token decides for the log. Later:
/// - not recorded as before: the column is made empty;
/// - recorded before, null now: damage, which --nonfinite judges;
/// - recorded before and absent now, or the other way round: a LineError.
class ColumnWatch {
 public:
  /// The names of the two columns, as spelled in the log.
  ColumnWatch(std::string student, std::string teacher);
  /// @throws LineError as above
  void look(RolloutRecord& rollout, std::int64_t line);

  [[nodiscard]] const std::string& student() const noexcept { return columns_[0].name; }
  [[nodiscard]] const std::string& teacher() const noexcept { return columns_[1].name; }

 private:
  enum class State : std::uint8_t { undecided, recorded, not_recorded };
  struct Column {
    std::string name;
    State state = State::undecided;
    std::int64_t line = 0;  // where it was decided
  };
  static void settle(Column& column,
                     std::vector<float>& values,
                     const std::vector<std::uint8_t>& mask,
                     std::int64_t line);
  Column columns_[2];
};

}  // namespace gammascope::io
