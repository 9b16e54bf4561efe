// SPDX-License-Identifier: MIT
// What is wrong with one line, before anyone knows which file and line it was. Private to io.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace gammascope::io {

/// The reader adds file and line, and either stops or counts (--on-error).
struct LineError : std::runtime_error {
  LineError(std::string field_, std::string rule_)
      : std::runtime_error(field_ + ": " + rule_),
        field(std::move(field_)),
        rule(std::move(rule_)) {}
  std::string field, rule;
};

}  // namespace gammascope::io
