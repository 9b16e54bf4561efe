// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "analysis/cli/log_source.hpp"
#include "analysis/cli/options.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/credit/credit_path.hpp"
#include "analysis/io/json.hpp"
#include "analysis/measure/estimate.hpp"
#include "analysis/report/cell_groups.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/text.hpp"
#include "analysis/report/text_report.hpp"
#include "analysis/verdict/check.hpp"

namespace gammascope::cli {

namespace {

struct Options {
  LogOptions log;
  CellOptions cells;
  OutputOptions output;
  std::string bound = "theorem_3_3", sigma2 = "split", max_delta, noise_variance, drift_variance,
              max_loss, accept;

  [[nodiscard]] bool accept_no_evidence() const {
    if (accept.empty()) return false;
    if (accept == "no-evidence") return true;
    throw UsageError("--accept: no such value: '" + accept + "' (no-evidence)");
  }

  [[nodiscard]] check::Settings settings() const {
    const auto given = [](const char* option, const std::string& text) {
      return text.empty() ? std::nullopt : std::optional(number(option, text));
    };
    check::Settings s;
    s.bounds = split_list("--bound", bound);
    if (sigma2 == "same") {
      s.sigma2_from = check::Sigma2From::same;
    } else if (sigma2 != "split") {
      s.sigma2_from = check::Sigma2From::claimed;
      s.sigma2 = number("--sigma2 (split | same | a number)", sigma2);
    }
    s.c = given("--max-delta", max_delta);
    s.v = given("--noise-variance", noise_variance);
    s.d2 = given("--drift-variance", drift_variance);
    s.big_c = given("--max-loss", max_loss);
    return s;
  }

