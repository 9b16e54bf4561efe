// SPDX-License-Identifier: MIT
#include <limits>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "analysis/cli/options.hpp"
#include "analysis/cli/output.hpp"
#include "analysis/cli/process_source.hpp"
#include "analysis/cli/progress.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/core/interrupt.hpp"
#include "analysis/io/apply_nonfinite.hpp"
#include "analysis/io/column_states.hpp"
#include "analysis/io/json.hpp"
#include "analysis/io/line_error.hpp"
#include "analysis/io/log_writer.hpp"
#include "analysis/io/prompt_hash.hpp"
#include "simulators/markov/sampler.hpp"

namespace gammascope::cli {

namespace {

struct Options {
  ProcessOptions process;
  OutputOptions output;
  LogOptions log;  // of which --nonfinite alone is offered
  std::string prompts = "128", samples = "4", seed = "1", to;
};

/// What the header says besides what the draws need.
LogHeader header_of(const markov::Sampler& sampler, const ProcessSource& source) {
  LogHeader header = sampler.header();
  io::Json raw;
  raw["task"] = "simulated: " + source.name;
  header.task = raw["task"].get<std::string>();
  header.raw = raw.dump();
  return header;
}

/// A teacher log-probability of exactly -100, say, is a sentinel to every reader: said here, not
/// when the log is read.
io::Treated treat(const io::NonFinitePolicy& policy,
                  RolloutRecord& rollout,
                  const std::string& process) {
  io::NonFiniteCounts bad;
  try {
    return io::apply_nonfinite(policy, rollout, bad, "student_logprobs", "teacher_logprobs");
  } catch (const io::LineError& error) {
    throw BadData({process, 0, error.field, error.rule});
  }
}

std::string sentence(const report::Source& s, const std::string& to, std::int64_t cut_at) {
  std::string text = "wrote " + std::to_string(s.rollouts) + " rollouts of " +
                     std::to_string(s.prompts) + " prompts, " + std::to_string(s.tokens) +
                     " tokens, " + std::to_string(s.truncated) + " cut at " +
                     std::to_string(cut_at);
  for (const auto& [what, count] : s.dropped)
    if (count > 0) text += ", " + what + " " + std::to_string(count);
  return text + ": " + to;
}

ExitStatus run(const Options& o) {
  check_output(o.output, o.process.inputs(), o.to);
  const std::int64_t prompts = integer("--prompts", o.prompts, 1);
  const std::int64_t samples = integer("--samples", o.samples, 1);
  const std::int64_t seed = integer("--seed", o.seed, 0);
  if (prompts > std::numeric_limits<std::int64_t>::max() / samples)
    throw UsageError("--prompts: " + o.prompts + " times " + o.samples +
                     " samples are more responses than can be counted");
  if (samples > std::numeric_limits<std::int32_t>::max())
    throw UsageError("--samples: '" + o.samples + "' is not below 2^31");
  const io::NonFinitePolicy policy = o.log.read_options().nonfinite;
  const ProcessSource source = load_process(o.process);
  if (source.max_length > std::numeric_limits<std::int32_t>::max())
    throw UsageError("--max-length: " + std::to_string(source.max_length) +
                     " is not below 2^31 tokens");
  if (!source.realisable)
    throw UsageError(source.name +
                     ": no teacher has these log-ratios (its probabilities would sum to more than "
                     "1), so there is no log of them; `gammascope exact` takes it");
  const markov::Sampler sampler(
      source.mixture, source.max_length, static_cast<std::uint64_t>(seed));
  if (sampler.meets_minus_infinity() && policy.kind == io::NonFinitePolicy::Kind::error)
    throw BadData({source.name,
                   0,
                   "teacher",
                   "a token that the student emits has teacher probability 0, so its log-ratio is "
                   "minus infinity; --nonfinite drop-rollout, mask-token or \"clip C\" goes on"});

  const LogHeader header = header_of(sampler, source);
  const auto writer = io::open_writer(o.to, header, {o.output.force});
  report::Source counts = source.source;
  RolloutRecord rollout;
  io::ColumnStates columns;
  std::int64_t dropped = 0, masked = 0, clipped = 0;
  {
    Progress progress("simulating", "rollouts", prompts * samples, o.output.quiet);
    for (std::int64_t p = 0; p < prompts; ++p) {
      const std::string id = "p" + std::to_string(p);
      const std::uint64_t hash = io::prompt_hash(id);
      for (std::int64_t k = 0; k < samples; ++k) {
        stop_if_interrupted();
        sampler.sample({id, hash, static_cast<std::uint32_t>(k)}, rollout);
        progress.step();
        if (treat(policy, rollout, source.name) == io::Treated::dropped) {
          ++dropped;
          continue;
        }
        masked += rollout.masked_bad;
        clipped += rollout.clipped;
        ++counts.rollouts;
        counts.tokens += static_cast<std::int64_t>(rollout.student_logprob.size());
        counts.truncated += rollout.finish == FinishReason::length ? 1 : 0;
        columns.add(rollout);
        writer->write(rollout);
      }
    }
  }
  if (counts.rollouts == 0)
    throw BadData({source.name, 0, "", "every response was dropped by --nonfinite, none is left"});
  writer->close();
  counts.prompts = prompts;
  if (dropped > 0) counts.dropped["rollouts_dropped"] = dropped;
  if (masked > 0) counts.dropped["tokens_masked"] = masked;
  if (clipped > 0) counts.dropped["tokens_clipped"] = clipped;

  report::Result result;
  result.verb = "simulate";
  o.process.describe(result.settings, source.max_length);
  result.settings.emplace_back("nonfinite", o.log.nonfinite);
  result.settings.emplace_back("prompts", prompts);
  result.settings.emplace_back("samples", samples);
  result.settings.emplace_back("seed", seed);
  result.settings.emplace_back("output", o.to);
  result.source = counts;
  result.summary = sentence(counts, o.to, source.max_length);
  std::string constant;
  for (const auto& [column, field] : {std::pair(io::Column::student_logprob, "student_logprobs"),
                                      std::pair(io::Column::teacher_logprob, "teacher_logprobs")})
    if (columns[column].state == io::ColumnState::constant)
      constant += std::string(constant.empty() ? "" : ", ") + field;
  if (!constant.empty())
    result.summary += "; the same at every token: " + constant +
                      ", which readers take for not recorded, so nothing can be measured on this "
                      "log; `gammascope exact` has its numbers";
  OutputOptions output = o.output;
  if (o.to == "-") output.quiet = true;  // standard output is the log
  write_output(result, output, nullptr, result.summary + "\n");
  return ExitStatus::ok;
}

}  // namespace

Action setup_simulate(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  add_process_options(app, o->process);
  const std::string group = "what is drawn";
  app.add_option("--prompts", o->prompts, "prompts")->group(group)->capture_default_str();
  app.add_option("--samples", o->samples, "responses a prompt")
      ->group(group)
      ->capture_default_str();
  app.add_option("--seed", o->seed, "same seed, same rollouts, in whatever order they are drawn")
      ->group(group)
      ->capture_default_str();
  app.add_option("--nonfinite",
                 o->log.nonfinite,
                 "tokens the teacher never emits: error | drop-rollout | mask-token | \"clip C\"")
      ->group(group)
      ->capture_default_str();
  app.add_option("-o,--output",
                 o->to,
                 "the log: *.jsonl, *.jsonl.gz, *.jsonl.zst, else a store directory; - is "
                 "standard output")
      ->required()
      ->type_name("OUT")
      ->group(group);
  add_output_options(app, o->output);
  app.footer(
      "Example:\n  gammascope simulate --family ergodic --prompts 64 --max-length 128 -o "
      "ergodic.jsonl && gammascope ergodic.jsonl");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
