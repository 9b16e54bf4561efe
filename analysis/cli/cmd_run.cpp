// SPDX-License-Identifier: MIT
#include <charconv>
#include <memory>
#include <type_traits>

#include <CLI/CLI.hpp>

#include "analysis/cli/output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/report/config_toml.hpp"
#include "analysis/report/files.hpp"

namespace gammascope::cli {

namespace {

struct Options {
  std::string config;
  OutputOptions output;
};

std::string text_of(double x) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}
std::string text_of(std::int64_t x) { return std::to_string(x); }
const std::string& text_of(const std::string& x) { return x; }

/// The option as it stood on the command line; an empty text is an option that was not given.
void append(std::vector<std::string>& args,
            const std::string& option,
            const report::Setting& value) {
  std::visit(
      [&](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          if (v) args.push_back("--" + option);
        } else if constexpr (std::is_same_v<T, std::string> || std::is_arithmetic_v<T>) {
          const std::string text = text_of(v);
          if (!text.empty()) args.push_back("--" + option + "=" + text);
        } else {
          std::string list;
          for (const auto& part : v) list += (list.empty() ? "" : ",") + text_of(part);
          if (!list.empty()) args.push_back("--" + option + "=" + list);
        }
      },
      value);
}

ExitStatus run(const Options& o) {
  const report::Config config = report::from_toml(report::read_file(o.config), o.config);
  if (config.verb == "run" || !is_verb(config.verb))
    throw BadData({o.config, 0, "verb", "no such verb: '" + config.verb + "'"});
  std::vector<std::string> args{config.verb};
  for (const auto& [option, value] : config.options) append(args, option, value);
  const OutputOptions& to = o.output;
  if (to.json_given) args.push_back(to.json.empty() ? "--json" : "--json=" + to.json);
  if (!to.out.empty()) args.push_back("--out=" + to.out);
  if (to.force) args.emplace_back("--force");
  if (to.quiet) args.emplace_back("--quiet");
  args.emplace_back("--");
  args.insert(args.end(), config.files.begin(), config.files.end());
  return static_cast<ExitStatus>(run_command(std::move(args)));
}

}  // namespace

Action setup_run(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  app.add_option("CONFIG",
                 o->config,
                 "config.toml of an earlier run (its files are found from the present folder)")
      ->required();
  add_output_options(app, o->output);
  app.footer(
      "Example:\n  gammascope measure examples/data/sums.jsonl.zst --out first --quiet && "
      "gammascope run first/config.toml");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
