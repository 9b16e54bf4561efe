// SPDX-License-Identifier: MIT
// A verb of the command line: one cmd_<verb>.cpp with one setup function, and one line in
// main.cpp's table.
#pragma once

#include <functional>

#include "analysis/core/errors.hpp"

namespace CLI {
class App;
}

namespace gammascope::cli {

/// What a verb does once its options are parsed; errors are exceptions of core/errors.hpp.
using Action = std::function<ExitStatus()>;

/// Declares a verb's options on `app` (options live as long as the returned action) and sets its
/// footer: a worked example that a test runs as printed.
using Setup = Action (*)(CLI::App& app);

Action setup_check(CLI::App& app);
Action setup_convert(CLI::App& app);
Action setup_credit(CLI::App& app);
Action setup_exact(CLI::App& app);
Action setup_look(CLI::App& app);
Action setup_measure(CLI::App& app);
Action setup_plot(CLI::App& app);
Action setup_report(CLI::App& app);
Action setup_run(CLI::App& app);
Action setup_simulate(CLI::App& app);

}  // namespace gammascope::cli
