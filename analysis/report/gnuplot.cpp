// SPDX-License-Identifier: MIT
// Where gnuplot-iostream enters this folder.
#include "analysis/report/gnuplot.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>

#include <gnuplot-iostream.h>
#include <pthread.h>
#include <unistd.h>

#include "analysis/core/errors.hpp"
#include "analysis/report/files.hpp"

namespace gammascope::report {
namespace {

/// The full path of gnuplot: a shell would look in places of its own when PATH is empty.
std::filesystem::path find_gnuplot() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* path = std::getenv("PATH");
  const std::string_view folders = path == nullptr ? "/usr/bin:/bin" : path;
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::filesystem::path file =
        std::filesystem::path(folders.substr(at, end - at)) / "gnuplot";
    std::error_code ignored;
    if (end > at && std::filesystem::is_regular_file(file, ignored) &&
        ::access(file.c_str(), X_OK) == 0)
      return std::filesystem::absolute(file);
    at = end + 1;
  }
  throw Unavailable(
      "gnuplot is not installed (Debian package gnuplot-nox): PNG and SVG were not drawn; the "
      "scripts "
      "(.gp) and their data (.tsv) are written");
}

/// Holds SIGPIPE off from this thread, and swallows one that came meanwhile.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    if (!was_pending_) {
      const timespec now{0, 0};
      while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;
  NoPipeSignal(NoPipeSignal&&) = delete;
  NoPipeSignal& operator=(NoPipeSignal&&) = delete;

 private:
  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + "'";
}

/// Removed on every way out.
struct TemporaryFile {
  std::filesystem::path path;
  explicit TemporaryFile(const std::filesystem::path& folder)
      : path(folder / (".gnuplot." + std::to_string(::getpid()))) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
};

}  // namespace

void write_plot_sources(std::span<const Plot> plots, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw NoInput(folder.string() + ": cannot be made: " + error.message());
  for (const Plot& plot : plots) {
    write_whole(folder / (plot.name + ".tsv"), plot.data);
    write_whole(folder / (plot.name + ".gp"), plot.script);
  }
}

void draw(std::span<const Plot> plots, const std::filesystem::path& folder) {
  write_plot_sources(plots, folder);
  if (plots.empty()) return;
  const std::filesystem::path program = find_gnuplot();
  const TemporaryFile words(folder);
  // -d: the user's own ~/.gnuplot must not change what is drawn.
  const std::string command = "cd " + shell_quoted(folder.string()) + " && exec " +
                              shell_quoted(program.string()) + " -d - >/dev/null 2>" +
                              shell_quoted(words.path.filename().string());
  const NoPipeSignal no_signal;
  std::FILE* pipe = ::popen(command.c_str(), "we");
  if (pipe == nullptr)
    throw NoInput("gnuplot cannot be started: " + std::generic_category().message(errno));
  int status = 0;
  {
    // Gnuplot closes what it is given with fclose, whose status says nothing of the program's end:
    // it gets a second descriptor of the pipe.
    std::FILE* second = ::fdopen(::dup(::fileno(pipe)), "w");
    if (second == nullptr) {
      ::pclose(pipe);
      throw NoInput("gnuplot cannot be started: no descriptor left");
    }
    Gnuplot gnuplot(second);
    for (const Plot& plot : plots) gnuplot << "reset session\nload '" << plot.name << ".gp'\n";
    gnuplot.flush();
  }
  status = ::pclose(pipe);
  bool drawn = status == 0;
  for (const Plot& plot : plots)
    for (const char* kind : {".png", ".svg"}) {
      std::error_code ignored;
      drawn =
          drawn && std::filesystem::file_size(folder / (plot.name + kind), ignored) > 0 && !ignored;
    }
  if (!drawn) throw Unavailable("gnuplot could not draw: " + read_file(words.path));
}

}  // namespace gammascope::report
