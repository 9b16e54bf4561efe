// SPDX-License-Identifier: MIT
// What is wrong with one line, before anyone knows which file and line it was. Private to io.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "analysis/core/errors.hpp"

namespace gammascope::io {

/// The reader adds file and line, and either stops or counts (--on-error).
struct LineError : std::runtime_error {
  LineError(std::string field_, std::string rule_)
      : std::runtime_error(field_ + ": " + rule_),
        field(std::move(field_)),
        rule(std::move(rule_)) {}
  std::string field, rule;
};

/// No fault of the line, so --on-error has no say in it.
[[nodiscard]] inline Error out_of_memory(const std::string& file, std::int64_t line) {
  return {ExitStatus::internal, DataError{file, line, "", "out of memory"}.message()};
}

}  // namespace gammascope::io
