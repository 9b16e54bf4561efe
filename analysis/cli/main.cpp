// SPDX-License-Identifier: MIT
// The program `gammascope`: signals and the command line; everything else is in verbs.cpp and
// cmd_<verb>.cpp.
#include <csignal>
#include <string>
#include <vector>

#include "analysis/cli/verb.hpp"
#include "analysis/core/interrupt.hpp"

namespace {

/// First ctrl-C: stop at the next safe point. Second: at once.
extern "C" void on_interrupt(int signal) {
  gammascope::interrupt_flag().store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGPIPE,
              SIG_IGN);  // a closed pipe is an error of the write, not the end of the program
  return gammascope::cli::run_command(std::vector<std::string>(argv + 1, argv + argc));
}
