// SPDX-License-Identifier: MIT
// One log read by several threads into mergeable states. Because the states are exact, how rows
// fall on threads does not show. Tests: tests/analysis/measure/test_sweep_bytes.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "analysis/core/interrupt.hpp"
#include "analysis/core/rollout.hpp"

namespace gammascope::measure {

/// Reads `source` to its end (it returns false), one thread at a time, in batches; every thread
/// adds its rows to its own copy of `empty`, and the copies are merged. threads = 0: as many as the
/// machine has. The error of the first bad row in the order of the source is the one thrown,
/// whatever the threads. Memory: threads * (a state + 16 rows or 64 Ki tokens, at least one row).
/// @throws what source and State::add throw; Interrupted
template <class State>
[[nodiscard]] State consume(const std::function<bool(RolloutRecord&)>& source,
                            unsigned threads,
                            const State& empty) {
  constexpr std::size_t batch_rows = 16, batch_tokens = std::size_t{1} << 16;
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());

  std::mutex mutex;
  bool done = false;
  std::int64_t next_row = 0;
  std::int64_t bad_row = std::numeric_limits<std::int64_t>::max();
  std::exception_ptr error;
  const auto fail = [&](std::int64_t row) {  // with the mutex held
    done = true;
    if (row < bad_row) {
      bad_row = row;
      error = std::current_exception();
    }
  };

  const auto work = [&](State& state) {
    std::vector<RolloutRecord> batch(batch_rows);
    for (;;) {
      std::int64_t first = 0;
      std::size_t rows = 0;
      {
        const std::lock_guard lock(mutex);
        first = next_row;
        try {
          for (std::size_t tokens = 0; !done && rows < batch_rows && tokens < batch_tokens;) {
            stop_if_interrupted();
            if (!source(batch[rows])) {
              done = true;
              break;
            }
            tokens += batch[rows].student_logprob.size();
            ++rows;
          }
        } catch (...) {
          fail(first + static_cast<std::int64_t>(rows));
        }
        next_row += static_cast<std::int64_t>(rows);
      }
      if (rows == 0) return;
      // Every batch in hand is finished after an error too: an earlier row may be bad.
      for (std::size_t i = 0; i < rows; ++i) try {
          state.add(batch[i]);
        } catch (...) {
          const std::lock_guard lock(mutex);
          fail(first + static_cast<std::int64_t>(i));
          return;
        }
    }
  };

  std::vector<State> states(threads, empty);
  {
    std::vector<std::jthread> pool;
    for (unsigned i = 1; i < threads; ++i) pool.emplace_back([&, i] { work(states[i]); });
    work(states[0]);
  }
  if (error) std::rethrow_exception(error);
  for (unsigned i = 1; i < threads; ++i) states[0].merge(states[i]);
  return std::move(states[0]);
}

}  // namespace gammascope::measure
