// SPDX-License-Identifier: MIT
#include "analysis/cli/log_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "analysis/cli/progress.hpp"
#include "analysis/core/interrupt.hpp"
#include "analysis/io/prompt_hash.hpp"
#include "analysis/report/number.hpp"

namespace gammascope::cli {

namespace {

/// Copies standard input into a file without a name, which goes away with its descriptor, however
/// the program ends. @return the descriptor
int keep_standard_input() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  std::string name = (folder / "gammascope-stdin-XXXXXX").string();
  const auto fail = [&](int error) {
    throw NoInput("standard input cannot be kept in " + folder.string() + ": " +
                  std::strerror(error));
  };
  const int to = mkostemp(name.data(), O_CLOEXEC);
  if (to < 0) fail(errno);
  ::unlink(name.c_str());
  std::vector<char> block(1 << 16);
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, block.data(), block.size());
    if (got == 0) return to;
    if (got < 0 && errno == EINTR && !interrupt_flag()) continue;
    bool failed = got < 0;
    for (ssize_t done = 0; !failed && done < got;) {
      const ssize_t put = ::write(to, block.data() + done, static_cast<std::size_t>(got - done));
      if (put < 0 && errno != EINTR) failed = true;
      if (put > 0) done += put;
    }
    if (failed || interrupt_flag()) {
      const int error = errno;
      ::close(to);
      stop_if_interrupted();
      fail(error);
    }
  }
}

bool lacks_a_side(const RolloutRecord& r) {
  return r.student_logprob.size() != r.teacher_logprob.size();
}

}  // namespace

bool FirstPass::both_sides() const { return missing_side().empty(); }

std::string FirstPass::missing_side() const {
  if (survey.rollouts() == 0) return "no response is left to look at";
  if (survey.tokens() == 0) return "no response has a sampled token";
  for (const auto& [column, field] : {std::pair(io::Column::student_logprob, "student_logprobs"),
                                      std::pair(io::Column::teacher_logprob, "teacher_logprobs")}) {
    const io::ColumnStats stats = columns[column];
    if (stats.state == io::ColumnState::not_recorded)
      return std::string(field) + " is not recorded";
    // One value twice is a constant; a single token is just a short log.
    if (stats.state == io::ColumnState::constant) {
      char value[40];
      std::snprintf(value, sizeof value, "%.6g", stats.first);
      return std::string(field) + " is " + value +
             " at every token: a constant column counts as not recorded";
    }
  }
  return {};
}

LogSource::LogSource(LogOptions options, bool quiet)
    : options_(std::move(options)),
      read_options_(options_.read_options()),
      share_(options_.sample_share()),
      quiet_(quiet) {
  if (std::count(options_.logs.begin(), options_.logs.end(), "-") > 1)
    throw UsageError("LOG: standard input (-) can be read once only");
  if (std::count(options_.logs.begin(), options_.logs.end(), "-") == 0) return;
  spool_ = keep_standard_input();
  // Opened anew by this name, it is read from its beginning.
  read_options_.standard_input = "/proc/self/fd/" + std::to_string(spool_);
}

LogSource::~LogSource() {
  if (spool_ >= 0) ::close(spool_);
}

std::unique_ptr<io::LogReader> LogSource::open() const {
  return io::open_logs(options_.logs, read_options_);
}

bool LogSource::sampled(const RolloutRecord& r) const {
  // The low half: the high bits decide groups and halves.
  return share_ >= 1.0 || static_cast<double>(r.prompt_hash & 0xffffffffu) < share_ * 0x1p32;
}

