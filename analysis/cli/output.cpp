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

/// A result of an earlier run may be replaced; anything else (the log itself, say) only with
/// --force.
bool holds_a_result(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string head(64, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find("\"schema\": \"gammascope.result/") != std::string::npos;
}

}  // namespace

void check_output(const OutputOptions& o, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  if (!o.out.empty()) report::check_folder_free(o.out, o.force);
  if (!o.json_given || o.json.empty() || o.json == "-") return;
  std::error_code ignored;
  if (!o.out.empty() &&
      fs::weakly_canonical(o.json, ignored) == fs::weakly_canonical(o.out, ignored))
    throw UsageError("--json and --out name the same place: " + o.out);
  const fs::path folder = fs::weakly_canonical(fs::path(o.json), ignored).parent_path();
  for (const std::string& input : inputs)
    if (fs::equivalent(o.json, input, ignored) ||
        (fs::is_directory(input, ignored) && fs::equivalent(folder, input, ignored)))
      throw UsageError("--json: " + o.json + " is, or lies in, what is read: " + input);
  if (std::filesystem::is_regular_file(o.json, ignored) &&
      std::filesystem::file_size(o.json, ignored) > 0 && !o.force && !holds_a_result(o.json))
    throw UsageError("--json: " + o.json +
                     " is there and is no result of an earlier run; --force overwrites it");
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
                  const std::string& table) {
  const bool json_to_stdout = o.json_given && (o.json.empty() || o.json == "-");
  if (json_to_stdout)
    print(report::to_json(result));
  else if (o.json_given)
    report::write_whole(o.json, report::to_json(result));
  if (!json_to_stdout && !o.quiet)
    print(table.empty() ? report::result_text(result, report::style_for(STDOUT_FILENO)) : table);
  if (o.out.empty()) return;
  report::FolderOptions folder;
  folder.force = o.force;
  folder.tails = tails;
  report::write_folder(result, o.out, folder);
  if (!json_to_stdout && !o.quiet)
    print("report: " + (std::filesystem::path(o.out) / "report.html").string() + "\n");
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
