// SPDX-License-Identifier: MIT
// What every reader does with a response before it hands it out, the same for JSONL and store.
// Private to io.
#pragma once

#include <cstdint>

#include "analysis/core/rollout.hpp"
#include "analysis/io/column_watch.hpp"
#include "analysis/io/log_reader.hpp"

namespace gammascope::io {

/// Columns settled, prompt_hash set where it is 0, --nonfinite applied, counted in `report`. False
/// if the response is dropped.
/// @throws LineError
bool finish_rollout(RolloutRecord& rollout,
                    ColumnWatch& watch,
                    std::int64_t line,
                    const NonFinitePolicy& policy,
                    ReadReport& report);

}  // namespace gammascope::io
