// SPDX-License-Identifier: MIT
#include <memory>

#include <CLI/CLI.hpp>

#include "analysis/cli/copy_log.hpp"
#include "analysis/cli/verb.hpp"

namespace gammascope::cli {

namespace {

ExitStatus run(const CopyOptions& o) {
  report::Result result;
  result.verb = "convert";
  o.log.describe(result.settings);
  result.settings.emplace_back("output", o.to);
  copy_log(
      o, [](LogHeader&) {}, [](RolloutRecord&, const std::string&) {}, result);
  write_copy_output(o, result);
  return ExitStatus::ok;
}

}  // namespace

Action setup_convert(CLI::App& app) {
  const auto o = std::make_shared<CopyOptions>();
  add_copy_options(app, *o);
  app.footer(
      "Several logs become one. Nothing is lost between JSONL and store; fields that are not in "
      "the "
      "format are left out and named.\n\n"
      "Example:\n  gammascope convert examples/data/sums.jsonl.zst -o sums.store");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
