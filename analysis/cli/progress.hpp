// SPDX-License-Identifier: MIT
// Progress on standard error: what, how many, rate and time left; only on a terminal, at most five
// times a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace gammascope::cli {

class Progress {
 public:
  /// @param total units in all; 0: unknown, no time left is shown  @param quiet never show anything
  Progress(std::string what, std::string unit, std::int64_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One unit done. Cost: a clock look every 256th call.
  void step() {
    if (++done_; shown_ && (done_ & 0xff) == 0) show();
  }

 private:
  void show();
  std::string what_, unit_;
  std::int64_t total_, done_ = 0;
  bool shown_, drawn_ = false;
  std::chrono::steady_clock::time_point started_, last_;
};

}  // namespace gammascope::cli