FirstPass LogSource::first_pass() const {
  FirstPass first;
  const auto reader = open();
  Progress progress("reading", "rollouts", 0, quiet_);
  RolloutRecord r;
  while (reader->next(r)) {
    stop_if_interrupted();
    progress.step();
    if (!sampled(r)) continue;
    first.columns.add(r);
    first.temperatures.add(r);
    if (lacks_a_side(r)) {
      ++first.one_sided;
      // Lengths and prompts are still those of the log.
      RolloutRecord alone = r;
      auto& empty = r.teacher_logprob.empty() ? alone.teacher_logprob : alone.student_logprob;
      empty.assign(std::max(r.student_logprob.size(), r.teacher_logprob.size()), 0.0f);
      first.survey.add(alone);
      continue;
    }
    first.survey.add(r);
    first.responses.add(io::response_hash(r));
    first.repeated.add(r);
    first.token_shares.add(r);
    first.lag.add(r.view());
    first.identities.add(r);
    first.inputs.add(r);
    const Rollout view = r.view();
    for (std::size_t t = 0; t < view.length(); ++t)
      if (view.counts(t)) first.tails.add(view.delta(t));
  }
  first.header = reader->header();
  first.identities.set_eos_ids(first.header.eos_ids);
  first.read = reader->report();
  return first;
}

measure::Sweep LogSource::measure(const measure::Plan& plan,
                                  unsigned threads,
                                  const FirstPass& first,
                                  const std::function<bool(const RolloutRecord&)>& keep) const {
  return measure::sweep(plan, rows(first, keep), threads);
}

std::function<bool(RolloutRecord&)> LogSource::rows(
    const FirstPass& first, const std::function<bool(const RolloutRecord&)>& keep) const {
  const std::shared_ptr<io::LogReader> reader = open();
  const auto progress =
      std::make_shared<Progress>("measuring", "rollouts", first.survey.rollouts(), quiet_);
  return [this, reader, progress, keep](RolloutRecord& r) {
    while (reader->next(r)) {
      if (!sampled(r)) continue;
      progress->step();
      if (!lacks_a_side(r) && (!keep || keep(r))) return true;
    }
    return false;
  };
}

void LogSource::each(const std::function<void(const RolloutRecord&)>& use) const {
  const auto reader = open();
  RolloutRecord r;
  while (reader->next(r)) {
    stop_if_interrupted();
    if (sampled(r) && !lacks_a_side(r)) use(r);
  }
}

report::Source source_of(const LogSource& source, const FirstPass& first) {
  report::Source s;
  s.files = source.options().logs;
  s.dialect = first.read.dialect;
  s.rollouts = first.survey.rollouts();
  s.prompts = first.survey.prompts() - first.survey.without_prompt_id();
  s.tokens = first.survey.tokens();
  s.truncated = first.survey.cut();
  if (first.responses.count() > 0) s.hash = first.responses.text();
  const auto put = [&](const char* reason, std::int64_t count) {
    if (count > 0) s.dropped[reason] = count;
  };
  put("bad_lines", first.read.bad_lines);
  put("cut_last_line", first.read.cut_last_line);
  put("dropped_rollouts", first.read.dropped_rollouts);
  put("masked_tokens", first.read.masked_tokens);
  put("clipped_tokens", first.read.clipped_tokens);
  put("empty_rollouts", first.survey.empty());
  put("one_sided_rollouts", first.one_sided);
  put("unfinished_stores", first.read.unfinished_stores);
  std::int64_t odd = 0;
  for (const auto& [column, count] : first.read.odd_numbers) odd += count;
  put("odd_numbers", odd);
  put("without_prompt_id", first.survey.without_prompt_id());
  return s;
}

