// SPDX-License-Identifier: MIT
// The program `gammascope`: signals and the command line; everything else is in verbs.cpp and
// cmd_<verb>.cpp.
#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "analysis/cli/verb.hpp"
#include "analysis/core/interrupt.hpp"

namespace {

/// First ctrl-C: stop at the next safe point. Second: at once.
extern "C" void on_interrupt(int signal) {
  gammascope::interrupt_signal().store(signal, std::memory_order_relaxed);
  gammascope::interrupt_flag().store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

/// A standard descriptor that is closed would be given to the next file that is opened, and what
/// is meant for the terminal would go into it.
void open_standard_descriptors() {
  for (int expected = 0; expected <= STDERR_FILENO; ++expected)
    if (::fcntl(expected, F_GETFD) < 0 && errno == EBADF) (void)::open("/dev/null", O_RDWR);
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_descriptors();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // What a parent ignores, as nohup does, stays ignored.
    if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  // A closed pipe and a file at its size limit are errors of the write, not the end of the program.
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  return gammascope::cli::run_command(std::vector<std::string>(argv + 1, argv + argc));
}
