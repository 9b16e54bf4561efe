// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "analysis/cli/check_extras.hpp"
#include "analysis/cli/claims_run.hpp"
#include "analysis/cli/init_claims.hpp"
#include "analysis/cli/log_source.hpp"
#include "analysis/cli/options.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/measure/estimate.hpp"
#include "analysis/report/cell_groups.hpp"
#include "analysis/report/files.hpp"
#include "analysis/report/junit.hpp"
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
  std::string bound, sigma2 = "split", max_delta, noise_variance, drift_variance, max_loss, accept;
  std::vector<std::string> claims, claim;  // files; typed
  std::string multiplicity = "auto", junit, junit_inconclusive = "skipped", init;
  bool github = false, init_given = false;

  /// Names that end in .toml among the logs are claims.
  void sort_inputs() {
    std::vector<std::string> logs;
    for (std::string& input : log.logs) {
      const bool is_claims = input.size() > 5 && input.ends_with(".toml");
      (is_claims ? claims : logs).push_back(std::move(input));
    }
    log.logs = std::move(logs);
    if (log.logs.empty()) throw UsageError("LOG: a log is needed beside the claims");
  }
  [[nodiscard]] std::string typed() const {
    std::string all;
    for (const std::string& one : claim) all += (all.empty() ? "" : "; ") + one;
    return all;
  }
  /// What --bound says: the theorem, unless something else is claimed.
  [[nodiscard]] std::vector<std::string> bounds() const {
    if (!bound.empty()) return split_list("--bound", bound);
    if (claims.empty() && claim.empty()) return {"theorem_3_3"};
    return {};
  }

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
    s.bounds = bounds();
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
    // A list without a part is no option's value.
    const auto put = [&](const char* option, const std::vector<std::string>& parts) {
      list.emplace_back(option, parts.empty() ? report::Setting(std::string()) : parts);
    };
    put("claims", claims);
    list.emplace_back("claim", typed());
    put("bound", bounds());
    list.emplace_back("multiplicity",
                      std::string(name(word<check::Multiplicity>("--multiplicity", multiplicity))));
    list.emplace_back("sigma2", sigma2);
    list.emplace_back("max-delta", max_delta);
    list.emplace_back("noise-variance", noise_variance);
    list.emplace_back("drift-variance", drift_variance);
    list.emplace_back("max-loss", max_loss);
    list.emplace_back("accept", accept);
  }
};

/// What the words say together, how sure, and what to do, in one sentence.
std::string summary_of(const std::vector<Verdict>& verdicts,
                       const std::vector<std::string>& joint,
                       double alpha) {
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
  for (const std::string& one : joint) text += "; " + one;
  std::optional<std::int64_t> needed;
  for (const Verdict& v : verdicts)
    if (v.prompts_needed) needed = std::max(needed.value_or(0), *v.prompts_needed);
  if (needed)
    text += "; about " + report::count(*needed) + " prompts would probably settle the rest";
  return text + ".";
}

