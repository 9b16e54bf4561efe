// SPDX-License-Identifier: MIT
// A verb of the command line: one cmd_<verb>.cpp with one setup function, and one line in
// verbs.cpp's table.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/core/errors.hpp"

namespace CLI {
class App;
}

namespace gammascope::cli {

/// What a verb does once its options are parsed; errors are exceptions of core/errors.hpp.
using Action = std::function<ExitStatus()>;

/// Declares a verb's options on `app` (they live as long as the returned action) and sets its
/// footer: a worked example that a test runs as printed.
using Setup = Action (*)(CLI::App& app);

Action setup_check(CLI::App& app);
Action setup_compare(CLI::App& app);
Action setup_convert(CLI::App& app);
Action setup_credit(CLI::App& app);
Action setup_exact(CLI::App& app);
Action setup_look(CLI::App& app);
Action setup_measure(CLI::App& app);
Action setup_merge(CLI::App& app);
Action setup_plot(CLI::App& app);
Action setup_prove(CLI::App& app);
Action setup_report(CLI::App& app);
Action setup_run(CLI::App& app);
Action setup_simulate(CLI::App& app);

struct Verb {
  const char* name;
  const char* group;    ///< of --help
  const char* summary;  ///< one line
  Setup setup;
};

/// All verbs, in the order of --help; `look` is what a command without a verb does.
[[nodiscard]] std::span<const Verb> verbs();
[[nodiscard]] bool is_verb(const std::string& word);

/// Parses and runs one command; `args` without the program's name. Errors go to standard error, the
/// exit status is returned.
[[nodiscard]] int run_command(std::vector<std::string> args);

}  // namespace gammascope::cli
