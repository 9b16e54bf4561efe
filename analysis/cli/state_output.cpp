// SPDX-License-Identifier: MIT
#include "analysis/cli/state_output.hpp"

#include <filesystem>

#include "analysis/core/errors.hpp"
#include "analysis/measure/state_file.hpp"

namespace gammascope::cli {

void check_state_output(const std::string& state, bool force) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (state == "-") throw UsageError("--state: a state is a file, not standard output");
  if (fs::is_directory(state, ignored)) throw UsageError("--state: " + state + " is a folder");
  if (fs::is_regular_file(state, ignored) && fs::file_size(state, ignored) > 0 && !force &&
      !measure::is_state_file(state))
    throw UsageError("--state: " + state +
                     " is there and is no state of an earlier run; --force overwrites it");
}

}  // namespace gammascope::cli