std::vector<Finding> findings_of(const FirstPass& first, const CellOptions& cells) {
  std::vector<Finding> all;
  if (first.both_sides()) {
    if (auto finding = first.lag.finding()) all.push_back(*finding);
    for (const Finding& finding : first.identities.findings()) all.push_back(finding);
  }
  if (auto finding = first.repeated.finding()) all.push_back(*finding);
  for (const Finding& finding : first.temperatures.findings(first.header)) all.push_back(finding);
  if (const std::int64_t n = first.read.unfinished_stores; n > 0)
    all.push_back(
        {"unfinished_store",
         Severity::warning,
         report::count(n) + (n == 1 ? " store has" : " stores have") +
             " no last shard: the writer is still at work or was ended, and what it had "
             "in hand is missing (which responses are missing may depend on their length)",
         {{"unfinished_stores", double(n)}},
         {}});
  for (const Finding& finding : first.token_shares.findings()) all.push_back(finding);
  // By its value, so that the repeated run, which is given it, says the same.
  if (!first.header.dtype && noise_floor(cells, first) == measure::noise_floor_of(std::nullopt))
    all.push_back(
        {"noise_floor",
         Severity::note,
         "the dtype of the log-probs is not recorded: a noise floor of float32 (2e-6 nats) is "
         "assumed (--noise-floor says another)",
         {{"noise_floor", noise_floor(cells, first)}},
         {}});
  const auto longest = first.survey.longest();
  if (max_length(cells, first) < longest)
    all.push_back(
        {"max_length",
         Severity::warning,
         "responses are longer than the largest length that is said: " + std::to_string(longest) +
             " tokens against " + std::to_string(max_length(cells, first)),
         {{"longest", double(longest)}, {"max_length", double(max_length(cells, first))}},
         {}});
  std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
    return a.severity < b.severity;
  });
  return all;
}

void settle(SettingList& settings, const CellOptions& cells, const FirstPass& first) {
  for (auto& [option, value] : settings) {
    if (option == "max-length" && cells.max_length.empty())
      value = std::to_string(max_length(cells, first));
    if (option == "noise-floor" && cells.noise_floor.empty())
      value = report::exact_number(noise_floor(cells, first));
    if (option != "at" || !cells.at.empty() || cells.alignments().size() != 1) continue;
    const Alignment alignment = cells.alignments()[0];
    if (alignment == Alignment::infinite) continue;
    const auto at =
        cells.places(alignment, first.survey.median_length().value_or(1), first.survey.longest());
    value = std::to_string(at.at(0));
  }
}

void refuse_untrusted(const LogSource& source, const FirstPass& first, bool force) {
  const std::string file =
      source.options().logs.size() == 1 ? source.options().logs[0] : "the logs";
  if (const std::string missing = first.missing_side(); !missing.empty())
    throw BadData({file, 0, "", missing + ", so there is no log-ratio to measure"});
  if (first.one_sided > 0 && source.options().on_error != "skip")
    throw BadData({file,
                   0,
                   "",
                   std::to_string(first.one_sided) + " of " +
                       std::to_string(first.survey.rollouts()) +
                       " responses lack student_logprobs or teacher_logprobs (--on-error skip "
                       "leaves them out)"});
  if (force) return;
  if (const auto finding = first.lag.finding())
    throw BadData(
        {file, 0, "", "rule shift: " + finding->message + " (--force goes on all the same)"});
}

double noise_floor(const CellOptions& cells, const FirstPass& first) {
  return cells.given_noise_floor().value_or(measure::noise_floor_of(first.header.dtype));
}

std::int64_t max_length(const CellOptions& cells, const FirstPass& first) {
  const std::int64_t longest = std::max<std::int64_t>(first.survey.longest(), 1);
  return cells.given_max_length().value_or(first.header.max_response.value_or(longest));
}

measure::Settings settings_of(const CellOptions& cells, const FirstPass& first) {
  measure::Settings s;
  s.clock = word<Clock>("--clock", cells.clock);
  s.truncated = word<measure::Truncated>("--truncated", cells.truncated);
  s.start = word<measure::Start>("--start", cells.start);
  s.weight = word<measure::Weight>("--weight", cells.weight);
  s.noise_floor = cells.given_noise_floor();
  s.max_length = max_length(cells, first);
  s.confidence = cells.confidence_level();
  return s;
}

std::vector<measure::CellSpec> cells_of(const CellOptions& options, const FirstPass& first) {
  const std::vector<double> gammas = options.gammas();
  const auto median = first.survey.median_length();
  std::vector<measure::CellSpec> all;
  for (const Alignment alignment : options.alignments()) {
    const std::vector<std::int64_t> at =
        alignment == Alignment::infinite
            ? std::vector<std::int64_t>{}
            : options.places(alignment, median.value_or(1), first.survey.longest());
    for (const auto& cell : measure::cell_grid(std::vector{alignment}, gammas, at))
      all.push_back(cell);
  }
  return all;
}

}  // namespace gammascope::cli
