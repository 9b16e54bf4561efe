// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <type_traits>

#include <CLI/CLI.hpp>

#include "analysis/cli/output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/core/read_text.hpp"
#include "analysis/report/config_toml.hpp"

namespace gammascope::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string config;
  OutputOptions output;
};

/// Where an answer goes and what is asked of `run` itself: never in a file.
constexpr std::array of_run{"json", "out", "force", "quiet", "help", "h", "version"};

std::string text_of(double x) {
  std::array<char, 40> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  return {buffer.data(), end};
}
std::string text_of(std::int64_t x) { return std::to_string(x); }
const std::string& text_of(const std::string& x) { return x; }

/// The option as it stood on the command line; an empty text is an option that was not given.
/// @param repeated each text of a list is an option of its own
void append(std::vector<std::string>& args, const report::ConfigOption& option, bool repeated) {
  const std::string start = "--" + option.name;
  std::visit(
      [&](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          if (v) args.push_back(start);
        } else if constexpr (std::is_same_v<T, std::string> || std::is_arithmetic_v<T>) {
          const std::string text = text_of(v);
          if (!text.empty()) args.push_back(start + "=" + text);
        } else if (repeated) {
          for (const auto& part : v) args.push_back(start + "=" + text_of(part));
        } else {
          std::string list;
          for (const auto& part : v) list += (list.empty() ? "" : ",") + text_of(part);
          args.push_back(start + "=" + list);
        }
      },
      option.value);
}

/// Verb and options as a command line. @throws BadData for an option that the verb does not have,
/// or whose value is of another kind
std::vector<std::string> arguments_of(const report::Config& config, const std::string& file) {
  const auto verb = std::ranges::find_if(verbs(), [&](const Verb& v) {
    return v.name != std::string("run") && config.verb == v.name;
  });
  if (verb == verbs().end())
    throw BadData({file, 0, "verb", "no such verb: '" + shortened(config.verb) + "'"});
  CLI::App app;
  const Action lives_as_long_as_the_options = verb->setup(app);
  std::vector<std::string> args{config.verb};
  for (const report::ConfigOption& option : config.options) {
    const auto refuse = [&](const std::string& rule) {
      throw BadData({file, option.line, "options." + shortened(option.name), rule});
    };
    if (std::ranges::find(of_run, option.name) != of_run.end())
      refuse("belongs on the command line of `gammascope run`, not in its file");
    const CLI::Option* const known = app.get_option_no_throw("--" + option.name);
    if (known == nullptr) refuse("no such option of " + config.verb);
    const bool flag = known->get_items_expected_max() == 0;
    if (flag != std::holds_alternative<bool>(option.value))
      refuse(flag ? "must be true or false" : "must be a number, a text or a list");
    append(args, option, known->get_items_expected_max() > 1);
  }
  return args;
}

/// Into the folder of the first run, from which the names in the file were given; what this command
/// line names is seen from where it was typed. @return the folder
fs::path enter_folder(const report::Config& config, const std::string& file, OutputOptions& to) {
  if (to.json_to_file()) to.json = fs::absolute(to.json).string();
  if (!to.out.empty()) to.out = fs::absolute(to.out).string();
  std::error_code error;
  fs::path folder = fs::current_path(error);
  if (!config.folder.empty() && file != "-") {
    const fs::path named = fs::canonical(file, error).parent_path() / config.folder;
    folder = fs::canonical(named, error);
    if (!error) fs::current_path(folder, error);
    if (error)
      throw NoInput(file + ": folder: there is no " + named.lexically_normal().string() +
                    ", in which the first run was made");
  }
  for (const std::string& name : config.files)
    if (name != "-" && !fs::exists(name, error))
      throw NoInput(file + ": files: there is no " + name + " in " + folder.string());
  return folder;
}

ExitStatus run(const Options& o) {
  constexpr std::size_t most = std::size_t{16} << 20;
  const report::Config config = report::from_toml(read_text(o.config, most), o.config);
  std::vector<std::string> args = arguments_of(config, o.config);
  OutputOptions to = o.output;
  const fs::path folder = enter_folder(config, o.config, to);
  if (to.json_given) args.push_back(to.json.empty() ? "--json" : "--json=" + to.json);
  if (!to.out.empty()) args.push_back("--out=" + to.out);
  if (to.force) args.emplace_back("--force");
  if (to.quiet) args.emplace_back("--quiet");
  args.emplace_back("--");
  args.insert(args.end(), config.files.begin(), config.files.end());
  const auto status = static_cast<ExitStatus>(run_command(std::move(args)));
  if (status == ExitStatus::no_input)
    std::fprintf(
        stderr, "gammascope: names in %s are seen from %s\n", o.config.c_str(), folder.c_str());
  return status;
}

}  // namespace

Action setup_run(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  app.add_option("CONFIG",
                 o->config,
                 "config.toml of an earlier run; its files are found from wherever it is repeated, "
                 "as long as they lie where they lay, or were moved together with it")
      ->required();
  add_output_options(app, o->output);
  app.footer(
      "Example:\n  gammascope measure examples/data/sums.jsonl.zst --out first --quiet && "
      "gammascope run first/config.toml");
  return [o] { return run(*o); };
}

}  // namespace gammascope::cli
