// SPDX-License-Identifier: MIT
// From a name to a reader or a writer, and several logs as one.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <unistd.h>

#include "analysis/io/apply_nonfinite.hpp"
#include "analysis/io/byte_source.hpp"
#include "analysis/io/jsonl_reader.hpp"
#include "analysis/io/jsonl_writer.hpp"
#include "analysis/io/log_header.hpp"
#include "analysis/io/log_reader.hpp"
#include "analysis/io/log_writer.hpp"
#include "analysis/io/store_reader.hpp"
#include "analysis/io/whole_store.hpp"

namespace gammascope::io {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code none;
  return path != "-" && fs::is_directory(path, none);
}

void add(std::map<std::string, std::int64_t>& to, const std::map<std::string, std::int64_t>& from) {
  for (const auto& [name, count] : from) to[name] += count;
}

/// Adds what one log said to what all say.
void add(ReadReport& to, const ReadReport& from) {
  to.files.insert(to.files.end(), from.files.begin(), from.files.end());
  if (to.dialect.empty())
    to.dialect = from.dialect;
  else if (to.dialect.find(from.dialect) == std::string::npos)
    to.dialect += ", " + from.dialect;
  if (to.bad_lines == 0) to.first_bad = from.first_bad;
  to.rollouts += from.rollouts;
  to.bad_lines += from.bad_lines;
  to.cut_last_line += from.cut_last_line;
  to.empty_rollouts += from.empty_rollouts;
  to.dropped_rollouts += from.dropped_rollouts;
  to.masked_tokens += from.masked_tokens;
  to.clipped_tokens += from.clipped_tokens;
  to.unfinished_stores += from.unfinished_stores;
  add(to.nonfinite, from.nonfinite);
  add(to.unknown_fields, from.unknown_fields);
  add(to.odd_numbers, from.odd_numbers);
}

class SeveralLogs final : public LogReader {
 public:
  SeveralLogs(const std::vector<std::string>& paths, const ReadOptions& options)
      : paths_(paths), options_(options), current_(open_log(paths.front(), options)) {}

  bool next(RolloutRecord& rollout) override {
    while (current_) {
      const bool got = current_->next(rollout);
      if (!judged_) judge_header();
      if (got) return true;
      add(finished_, current_->report());
      current_.reset();
      if (++at_ < paths_.size()) {
        current_ = open_log(paths_[at_], options_);
        judged_ = false;
      }
    }
    return false;
  }

  [[nodiscard]] const LogHeader& header() const override { return header_; }
  [[nodiscard]] const ReadReport& report() const override {
    report_ = finished_;
    if (current_) add(report_, current_->report());
    return report_;
  }

 private:
  void judge_header() {
    judged_ = true;
    const LogHeader& header = current_->header();
    if (!header.present) return;
    if (!header_.present) {
      header_ = header;
      header_path_ = paths_[at_];
    } else if (const std::string what = disagreement(header_, header); !what.empty()) {
      throw BadData(
          {paths_[at_], 0, "header", "says otherwise than that of " + header_path_ + ": " + what});
    }
  }

  std::vector<std::string> paths_;
  ReadOptions options_;
  std::unique_ptr<LogReader> current_;
  std::size_t at_ = 0;
  std::string header_path_;
  LogHeader header_;
  ReadReport finished_;        // of the logs that are at their end
  mutable ReadReport report_;  // with the one in hand
  bool judged_ = false;
};

bool has_jsonl_name(const std::string& path) {
  for (const char* kind : {".jsonl", ".json", ".ndjson"})
    for (const char* packing : {"", ".gz", ".zst"})
      if (path.ends_with(std::string(kind) + packing)) return true;
  return false;
}

}  // namespace

std::unique_ptr<LogReader> open_log(const std::string& path, const ReadOptions& options) {
  if (is_folder(path)) return open_store(path, options);
  return open_jsonl(open_bytes(path, options.standard_input), path, options);
}

std::unique_ptr<LogReader> open_logs(const std::vector<std::string>& paths,
                                     const ReadOptions& options) {
  if (paths.empty()) throw UsageError("no log given");
  if (paths.size() == 1) return open_log(paths.front(), options);
  // A name that is mistyped should be said before an hour of reading, not after it.
  for (const std::string& path : paths)
    if (path != "-" && ::access(path.c_str(), R_OK) != 0)
      throw NoInput(path + ": cannot be opened: " + std::strerror(errno));
  return std::make_unique<SeveralLogs>(paths, options);
}

std::unique_ptr<LogWriter> open_writer(const std::string& path,
                                       const LogHeader& header,
                                       const WriteOptions& options) {
  std::error_code none;
  const bool is_file = fs::exists(path, none) && !is_folder(path);
  if (path == "-" || is_file || has_jsonl_name(path))
    return std::make_unique<JsonlWriter>(path, header, options);
  return open_whole_store(path, header, options.overwrite);
}

}  // namespace gammascope::io
