// SPDX-License-Identifier: MIT
// The live monitor over 300 steps of 32 prompts with 4 rollouts: false alarms, delays.
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/stats/e_process.hpp"
#include "tests/calibration/coverage.hpp"
#include "tests/calibration/sample.hpp"
#include "tests/calibration/tables.hpp"

namespace gammascope::calibration {
namespace {

constexpr std::int64_t steps = 300, change = 100;
constexpr std::size_t prompts = 32;

/// Step of the first alarm. The planted fault gives every start the weight 1.
std::optional<std::int64_t> alarm(
    const Law& law, Draw& random, Fault fault, double before, double after) {
  stats::EProcessSettings settings;
  settings.bound = law.variance;
  stats::EProcess watch(settings);
  Sample sample;
  for (std::int64_t t = 1; t <= steps; ++t) {
    sample.draw(law, prompts, random, std::sqrt(t <= change ? before : after));
    watch.add_step(sample.sums());
    if (fault == Fault::no_start_weights) {
      if (watch.log_detector() >= watch.log_threshold()) return t;
    } else if (watch.state().alarm) {
      return watch.state().alarm;
    }
  }
  return std::nullopt;
}

}  // namespace

Table watch_table(const std::vector<Law>& laws, const Run& run) {
  Table table;
  table.text =
      "| law | false alarms at Var = b | found at 1.25 b, median delay | at 1.5 b | at 2 b "
      "|\n|---|---|---|---|---|\n";
  const std::uint32_t runs = std::max(run.replicates / 4, std::min(run.replicates, 100u));
  // Longest median delay promised at 2 b, in steps; 0: measured and printed.
  const std::vector<std::pair<std::string, double>> rows{{"normal", 6},
                                                         {"icc .9", 6},
                                                         {"frozen t5", 6},
                                                         {"frozen t3", 6},
                                                         {"log-normal tokens", 15},
                                                         {"icc .9, t5", 0},
                                                         {"near-attaining, p = .01", 0}};
  for (const auto& [name, longest] : rows_of(run, rows, 1)) {
    const Law& l = law(laws, name);
    std::vector<unsigned char> wrong(runs);
    each_replicate(run, runs, [&](std::uint32_t r) {
      Draw random(stream_of(l.name + " healthy"), r);
      wrong[r] = alarm(l, random, run.fault, 1, 1) ? 1 : 0;
    });
    double false_alarms = 0;
    for (const unsigned char w : wrong) false_alarms += 100.0 * w / runs;
    table.text += "| " + l.name + " | " + fixed(false_alarms, 1);
    if (longest > 0)
      table.gates.push_back({"watch, false alarms, " + l.name,
                             false_alarms,
                             0,
                             5 + (runs < 1000 ? three_errors(5, runs) : 0)});
    for (const double excess : {1.25, 1.5, 2.0}) {
      std::vector<double> delay(runs);
      each_replicate(run, runs, [&](std::uint32_t r) {
        Draw random(stream_of(l.name + " excess", static_cast<std::uint64_t>(100 * excess)), r);
        const auto at = alarm(l, random, run.fault, 0.8, excess);
        delay[r] = at && *at > change ? static_cast<double>(*at - change) : 1e9;
      });
      double found = 0;
      for (const double d : delay) found += d < 1e9 ? 100.0 / runs : 0;
      const double typical = median(delay);
      table.text += " | " + fixed(found, 0) + " %, " +
                    (typical < 1e9 ? fixed(typical, 0) : std::string("more than 200"));
      if (excess == 2.0 && longest > 0)
        table.gates.push_back({"watch, delay at 2 b, " + l.name, typical, 0, longest});
    }
    table.text += " |\n";
  }
  return table;
}

}  // namespace gammascope::calibration