/// What a reader must know before the verdicts; empty if the log breaks no rule.
std::string broken_rules(const std::vector<Finding>& findings) {
  const auto n = std::ranges::count_if(
      findings, [](const Finding& f) { return f.severity == Severity::error; });
  if (n == 0) return "";
  return "the log breaks " + std::to_string(n) + (n == 1 ? " rule" : " rules") +
         "; the verdicts mean nothing until that is explained; ";
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

/// Checked before anything is measured: files that this run writes beside its result.
void check_files(const Options& o) {
  std::vector<std::string> others = o.log.logs;
  others.insert(others.end(), o.claims.begin(), o.claims.end());
  if (o.output.json_to_file()) others.push_back(o.output.json);
  others.push_back(o.output.out);
  if (!o.junit.empty())
    check_file("--junit", o.junit, others, "<testsuites name=\"gammascope\"", o.output.force);
  if (!o.init_given) return;
  others.push_back(o.junit);
  if (!o.init.ends_with(".toml"))
    throw UsageError("--init: " + o.init + ": the name of a claims file ends in .toml");
  check_file("--init", o.init, others, "", o.output.force);
}

/// Judges the claims of --bound, if there are any.
std::vector<check::Case> bound_cases(const check::Plan* plan,
                                     const LogSource& source,
                                     const measure::Sweep& sweep,
                                     double floor,
                                     check::Extras extras) {
  if (plan == nullptr) return {};
  extras.kl = check::kl_evalues(*plan, sweep);
  add_credit(extras.kl, *plan, source, sweep.plan().settings().clock);
  return check::open_run(*plan, sweep, floor, extras);
}

/// Claims of one's own, with the further readings of the log that they need.
std::vector<check::Case> claim_cases(ClaimsRun& claims,
                                     const LogSource& source,
                                     const measure::Sweep& sweep,
                                     double floor,
                                     const check::Extras& extras,
                                     report::Result& result) {
  std::vector<std::map<std::size_t, check::KlEValue>> kl;
  for (const check::Plan* plan : claims.bound_plans()) {
    kl.push_back(check::kl_evalues(*plan, sweep));
    add_credit(kl.back(), *plan, source, sweep.plan().settings().clock);
  }
  if (claims.reads_responses()) source.each([&](const RolloutRecord& r) { claims.add(r); });
  return claims.open(
      sweep, floor, extras, std::move(kl), result.settings, result.source.hash, result.cells);
}

/// "25 cells of CLAIM count as 5.1 (min-p)"
std::vector<std::string> joint_texts(const std::vector<check::Joint>& joints,
                                     const std::vector<check::Case>& cases) {
  std::vector<std::string> all;
  for (const check::Joint& joint : joints)
    for (const check::Case& c : cases) {
      if (c.claim != joint.claim) continue;
      all.push_back(std::to_string(joint.cells) + " cells of " + c.verdict.claim + " count as " +
                    report::number(std::round(10.0 * joint.effective) / 10.0) + " (min-p)");
      break;
    }
  return all;
}

void write_init(const Options& o,
                const report::Result& result,
                const measure::Sweep& sweep,
                double floor) {
  const InitText init = init_claims(result, sweep, floor);
  report::write_whole(o.init, init.text);
  if (o.output.quiet || o.output.json_to_stdout()) return;
  print(o.init + ": " + std::to_string(init.claims) +
        " claims on today's numbers; next: gammascope check LOG " + o.init + "\n");
}

ExitStatus run(Options o) {
  o.sort_inputs();
  std::vector<std::string> inputs = o.log.logs;
  inputs.insert(inputs.end(), o.claims.begin(), o.claims.end());
  check_output(o.output, inputs);
  check_files(o);
  const bool accept = o.accept_no_evidence();
  const auto junit_inconclusive =
      word<report::JunitInconclusive>("--junit-inconclusive", o.junit_inconclusive);
  report::Result result;
  result.verb = "check";
  o.describe(result.settings);
  check::Settings settings = o.settings();
  const bool bounded = !settings.bounds.empty();
  std::vector<report::ClaimsFile> files = read_claims(o.claims, o.typed());
  require_settings(files, result.settings);
  const unsigned threads = o.cells.thread_count();
  const LogSource source(o.log, o.output.quiet);
  const FirstPass first = source.first_pass();
  refuse_untrusted(source, first, o.output.force);
  const measure::Settings how = settings_of(o.cells, first);
  ClaimsRun claims(std::move(files), settings, how, first.survey.longest());
  settings.cells = cells_of(o.cells, first);
  std::optional<check::Plan> plan;
  if (bounded && !o.init_given) plan = check::plan(settings, how, first.survey.longest());
  std::vector<measure::CellSpec> cells = plan ? plan->cells : claims.cells();
  if (plan)
    for (const auto& cell : claims.cells()) cells.push_back(cell);
  // --init measures what the options ask for; claims on responses alone still count them.
  if (o.init_given || cells.empty()) cells = settings.cells;
  const measure::Sweep sweep = source.measure(measure::Plan(how, cells), threads, first);
  result.source = source_of(source, first);
  const double floor = noise_floor(o.cells, first);
  check::Extras extras;
  extras.largest_delta = first.inputs.max_delta();
  extras.no_prefix_law = no_prefix_law(source, first);
  extras.prompts = first.survey.prompts();
  if (plan || o.init_given)
    for (const auto& cell : settings.cells)
      if (const auto place = sweep.plan().index_of(cell))
        result.cells.push_back(measure::estimate(sweep, *place, floor).variance);
  result.findings = findings_of(first, o.cells);
  const double alpha = 1.0 - o.cells.confidence_level();
  if (o.init_given) {
    settle(result.settings, o.cells, first);
    result.summary = "the baseline of " + o.init + ".";
    write_init(o, result, sweep, floor);
    if (o.output.json_given || !o.output.out.empty()) write_output(result, o.output, &first.tails);
    return ExitStatus::ok;
  }
  std::vector<check::Case> cases =
      bound_cases(plan ? &*plan : nullptr, source, sweep, floor, extras);
  for (check::Case& c : claim_cases(claims, source, sweep, floor, extras, result))
    cases.push_back(std::move(c));
  const auto joints =
      check::adjust(cases, alpha, word<check::Multiplicity>("--multiplicity", o.multiplicity));
  const auto joint = joint_texts(joints, cases);
  for (check::Case& c : cases) {
    check::close(c, alpha);
    result.verdicts.push_back(std::move(c.verdict));
  }
  settle(result.settings, o.cells, first);
  result.summary = broken_rules(result.findings) + summary_of(result.verdicts, joint, alpha);
  if (o.github) {
    // A runner reads both streams; JSON on standard output stays JSON.
    const std::string lines = report::to_github(result);
    o.output.json_to_stdout() ? void(std::fputs(lines.c_str(), stderr)) : print(lines);
  }
  if (!o.junit.empty()) report::write_whole(o.junit, report::to_junit(result, junit_inconclusive));
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
  app.get_option("LOG")->description(
      "logs (canonical JSONL, plain, gzip, zstd, or store directories; - is standard input), and "
      "claims files: names that end in .toml (docs/claims.md)");
  app.add_option("--claims", o->claims, "claims files, one or a list")
      ->delimiter(',')
      ->type_name("FILE")
      ->group(group);
  app.add_option(
         "--claim",
         o->claim,
         "a claim, repeatable: QUANTITY(ARGUMENT=X, ...) <= LIMIT | >= LIMIT | within BAND of "
         "LIMIT; a limit is a number, a bound, or the result.json of an earlier run")
      ->type_name("TEXT")
      ->expected(1)
      ->take_all()
      ->group(group);
  app.add_option(
         "--init",
         o->init,
         "instead of judging: write a claims file with today's numbers, a band and the hash of "
         "this baseline")
      ->expected(0, 1)
      ->default_str("claims.toml")
      ->type_name("[FILE]")
      ->group(group);
  app.add_option("--bound",
                 o->bound,
                 "theorem_3_3 (finite and infinite) | on_policy | sharp (v1 and d) | drift | kl, "
                 "one or a list (default: theorem_3_3 unless there are claims)")
      ->group(group);
  app.add_option(
         "--multiplicity",
         o->multiplicity,
         "several claims share one error rate: holm | maxt (one claim over a grid jointly) | "
         "auto (maxt above 8 cells)")
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
  const std::string where = "where the answer goes";
  app.add_option("--junit", o->junit, "JUnit file: one test case a claim")
      ->type_name("FILE")
      ->group(where);
  app.add_option("--junit-inconclusive",
                 o->junit_inconclusive,
                 "what claims without evidence are there: skipped | failure")
      ->type_name("WORD")
      ->group(where)
      ->capture_default_str();
  app.add_flag("--github", o->github, "annotations for GitHub")->group(where);
  app.footer(
      "Exit status: 0 all pass, 1 a claim failed or the log breaks a rule, 2 no evidence "
      "(inconclusive, identity, "
      "degenerate).\n\nExample:\n  gammascope check examples/data/sums.jsonl.zst --gamma 0.9,0.99");
  return [o, &app] {
    o->init_given = app.count("--init") > 0;
    if (o->init_given && o->init.empty()) o->init = "claims.toml";
    return run(*o);
  };
}

}  // namespace gammascope::cli
