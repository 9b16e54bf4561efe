// SPDX-License-Identifier: MIT
// Ctrl-C and its like as a flag that long loops ask at safe points; the handler itself is installed
// by the programs.
#pragma once

#include <atomic>

#include "analysis/core/errors.hpp"

namespace gammascope {

/// Set by the signal handler; lock-free, so setting it is async-signal-safe.
[[nodiscard]] inline std::atomic<bool>& interrupt_flag() noexcept {
  static std::atomic<bool> flag{false};
  return flag;
}

/// Which signal it was; 0: none. The programs exit with 128 + its number.
[[nodiscard]] inline std::atomic<int>& interrupt_signal() noexcept {
  static std::atomic<int> signal{0};
  return signal;
}

/// @throws Interrupted if ctrl-C was pressed
inline void stop_if_interrupted() {
  if (interrupt_flag().load(std::memory_order_relaxed)) throw Interrupted();
}

}  // namespace gammascope
