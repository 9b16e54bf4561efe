// SPDX-License-Identifier: MIT
// Runs gnuplot: the one place that starts another program. Tests:
// tests/analysis/report/test_gnuplot.cpp
#pragma once

#include <filesystem>
#include <span>

#include "analysis/report/plot.hpp"

namespace gammascope::report {

/// Writes NAME.tsv and NAME.gp of every plot into `folder` (made if missing).
/// @throws NoInput naming the file that cannot be written
void write_plot_sources(std::span<const Plot> plots, const std::filesystem::path& folder);

/// Writes the sources of every plot first, then draws NAME.png and NAME.svg. About 0.2 s a plot. A
/// gnuplot that dies early does not kill the caller (SIGPIPE is held off in this thread meanwhile);
/// the user's own gnuplot settings are not read.
/// @throws Unavailable if there is no gnuplot on PATH, naming the package, or with gnuplot's own
/// words if it
///   ends in an error; NoInput as above
void draw(std::span<const Plot> plots, const std::filesystem::path& folder);

}  // namespace gammascope::report