  void describe(SettingList& list) const {
    log.describe(list);
    cells.describe(list);
    list.emplace_back("bound", split_list("--bound", bound));
    list.emplace_back("sigma2", sigma2);
    list.emplace_back("max-delta", max_delta);
    list.emplace_back("noise-variance", noise_variance);
    list.emplace_back("drift-variance", drift_variance);
    list.emplace_back("max-loss", max_loss);
    list.emplace_back("accept", accept);
  }
};

/// Adds the credit of every row of the KL claims: one sum a response (theory 3e).
void add_credit(std::map<std::size_t, check::KlEValue>& evalues,
                const check::Plan& plan,
                const LogSource& source,
                Clock clock) {
  if (evalues.empty()) return;
  CreditPath path;
  std::vector<double> state;
  source.each([&](const RolloutRecord& r) {
    path.assign(r.view(), clock);
    for (auto& [index, evalue] : evalues) {
      const measure::CellSpec& cell = plan.claims[index].cell;
      const auto n = static_cast<std::size_t>(cell.n.value_or(0));
      const bool window = cell.alignment == Alignment::window;
      const std::size_t first = window ? 0 : n;
      if (first >= path.length()) continue;
      const std::size_t last = window ? std::min(n, path.length()) : path.length();
      const std::array<double, 1> gamma{cell.gamma};
      scan_credit(path, first, last, gamma, state, [](std::size_t, std::span<const double>) {});
      evalue.add(r.prompt_hash, state[0]);
    }
  });
}

bool said_not_realisable(const LogHeader& header) {
  const io::Json json = io::parse_json(header.raw, "");
  const auto at = json.find("realisable");
  return at != json.end() && at->is_boolean() && !at->get<bool>();
}

/// Why what uses (OP) or the martingale property has no ground in this log; empty if nothing is
/// known against it.
std::string no_prefix_law(const LogSource& source, const FirstPass& first) {
  if (said_not_realisable(first.header))
    return "the header says that no teacher has these log-ratios, so E[exp(X) | prefix] <= 1, "
           "which "
           "the bound uses, does not hold";
  if (first.identities.end_token_logged() == false)
    return "not available: end token not logged (a response that stopped does not end in one of "
           "eos_ids), and its last token is then chosen by the future, which breaks E[exp(X) | "
           "prefix] <= 1, which the bound uses";
  for (const auto& answer : first.identities.answers())
    if (answer.word == doctor::Word::broken)
      return "identity " + std::string(name(answer.which)) +
             " of an on-policy log is broken here, so the bound has no ground: " + answer.sentence;
  const io::ReadReport& read = first.read;
  if (const auto bad = std::max(read.masked_tokens + read.clipped_tokens + read.dropped_rollouts,
                                first.survey.damaged());
      bad > 0)
    return "--nonfinite changed " + report::count(bad) +
           " tokens or responses for what they hold, and that breaks E[exp(X) | prefix] <= 1, "
           "which "
           "the bound uses";
  const std::int64_t one_sided = source.options().on_error == "skip" ? first.one_sided : 0;
  if (const auto lost = read.bad_lines + one_sided; lost > 0)
    return "--on-error skip left out " + report::count(lost) +
           " lines for what they hold, and that breaks E[exp(X) | prefix] <= 1, which the bound "
           "uses";
  return "";
}

/// What the words say together, how sure, and what to do, in one sentence.
std::string summary_of(const std::vector<Verdict>& verdicts, double alpha) {
  const auto counted = [&](Outcome outcome) {
    return std::count_if(
        verdicts.begin(), verdicts.end(), [&](const Verdict& v) { return v.outcome == outcome; });
  };
  const std::string all =
      std::to_string(verdicts.size()) + (verdicts.size() == 1 ? " claim" : " claims");
  std::string text = "of " + all;
  const char* gap = ": ";
  for (const auto& [outcome, words] :
       {std::pair(Outcome::fail, "shown to be broken"),
        std::pair(Outcome::pass, "shown to hold"),
        std::pair(Outcome::inconclusive, "undecided"),
        std::pair(Outcome::identity, "true by construction"),
        std::pair(Outcome::degenerate, "without any variance to speak of")}) {
    if (counted(outcome) == 0) continue;
    text += gap + std::to_string(counted(outcome)) + " " + words;
    gap = ", ";
  }
  text += " (chance of any wrong word at most " + report::percent(alpha) + ")";
  std::optional<std::int64_t> needed;
  for (const Verdict& v : verdicts)
    if (v.prompts_needed) needed = std::max(needed.value_or(0), *v.prompts_needed);
  if (needed)
    text += "; about " + report::count(*needed) + " prompts would probably settle the rest";
  return text + ".";
}

/// Verdicts, and the sentence about the limits; the variances stand in the verdicts already.
std::string table_of(const report::Result& result) {
  report::Result shown = result;
  shown.cells.clear();
  const report::TextStyle style = report::style_for(STDOUT_FILENO);
  std::string text = report::result_text(shown, style);
  for (const report::CellGroup& group : report::group_cells(result.cells))
    if (const std::string sentence = report::limits_sentence(group); !sentence.empty())
      text += "\n" + report::wrap(sentence, style.width, 2) + "\n";
  return text;
}

ExitStatus run(const Options& o) {
  check_output(o.output, o.log.logs);
  const bool accept = o.accept_no_evidence();
  report::Result result;
  result.verb = "check";
  o.describe(result.settings);
  check::Settings settings = o.settings();
  const unsigned threads = o.cells.thread_count();
  const LogSource source(o.log, o.output.quiet);
  const FirstPass first = source.first_pass();
  refuse_untrusted(source, first, o.output.force);
  const measure::Settings how = settings_of(o.cells, first);
  settings.cells = cells_of(o.cells, first);
  const check::Plan plan = check::plan(settings, how, first.survey.longest());
  const measure::Sweep sweep = source.measure(measure::Plan(how, plan.cells), threads, first);
  check::Extras extras;
  extras.kl = check::kl_evalues(plan, sweep);
  extras.largest_delta = first.inputs.max_delta();
  extras.no_prefix_law = no_prefix_law(source, first);
  extras.prompts = first.survey.prompts();
  add_credit(extras.kl, plan, source, how.clock);
  result.source = source_of(source, first);
  const double floor = noise_floor(o.cells, first);
  for (std::size_t i = 0; i < settings.cells.size(); ++i) {
    const auto place = sweep.plan().index_of(settings.cells[i]);
    if (place) result.cells.push_back(measure::estimate(sweep, *place, floor).variance);
  }
  result.verdicts = check::judge_run(plan, sweep, floor, extras);
  result.findings = findings_of(first, o.cells);
  settle(result.settings, o.cells, first);
  const double confidence = o.cells.confidence_level();
  result.summary = summary_of(result.verdicts, 1.0 - confidence);
  write_output(result, o.output, &first.tails, table_of(result));
  const bool error = std::ranges::any_of(
      result.findings, [](const Finding& f) { return f.severity == Severity::error; });
  return error ? ExitStatus::failed : status_of(result, accept);
}

}  // namespace

Action setup_check(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  add_log_options(app, o->log);
  add_cell_options(app, o->cells);
  const std::string group = "what is claimed";
  app.add_option("--bound",
                 o->bound,
                 "theorem_3_3 (finite and infinite) | on_policy | sharp (v1 and d) | drift | kl, "
                 "one or a list")
      ->group(group)
      ->capture_default_str();
  app.add_option(
         "--sigma2",
         o->sigma2,
         "largest second moment of a log-ratio: a number claimed, split (from the other half "
         "of the prompts) or same (an identity)")
      ->group(group)
      ->capture_default_str();
  app.add_option("--max-delta", o->max_delta, "c, nats: Delta <= c almost surely")
      ->type_name("c")
      ->group(group);
  app.add_option("--noise-variance", o->noise_variance, "v of the drift bound, nats^2")
      ->type_name("v")
      ->group(group);
  app.add_option("--drift-variance", o->drift_variance, "d2 of the drift bound, nats^2")
      ->type_name("d2")
      ->group(group);
  app.add_option("--max-loss", o->max_loss, "C of the KL form, nats: -A <= C almost surely")
      ->type_name("C")
      ->group(group);
  app.add_option("--accept", o->accept, "no-evidence: exit 0 when nothing failed")
      ->type_name("no-evidence")
      ->group(group);
  add_output_options(app, o->output);
  app.footer(
      "Exit status: 0 all pass, 1 a claim failed or the log breaks a rule, 2 no evidence "
      "(inconclusive, identity, "
      "degenerate).\n\nExample:\n  gammascope check examples/data/sums.jsonl.zst --gamma 0.9,0.99");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
