// SPDX-License-Identifier: MIT
// A state on disk: gammascope.state/1, a .safetensors file (docs/formats.md, "State"). Equal states
// give equal bytes. Tests: tests/analysis/measure/test_state_file.cpp
#pragma once

#include <string>

#include "analysis/measure/state.hpp"

namespace gammascope::measure {

/// Writes `path` whole or not at all: beside, flushed to disk, renamed. Cost: a state of memory
/// more.
/// @throws UsageError if the file is there and overwrite is false, NoInput if it cannot be written
void write_state(const State& state, const std::string& path, bool overwrite);

/// @throws NoInput if it cannot be read; BadData naming the file and what is wrong: no state file,
///   another version, cut, damaged (it carries a hash of all of itself)
[[nodiscard]] State read_state(const std::string& path);

/// The file says that it is a state, of whatever version; false for all else, also for what is not
/// there.
[[nodiscard]] bool is_state_file(const std::string& path);

}  // namespace gammascope::measure
