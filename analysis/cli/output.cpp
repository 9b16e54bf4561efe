// SPDX-License-Identifier: MIT
#include "analysis/cli/output.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include "analysis/report/files.hpp"
#include "analysis/report/folder.hpp"
#include "analysis/report/result_json.hpp"
#include "analysis/report/text_report.hpp"

namespace gammascope::cli {

namespace {

namespace fs = std::filesystem;

/// The place itself, whether or not something is there yet.
fs::path place_of(const std::string& name) {
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(name, ignored), ignored);
}

/// One place under two names is one place; a device is none.
bool same(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return fs::is_regular_file(a) || fs::is_directory(a);
  return place_of(a) == place_of(b) && !fs::exists(a, error);
}

/// `file` is `place`, or lies in the folder `place`.
bool touches(const std::string& file, const std::string& place) {
  return same(file, place) || same(place_of(file).parent_path().string(), place);
}

bool holds(const std::string& file, const std::string& mark) {
  std::ifstream in(file, std::ios::binary);
  std::string head(256, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return !mark.empty() && head.find(mark) != std::string::npos;
}

void refuse(const std::string& option, const std::string& name, const std::string& other) {
  throw UsageError(option + ": " + name +
                   " is, or lies in, what this run reads or writes: " + other);
}

}  // namespace

void check_json(const OutputOptions& o,
                const std::vector<std::string>& inputs,
                const std::string& log) {
  if (o.json_to_stdout() && log == "-")
    throw UsageError("--json: standard output is taken by the log (-o -); give a file");
  if (!o.json_to_file()) return;
  for (const std::string& input : inputs)
    if (input != "-" && touches(o.json, input)) refuse("--json", o.json, input);
  if (!log.empty() && log != "-" && touches(o.json, log)) refuse("--json", o.json, log);
  std::error_code ignored;
  const bool earlier = report::names_schema(o.json, "gammascope.result") ||
                       report::names_schema(o.json, "gammascope.proofs");
  if (fs::is_regular_file(o.json, ignored) && fs::file_size(o.json, ignored) > 0 && !o.force &&
      !earlier)
    throw UsageError("--json: " + o.json +
                     " is there and is no result of an earlier run; --force overwrites it");
}

void check_file(const std::string& option,
                const std::string& file,
                const std::vector<std::string>& others,
                const std::string& mark,
                bool force) {
  for (const std::string& other : others)
    if (!other.empty() && other != "-" && touches(file, other)) refuse(option, file, other);
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) > 0 && !force &&
      !holds(file, mark))
    throw UsageError(option + ": " + file +
                     " is there and is no result of an earlier run; --force overwrites it");
}

void check_output(const OutputOptions& o,
                  const std::vector<std::string>& inputs,
                  const std::string& log) {
  if (!o.out.empty()) report::check_folder_free(o.out, o.force);
  if (!log.empty() && log != "-") {
    for (const std::string& input : inputs)
      if (input != "-" && touches(log, input)) refuse("-o", log, input);
    if (!o.out.empty() && touches(log, o.out)) refuse("--out", o.out, log);
  }
  check_json(o, inputs, log);
  if (!o.out.empty() && o.json_to_file() && same(o.json, o.out))
    throw UsageError("--json and --out name the same place: " + o.out);
}

void write_json(const std::string& document, const OutputOptions& o) {
  if (o.json_to_stdout())
    print(document);
  else if (o.json_to_file())
    report::write_whole(o.json, document);
}

void print(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t put = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (put > 0) done += static_cast<std::size_t>(put);
    if (put >= 0 || errno == EINTR) continue;
    if (errno == EPIPE) return;
    throw NoInput(std::string("standard output cannot be written: ") + std::strerror(errno));
  }
}

void write_output(const report::Result& result,
                  const OutputOptions& o,
                  const report::Tails* tails,
                  const std::string& table,
                  const std::optional<report::Config>& config) {
  if (o.json_given) write_json(report::to_json(result), o);
  if (!o.json_to_stdout() && !o.quiet)
    print(table.empty() ? report::result_text(result, report::style_for(STDOUT_FILENO)) : table);
  if (o.out.empty()) return;
  report::FolderOptions folder;
  folder.force = o.force;
  folder.tails = tails;
  folder.config = config ? &*config : nullptr;
  report::write_folder(result, o.out, folder);
  if (!o.json_to_stdout() && !o.quiet)
    print("report: " + (fs::path(o.out) / "report.html").string() + "\n");
}

ExitStatus status_of(const report::Result& result, bool accept_no_evidence) {
  ExitStatus status = ExitStatus::ok;
  for (const Verdict& v : result.verdicts) {
    if (v.outcome == Outcome::fail) return ExitStatus::failed;
    if (v.outcome != Outcome::pass && !accept_no_evidence) status = ExitStatus::no_evidence;
  }
  return status;
}

}  // namespace gammascope::cli
