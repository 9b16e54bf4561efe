// SPDX-License-Identifier: MIT
#include "analysis/io/jsonl_reader.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "analysis/core/interrupt.hpp"
#include "analysis/io/column_watch.hpp"
#include "analysis/io/dialects/dialect.hpp"
#include "analysis/io/finish_rollout.hpp"
#include "analysis/io/json_scan.hpp"
#include "analysis/io/line_error.hpp"
#include "analysis/io/line_reader.hpp"
#include "analysis/io/log_header.hpp"

namespace gammascope::io {
namespace {

bool is_blank(std::string_view text) { return skip_spaces(text, 0) == text.size(); }

const Dialect& find_dialect(std::string_view head,
                            const std::string& path,
                            const std::string& name) {
  const auto all = dialects();
  std::string known;
  for (const Dialect& dialect : all) known.append(known.empty() ? "" : " | ").append(dialect.name);
  if (!name.empty()) {
    const auto found = std::ranges::find(all, name, &Dialect::name);
    if (found == all.end()) throw UsageError("--from " + name + ": must be " + known);
    return *found;
  }
  const Dialect* best = nullptr;
  double sure = 0;
  for (const Dialect& dialect : all)
    if (const double how = dialect.recognise(head); how > sure) {
      best = &dialect;
      sure = how;
    }
  if (best == nullptr)
    throw BadData({path,
                   0,
                   "",
                   "not a log of a known kind: its first 64 KiB hold no JSON object with "
                   "student_logprobs or teacher_logprobs, and no header (kinds: " +
                       known + ")"});
  return *best;
}

class JsonlReader final : public LogReader {
 public:
  JsonlReader(std::unique_ptr<LineReader> lines,
              const Dialect& dialect,
              const std::string& path,
              const ReadOptions& options)
      : lines_(std::move(lines)),
        parser_(dialect.parser()),
        path_(path),
        options_(options),
        watch_(std::string(dialect.student_column), std::string(dialect.teacher_column)) {
    report_.files.push_back(path);
    report_.dialect = dialect.label;
  }

  bool next(RolloutRecord& rollout) override {
    Line line;
    while (!ended_) {
      stop_if_interrupted();
      if (!next_line(line)) break;
      try {
        if (line.too_long)
          throw LineError("",
                          "the line is longer than --max-line, " +
                              std::to_string(options_.max_line) + " bytes");
        if (is_blank(line.text())) continue;
        if (!line.whole && (lines_->cut() || !is_one_value(line.text()))) {
          ++report_.cut_last_line;
          continue;
        }
        rollout.clear();
        rollout.file = path_;
        rollout.line = line.number;
        LogHeader header;
        if (parser_->parse(line, rollout, header, report_) == LineParser::Got::header) {
          take_header(std::move(header), line.number);
          continue;
        }
        responses_ = true;
        if (finish_rollout(rollout, watch_, line.number, options_.nonfinite, report_)) return true;
      } catch (const std::bad_alloc&) {
        throw out_of_memory(path_, line.number);
      } catch (const std::length_error&) {
        throw out_of_memory(path_, line.number);
      } catch (const LineError& error) {
        const DataError data{path_, line.number, error.field, error.rule};
        if (options_.on_error == OnError::stop || error.field.starts_with("header"))
          throw BadData(data);
        if (report_.bad_lines++ == 0) report_.first_bad = data;
      }
    }
    if (!ended_) end(line);
    return false;
  }

  [[nodiscard]] const LogHeader& header() const override { return header_; }
  [[nodiscard]] const ReadReport& report() const override { return report_; }

 private:
  bool next_line(Line& line) try { return lines_->next(line); } catch (const std::bad_alloc&) {
    throw out_of_memory(path_, lines_->number());
  }

  /// Logs that were joined by `cat` repeat the header; it must then say the same.
  void take_header(LogHeader header, std::int64_t line) {
    if (!header_.present && !responses_) {
      header_ = std::move(header);
      return;
    }
    if (!header_.present)
      throw BadData({path_, line, "header", "a header behind responses that had none"});
    if (const std::string text = disagreement(header_, header); !text.empty())
      throw BadData({path_, line, "header", "a second header says otherwise: " + text});
  }

  void end(const Line& last) {
    ended_ = true;
    // A packed file that was cut at the end of a line is cut all the same.
    if (lines_->cut() && report_.cut_last_line == 0) ++report_.cut_last_line;
    if (responses_) return;
    std::string rule = "holds no response";
    if (report_.bad_lines > 0)
      rule += "; " + std::to_string(report_.bad_lines) + " bad lines, the first in line " +
              std::to_string(report_.first_bad.line) + ": " + report_.first_bad.rule;
    if (report_.cut_last_line > 0)
      rule += "; it ends in the middle of line " +
              std::to_string(std::max<std::int64_t>(last.number, 1));
    throw BadData({path_, 0, "", rule});
  }

  std::unique_ptr<LineReader> lines_;
  std::unique_ptr<LineParser> parser_;
  std::string path_;
  ReadOptions options_;
  ColumnWatch watch_;
  LogHeader header_;
  ReadReport report_;
  bool responses_ = false, ended_ = false;
};

}  // namespace

std::unique_ptr<LogReader> open_jsonl(std::unique_ptr<ByteSource> bytes,
                                      const std::string& path,
                                      const ReadOptions& options) {
  auto lines = std::make_unique<LineReader>(std::move(bytes), options.max_line);
  const std::string_view head = lines->peek();
  if (is_blank(head)) {
    if (lines->cut())
      throw BadData({path, 0, "", "was cut: the packed data end before their first line does"});
    if (head.empty()) throw BadData({path, 0, "", "is empty"});
    throw BadData({path, 0, "", "holds nothing but spaces"});
  }
  const Dialect& dialect = find_dialect(head, path, options.dialect);
  return std::make_unique<JsonlReader>(std::move(lines), dialect, path, options);
}

}  // namespace gammascope::io
