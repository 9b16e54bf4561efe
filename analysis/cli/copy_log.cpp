// SPDX-License-Identifier: MIT
#include "analysis/cli/copy_log.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_set>

#include <CLI/CLI.hpp>

#include "analysis/cli/output.hpp"
#include "analysis/cli/progress.hpp"
#include "analysis/io/log_reader.hpp"
#include "analysis/io/log_writer.hpp"

namespace gammascope::cli {

namespace {

/// What went through, for the sentence and the result.
class Counts {
 public:
  void add(const RolloutRecord& r) {
    ++source_.rollouts;
    source_.truncated += r.view().cut() ? 1 : 0;
    const std::size_t length = std::max(r.student_logprob.size(), r.teacher_logprob.size());
    source_.tokens += static_cast<std::int64_t>(
        r.mask.empty() ? length : static_cast<std::size_t>(std::ranges::count(r.mask, 1)));
    named_ &= r.prompt_id.has_value();
    // As many prompts as fit in some ten megabytes; beyond, the number is left out.
    if (named_ && prompts_.size() <= most_prompts) prompts_.insert(r.prompt_hash);
  }
  [[nodiscard]] report::Source source(const io::ReadReport& read, const LogOptions& log) const {
    report::Source s = source_;
    s.files = log.logs;
    s.dialect = read.dialect;
    s.prompts =
        named_ && prompts_.size() <= most_prompts ? static_cast<std::int64_t>(prompts_.size()) : 0;
    const auto put = [&](const char* reason, std::int64_t count) {
      if (count > 0) s.dropped[reason] = count;
    };
    put("bad_lines", read.bad_lines);
    put("cut_last_line", read.cut_last_line);
    put("dropped_rollouts", read.dropped_rollouts);
    put("masked_tokens", read.masked_tokens);
    put("clipped_tokens", read.clipped_tokens);
    put("empty_rollouts", read.empty_rollouts);
    put("unfinished_stores", read.unfinished_stores);
    return s;
  }

 private:
  static constexpr std::size_t most_prompts = std::size_t{1} << 20;
  report::Source source_;
  std::unordered_set<std::uint64_t> prompts_;
  bool named_ = true;
};

std::string sentence(const report::Source& s, const io::ReadReport& read, const std::string& to) {
  std::string text = "wrote " + std::to_string(s.rollouts) + " rollouts";
  if (s.prompts > 0) text += " of " + std::to_string(s.prompts) + " prompts";
  text += ", " + std::to_string(s.tokens) + " tokens";
  for (const auto& [what, count] : s.dropped) text += ", " + what + " " + std::to_string(count);
  text += ": " + to;
  if (!read.unknown_fields.empty()) {
    text += "\nleft out, as no field of the format:";
    for (const auto& [field, count] : read.unknown_fields)
      text += " " + field + " (" + std::to_string(count) + ")";
  }
  return text;
}

}  // namespace

void add_copy_options(CLI::App& app, CopyOptions& o) {
  add_log_options(app, o.log);
  app.add_option("-o,--output",
                 o.to,
                 "the log to write: *.jsonl, *.jsonl.gz, *.jsonl.zst, else a store directory; - is "
                 "standard output")
      ->required()
      ->type_name("OUT")
      ->group("where the answer goes");
  add_output_options(app, o.output);
}

void copy_log(const CopyOptions& o,
              const std::function<void(LogHeader&)>& change_header,
              const ChangeRollout& change,
              report::Result& result) {
  check_output(o.output, o.log.logs, o.to);
  const double share = o.log.sample_share();
  const auto reader = io::open_logs(o.log.logs, o.log.read_options());
  std::unique_ptr<io::LogWriter> writer;
  const auto open = [&] {  // the header is known once the first response was read
    LogHeader header = reader->header();
    change_header(header);
    writer = io::open_writer(o.to, header, {o.output.force});
  };
  Counts counts;
  {
    Progress progress("copying", "rollouts", 0, o.output.quiet);
    RolloutRecord r;
    for (std::int64_t number = 1; reader->next(r); ++number) {
      progress.step();
      if (!writer) open();
      // The low half: the high bits decide groups and halves.
      if (share < 1.0 && static_cast<double>(r.prompt_hash & 0xffffffffu) >= share * 0x1p32)
        continue;
      change(r, "response " + std::to_string(number));
      counts.add(r);
      writer->write(r);
    }
  }
  if (!writer) open();
  writer->close();
  result.source = counts.source(reader->report(), o.log);
  result.summary = sentence(result.source, reader->report(), o.to);
}

void write_copy_output(const CopyOptions& o, const report::Result& result) {
  OutputOptions output = o.output;
  if (o.to == "-") output.quiet = true;  // standard output is the log
  write_output(result, output, nullptr, result.summary + "\n");
}

}  // namespace gammascope::cli
