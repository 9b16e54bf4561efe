// SPDX-License-Identifier: MIT
// One log dialect of JSON lines: how to recognise it and how to read one line. A new one is one
// file that defines its Dialect and one line in registry.cpp. Private to io.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "analysis/core/rollout.hpp"
#include "analysis/io/line_reader.hpp"
#include "analysis/io/log_reader.hpp"

namespace gammascope::io {

/// Reads lines of one log, one after the other.
class LineParser {
 public:
  enum class Got { rollout, header };

  virtual ~LineParser() = default;
  LineParser(const LineParser&) = delete;
  LineParser& operator=(const LineParser&) = delete;

  /// Reads one line that is not blank. Fills `rollout` (cleared before) or `header`; numbers are in
  /// nats and in the token frame; bad numbers stay as they are spelled (apply_nonfinite.hpp). The
  /// line may be changed. Unknown fields and odd numbers of columns that no result needs are
  /// counted in `report`.
  /// @throws LineError
  virtual Got parse(Line& line, RolloutRecord& rollout, LogHeader& header, ReadReport& report) = 0;

 protected:
  LineParser() = default;
};

struct Dialect {
  std::string_view name;                            ///< as in --from
  std::string_view label;                           ///< as in reports: "canonical v1"
  std::string_view student_column, teacher_column;  ///< as spelled in this dialect, for messages
  /// How sure it is, from the first 64 KiB: 0 no, 1 a marker of this format was seen.
  double (*recognise)(std::string_view head);
  std::unique_ptr<LineParser> (*parser)();
};

[[nodiscard]] std::span<const Dialect> dialects() noexcept;

}  // namespace gammascope::io
