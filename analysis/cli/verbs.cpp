// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>

#include "analysis/cli/output.hpp"
#include "analysis/cli/verb.hpp"
#include "analysis/core/interrupt.hpp"
#include "analysis/core/shortened.hpp"
#include "analysis/core/version.hpp"

namespace gammascope::cli {

namespace {

constexpr const char* look_group = "look";
constexpr const char* decide_group = "decide";
constexpr const char* draw_group = "draw";
constexpr const char* data_group = "data";

constexpr std::array table{
    Verb{"look",
         look_group,
         "what a log is, whether to trust it, Var(A) by gamma (the same as no verb)",
         setup_look},
    Verb{"measure",
         look_group,
         "mean, variance and second moment of the credit A, with limits",
         setup_measure},
    Verb{"compare",
         look_group,
         "two logs, states or results: what changed, what did not, what cannot be told",
         setup_compare},
    Verb{"check",
         decide_group,
         "is the variance of the credit below a bound: Theorem 3.3, on-policy, drift, KL",
         setup_check},
    Verb{"prove",
         decide_group,
         "decide the statements of docs/theory.md, exactly or with certified intervals",
         setup_prove},
    Verb{"exact",
         data_group,
         "mean and variance of the credit of a Markov process, without sampling",
         setup_exact},
    Verb{"simulate", data_group, "a log of responses drawn from a process", setup_simulate},
    Verb{"convert", data_group, "logs into one log: JSONL or store, packed or not", setup_convert},
    Verb{"merge", data_group, "results of parts, kept by measure --state, as one", setup_merge},
    Verb{"credit", data_group, "the log with its advantages A, or Ahat, per token", setup_credit},
    Verb{"plot",
         draw_group,
         "plots of a result or a log: variance against n and gamma, slack of bounds, tails",
         setup_plot},
    Verb{"report", draw_group, "a page of a result or a log that stands alone", setup_report},
    Verb{"run", look_group, "repeat a run from its config.toml", setup_run},
};

/// "--nonfinite clip 5" is one value in two words.
void join_clip(std::vector<std::string>& args) {
  for (std::size_t i = 0; i + 2 < args.size(); ++i)
    if (args[i] == "--nonfinite" && args[i + 1] == "clip") {
      args[i + 1] += " " + args[i + 2];
      args.erase(args.begin() + static_cast<std::ptrdiff_t>(i) + 2);
    }
}

/// Messages quote names and data from outside: control characters, which could move the cursor or
/// hide text, are shown as \xNN; line ends stay.
std::string printable(const std::string& text) {
  constexpr const char* hex = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n') || byte == 0x7f)
      shown.append("\\x").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
    else
      shown += c;
  }
  return shown;
}

/// A file whose name begins with a dash would be taken for options.
void refuse_dashed_names(const std::vector<std::string>& args) {
  for (const std::string& arg : args) {
    if (arg == "--") return;
    std::error_code ignored;
    if (arg.size() > 2 && arg[0] == '-' && std::filesystem::exists(arg, ignored))
      throw UsageError(arg + " is a file, but reads as an option: write ./" + arg +
                       ", or -- before it");
  }
}

/// A word of a message that is longer than any name is cut.
std::string with_short_words(const std::string& text) {
  constexpr std::size_t longest = 300;
  std::string shown;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", from), text.size());
    shown += shortened(std::string_view(text).substr(from, end - from), longest);
    if (end < text.size()) shown += text[end];
    from = end + 1;
  }
  return shown;
}

int complain(ExitStatus status, const std::string& what) {
  std::fprintf(stderr, "gammascope: %s\n", printable(with_short_words(what)).c_str());
  return static_cast<int>(status);
}

int parse_and_run(std::vector<std::string> args) {
  CLI::App app(
      "Measures and verifies what temporal credit does to on-policy distillation.\n\n"
      "  gammascope LOG...            a first look: what the log is, whether to trust it, Var(A) "
      "by gamma\n"
      "  gammascope VERB [OPTIONS]    see gammascope VERB --help");
  app.name("gammascope");
  app.set_version_flag("--version", version_line());
  app.require_subcommand(0, 1);
  app.footer(
      "Exit status: 0 all pass or done, 1 a claim failed, 2 no evidence, 64 usage, 65 bad data, 66 "
      "no such file or not\n"
      "writable, 69 a program is missing, 70 internal, 128 + signal interrupted (ctrl-C "
      "130).\n\nExample:\n  gammascope "
      "examples/data/sums.jsonl.zst");
  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Verb& verb : table) {
    CLI::App* const sub = app.add_subcommand(verb.name, verb.summary)->group(verb.group);
    actions.emplace_back(sub, verb.setup(*sub));
  }
  refuse_dashed_names(args);
  join_clip(args);
  if (!args.empty() && !is_verb(args[0]) && args[0] != "--help" && args[0] != "-h" &&
      args[0] != "--version")
    args.insert(args.begin(), "look");
  if (args.empty()) {
    std::fputs(app.help().c_str(), stderr);
    return static_cast<int>(ExitStatus::usage);
  }
  std::reverse(args.begin(), args.end());  // as the library wants them
  try {
    app.parse(args);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    print(chosen.empty() ? app.help() : chosen[0]->help("gammascope"));
    return 0;
  } catch (const CLI::CallForVersion&) {
    print(version_line() + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string verb = chosen.empty() ? "" : " " + chosen[0]->get_name();
    return complain(ExitStatus::usage,
                    std::string(error.what()) + "\nsee: gammascope" + verb + " --help");
  }
  for (const auto& [sub, action] : actions)
    if (sub->parsed()) return static_cast<int>(action());
  return complain(ExitStatus::usage, "no verb; see: gammascope --help");
}

}  // namespace

std::span<const Verb> verbs() { return table; }

bool is_verb(const std::string& word) {
  return std::any_of(table.begin(), table.end(), [&](const Verb& v) { return word == v.name; });
}

int run_command(std::vector<std::string> args) {
  try {
    return parse_and_run(std::move(args));
  } catch (const Interrupted& error) {
    const int signal = interrupt_signal();
    complain(error.status(), error.what());
    return signal > 0 ? 128 + signal : static_cast<int>(error.status());
  } catch (const Error& error) {
    return complain(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    return complain(ExitStatus::internal, "out of memory");
  } catch (const std::exception& error) {
    return complain(ExitStatus::internal, std::string("internal error: ") + error.what());
  }
}

}  // namespace gammascope::cli
