// SPDX-License-Identifier: MIT
#include "analysis/report/folder.hpp"

#include <cerrno>
#include <cstdio>
#include <functional>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "analysis/core/errors.hpp"
#include "analysis/core/interrupt.hpp"
#include "analysis/report/files.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/html.hpp"
#include "analysis/report/plot.hpp"
#include "analysis/report/result_json.hpp"

namespace gammascope::report {
namespace {

namespace fs = std::filesystem;

/// DIR without a slash at its end: "out/" and "out" are one folder, and its neighbours stand beside
/// it.
fs::path trimmed(const fs::path& folder) {
  fs::path path = folder.lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (path.empty() || path == "." || path == "/" || path.filename() == "..")
    throw UsageError("--out " + folder.string() + ": name a folder of its own");
  return path;
}

fs::path beside(const fs::path& folder) {
  return folder.string() + ".tmp." + std::to_string(::getpid());
}

/// The half-written folder; goes away unless it was put in place.
class Workplace {
 public:
  explicit Workplace(fs::path path) : path_(std::move(path)) {
    std::error_code error;
    fs::remove_all(path_, error);
    if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), error);
    if (error || !fs::create_directory(path_, error))
      throw NoInput(path_.string() + ": cannot be made" + (error ? ": " + error.message() : ""));
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  Workplace(Workplace&&) = delete;
  Workplace& operator=(Workplace&&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void sync_file(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool good = file >= 0 && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!good)
    throw NoInput(path.string() + ": cannot be flushed: " + std::generic_category().message(error));
}

/// Puts `from` where `to` is or will be, in one step that nobody can see half done.
void put_in_place(const fs::path& from, const fs::path& to, bool force) {
  const auto rename = [&](unsigned flags) {
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0;
  };
  std::error_code ignored;
  const bool replaces = force && fs::exists(to, ignored) && !fs::is_empty(to, ignored);
  // Exchange: what was there is now in the workplace and goes with it. An empty folder may be
  // replaced.
  if (replaces ? rename(RENAME_EXCHANGE) : rename(0)) return;
  const int error = errno;
  if (error == ENOTEMPTY || error == EEXIST)
    throw UsageError("--out " + to.string() +
                     ": something was put there meanwhile; nothing was overwritten");
  throw NoInput(to.string() +
                ": cannot be put in place: " + std::generic_category().message(error));
}

/// The first thing in the folder of an earlier run that no run writes; empty: none.
std::string foreign_in(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::string name = entry.path().filename().string();
    const bool is_folder = fs::is_directory(entry.symlink_status());
    if (!is_folder && (name == "result.json" || name == "config.toml" || name == "report.html"))
      continue;
    if (!is_folder || name != "plots") return name;
    for (const auto& plot : fs::directory_iterator(entry.path())) {
      const std::string kind = plot.path().extension().string();
      if (fs::is_directory(plot.symlink_status()) ||
          (kind != ".png" && kind != ".svg" && kind != ".tsv" && kind != ".gp"))
        return name + "/" + plot.path().filename().string();
    }
  }
  return {};
}

/// The present folder as seen from `folder`, which need not be there yet: names in config.toml are
/// found again from wherever it is read, and still when all is moved together.
std::string present_from(const fs::path& folder) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path there = error ? fs::path() : fs::weakly_canonical(here / folder, error);
  return error ? std::string() : here.lexically_relative(there).string();
}

/// result.json and config.toml in a workplace, then what `add` puts beside them; then all at once
/// under its name.
void make_folder(const fs::path& folder,
                 bool force,
                 const std::string& json,
                 Config config,
                 const std::function<void(const fs::path&)>& add) {
  check_folder_free(folder, force);
  const fs::path path = trimmed(folder);
  const Workplace work(beside(path));
  stop_if_interrupted();
  write_new(work.path() / "result.json", json);
  config.folder = present_from(path);
  write_new(work.path() / "config.toml", to_toml(config));
  add(work.path());
  sync_folder(work.path());
  stop_if_interrupted();
  put_in_place(work.path(), path, force);
  sync_folder(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

/// plots/ and report.html. @return what is missing, when gnuplot is
std::optional<Unavailable> add_page(const Result& result,
                                    const Tails* tails,
                                    const fs::path& work) {
  const std::vector<Plot> plots = plots_of(result, tails);
  std::optional<Unavailable> missing;
  if (!plots.empty()) {
    try {
      draw(plots, work / "plots");
    } catch (const Unavailable& error) {
      missing = error;
    }
  }
  stop_if_interrupted();

  std::vector<Drawing> drawings;
  for (const Plot& plot : plots) {
    Drawing drawing{plot.name, plot.title, plot.caption, {}};
    if (!missing) {
      drawing.svg = read_file(work / "plots" / (plot.name + ".svg"));
      sync_file(work / "plots" / (plot.name + ".svg"));
      sync_file(work / "plots" / (plot.name + ".png"));
    }
    drawings.push_back(std::move(drawing));
  }
  write_new(
      work / "report.html",
      to_html(result, drawings, missing ? std::string_view(missing->what()) : std::string_view()));
  if (!plots.empty()) sync_folder(work / "plots");
  return missing;
}

}  // namespace

void check_folder_free(const fs::path& folder, bool force) {
  const fs::path path = trimmed(folder);
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status)) return;
  const std::string start = "--out " + path.string() + ": ";
  if (!fs::is_directory(status)) throw UsageError(start + "is there and is no folder");
  if (fs::is_empty(path, error) && !error) return;
  if (!fs::exists(path / "result.json", error))
    throw UsageError(
        start + "is there and holds no result.json, so it is not replaced; choose another name");
  if (!force) throw UsageError(start + "is there already; --force replaces it");
  try {
    if (const std::string name = foreign_in(path); !name.empty())
      throw UsageError(start + "holds " + name +
                       ", which no run writes, so it is not replaced; choose another name");
  } catch (const fs::filesystem_error& failed) {
    throw NoInput(path.string() + ": cannot be read: " + failed.code().message());
  }
}

void write_folder(const Result& result, const fs::path& folder, const FolderOptions& options) {
  std::optional<Unavailable> missing;
  make_folder(folder,
              options.force,
              to_json(result),
              options.config != nullptr ? *options.config : config_of(result),
              [&](const fs::path& work) { missing = add_page(result, options.tails, work); });
  if (missing) throw Unavailable(*missing);
}

void write_bare_folder(const std::string& json,
                       const Config& config,
                       const fs::path& folder,
                       bool force) {
  make_folder(folder, force, json, config, [](const fs::path&) {});
}

}  // namespace gammascope::report
