// SPDX-License-Identifier: MIT
#include "analysis/cli/progress.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace gammascope::cli {

Progress::Progress(std::string what, std::string unit, std::int64_t total, bool quiet)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(total),
      shown_(!quiet && isatty(STDERR_FILENO) != 0),
      started_(std::chrono::steady_clock::now()),
      last_(started_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::show() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  const double rate = static_cast<double>(done_) / seconds;
  std::string line = what_ + ": " + std::to_string(done_);
  if (total_ > 0) line += " of " + std::to_string(total_);
  line += " " + unit_ + ", " + std::to_string(static_cast<long long>(rate)) + " a second";
  if (total_ > done_)
    line +=
        ", " + std::to_string(std::llround(static_cast<double>(total_ - done_) / rate)) + " s left";
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
}

}  // namespace gammascope::cli
