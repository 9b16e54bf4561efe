// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "analysis/cli/log_state.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/state_output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/core/interrupt.hpp"
#include "analysis/measure/state_file.hpp"
#include "analysis/report/number.hpp"

namespace gammascope::cli {

namespace {

struct Options {
  std::vector<std::string> states;
  std::string to;
  OutputOptions output;
};

constexpr double few = 0.01;  // a share of equal responses that chance can make

/// States added up, and what was seen in several of them.
class Merger {
 public:
  explicit Merger(bool force) : force_(force) {}

  void add(const std::string& file) {
    measure::State next = measure::read_state(file);
    if (!all_) {
      parts_.emplace_back(file, next.responses);
      all_ = std::move(next);
      return;
    }
    if (const auto found = all_->mismatch(next)) refuse(file, *found);
    const measure::Overlap seen = measure::overlap(all_->responses, next.responses);
    if (seen.both > 0) judge(file, next.responses, seen);
    shared_ += seen.both;
    complete_ = complete_ && seen.complete;
    parts_.emplace_back(file, next.responses);
    all_->merge(next);
  }

  [[nodiscard]] const measure::State& state() const { return *all_; }

  [[nodiscard]] std::optional<Finding> finding() const {
    if (shared_ == 0) return std::nullopt;
    Finding f{"shared_responses",
              Severity::warning,
              report::count(shared_) + (complete_ ? "" : " or more") +
                  " responses stand in more than one part, with the same prompt, step, sample and "
                  "numbers: they are counted as often as they stand, and limits are too narrow if "
                  "they are one",
              {{"shared", double(shared_)}, {"responses", double(all_->responses.count())}},
              {}};
    return f;
  }

 private:
  [[noreturn]] void refuse(const std::string& file, const measure::Mismatch& found) const {
    const bool header = found.setting.rfind("header.", 0) == 0;
    throw BadData({file,
                   0,
                   found.setting,
                   "is " + found.second + " here and " + found.first + " in " + parts_[0].first +
                       ": states of different " + (header ? "logs" : "settings") +
                       " cannot be merged" +
                       (header ? "" : " (measure all parts with one --" + found.setting + ")")});
  }

  void judge(const std::string& file,
             const measure::ResponseSet& responses,
             const measure::Overlap& seen) const {
    const bool whole = seen.both == seen.second, around = seen.both == seen.first;
    const double fewer = double(std::min(seen.first, seen.second));
    if (!whole && !around && (force_ || double(seen.both) <= few * fewer)) return;
    std::string where = "the states before it";
    for (const auto& [other, set] : parts_)
      if (measure::overlap(set, responses).both > 0) {
        where = other;
        break;
      }
    throw BadData(
        {file,
         0,
         "responses",
         (whole ? "the same responses" : report::count(seen.both) + " of the responses") +
             " are in " + where + " already (content " + responses.text() +
             "): nothing is counted twice" +
             (whole || around ? "" : "; if these are different ones that read the same, --force")});
  }

  bool force_;
  std::optional<measure::State> all_;
  std::vector<std::pair<std::string, measure::ResponseSet>> parts_;
  std::int64_t shared_ = 0;
  bool complete_ = true;
};

ExitStatus run(const Options& o) {
  check_output(o.output, o.states, o.to);
  if (!o.to.empty()) check_state_output(o.to, o.output.force);
  Merger merger(o.output.force);
  for (const std::string& file : o.states) {
    stop_if_interrupted();
    merger.add(file);
  }
  const measure::State& state = merger.state();
  report::Result result;
  result.verb = "merge";
  result.settings = settings_of(state);
  result.source = source_of(state);
  result.source.files = o.states;
  result.cells = cells_of(state.sweep);
  if (auto finding = merger.finding()) result.findings.push_back(*finding);
  result.summary = summary_of(result.cells);
  report::Config config = report::config_of(result);
  config.options.clear();  // the settings are the states'
  if (!o.to.empty()) measure::write_state(state, o.to, true);
  write_output(
      result, o.output, nullptr, measured_text(result, report::style_for(STDOUT_FILENO)), config);
  return ExitStatus::ok;
}

}  // namespace

Action setup_merge(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  app.add_option("STATE", o->states, "files of `measure --state`, in any order")
      ->required()
      ->group("what is read");
  app.add_option("-o,--state", o->to, "the sum as a state of its own")
      ->type_name("FILE")
      ->group("where the answer goes");
  add_output_options(app, o->output);
  app.footer(
      "Parts of the responses, measured anywhere with the same options, give the bytes of one "
      "measurement of all.\nA part that came in already is refused.\n\n"
      "Example:\n  gammascope measure examples/data/sums.jsonl.zst --at 8 --state sums.state "
      "--quiet "
      "&& gammascope merge sums.state");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
