// SPDX-License-Identifier: MIT
#include <memory>
#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>

#include "analysis/cli/copy_log.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/core/gamma.hpp"
#include "analysis/credit/discounted_advantage.hpp"
#include "analysis/credit/rbm_advantage.hpp"
#include "analysis/io/json.hpp"

namespace gammascope::cli {

namespace {

struct Options {
  CopyOptions copy;
  std::string gamma, clock = "skip";
  bool rbm = false;
};

/// The advantages of one response, in place of those it had.
void add_credit(RolloutRecord& r,
                Gamma gamma,
                Clock clock,
                bool rbm,
                const std::string& file,
                const std::string& where) {
  const auto refuse = [&](const std::string& field, const std::string& rule) {
    throw BadData({file, 0, field, where + ": " + rule});
  };
  if (r.student_logprob.size() != r.teacher_logprob.size())
    refuse(r.student_logprob.empty() ? "student_logprobs" : "teacher_logprobs",
           "is not recorded, so there is no log-ratio");
  try {
    discounted_advantage(r.view(), gamma, clock, r.advantage);
  } catch (const std::invalid_argument& error) {
    refuse("turn", error.what());
  }
  if (!rbm) return;
  if (!r.reward || (*r.reward != 1 && *r.reward != -1))
    refuse("reward",
           r.reward ? "--rbm needs -1 or +1, is " + io::Json(*r.reward).dump()
                    : std::string("--rbm needs -1 or +1, is not recorded"));
  rbm_advantage(r.advantage, *r.reward);
}

ExitStatus run(const Options& o) {
  const double value = number("--gamma", o.gamma);
  if (!(value >= 0 && value <= 1)) throw UsageError("--gamma: '" + o.gamma + "' is not in [0, 1]");
  const Gamma gamma(value);
  const auto clock = word<Clock>("--clock", o.clock);
  report::Result result;
  result.verb = "credit";
  o.copy.log.describe(result.settings);
  result.settings.emplace_back("gamma", value);
  result.settings.emplace_back("clock", o.clock);
  result.settings.emplace_back("rbm", o.rbm);
  result.settings.emplace_back("output", o.copy.to);
  const std::string file = o.copy.log.logs.size() == 1 ? o.copy.log.logs[0] : "the logs";
  copy_log(
      o.copy,
      [&](LogHeader& header) {
        // Without this nobody could say later what the numbers are.
        io::Json raw = io::parse_json(header.raw, file);
        raw["credit"] = {{"gamma", value}, {"clock", o.clock}, {"rbm", o.rbm}};
        header.raw = raw.dump();
        header.present = true;
      },
      [&](RolloutRecord& r, const std::string& where) {
        add_credit(r, gamma, clock, o.rbm, file, where);
      },
      result);
  write_copy_output(o.copy, result);
  return ExitStatus::ok;
}

}  // namespace

Action setup_credit(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  const std::string group = "what is computed";
  add_copy_options(app, o->copy);
  app.add_option("--gamma", o->gamma, "the discount, one number in [0, 1]")
      ->required()
      ->group(group);
  app.add_option("--clock", o->clock, "gamma at masked tokens: skip | count | reset | turn")
      ->group(group)
      ->capture_default_str();
  app.add_flag(
         "--rbm", o->rbm, "reward-bounded mixing of A with the reward, which must be -1 or +1")
      ->group(group);
  app.footer(
      "Writes the log with `advantages`, nats, one a token: A_t = -sum gamma^k Delta_{t+k}, to the "
      "end of the response; null at masked tokens. The header says gamma, clock and rbm.\n\n"
      "Example:\n  gammascope credit examples/data/sums.jsonl.zst --gamma 0.99 -o credit.jsonl");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
