// SPDX-License-Identifier: MIT
// Runs the suite and prints one line per row: achieved ratio, target, absolute speed for
// orientation.
//   bench [--gate] [--filter TEXT] [--repetitions N]
// --gate: exit status 1 if a row is below half of its target, less a tenth for the scatter between
// runs (docs/performance.md says why half).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "tests/bench/bench.hpp"

namespace gammascope::bench {
namespace {

/// Keeps the CPU time per item of every repetition, prints nothing.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration && !run.error_occurred)
        seconds_[run.run_name.function_name].push_back(run.cpu_accumulated_time /
                                                       static_cast<double>(run.iterations));
  }
  /// Lower quartile of seconds a pass; 0 if it never ran.
  [[nodiscard]] double lower_quartile(const std::string& name) const {
    const auto found = seconds_.find(name);
    if (found == seconds_.end()) return 0.0;
    std::vector<double> sorted = found->second;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 4];
  }

 private:
  std::map<std::string, std::vector<double>> seconds_;
};

struct Options {
  bool gate = false;
  std::string filter;
  int repetitions = 12;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--gate")
      options.gate = true;
    else if (argument == "--filter" && i + 1 < argc)
      options.filter = argv[++i];
    else if (argument == "--repetitions" && i + 1 < argc)
      options.repetitions = std::max(1, std::atoi(argv[++i]));
    else {
      std::fprintf(stderr, "bench [--gate] [--filter TEXT] [--repetitions N]\n");
      std::exit(64);
    }
  }
  return options;
}

/// Seconds as a rate of items, with a prefix.
std::string rate(double items, double seconds, const std::string& unit) {
  double value = items / seconds;
  const char* prefix = "";
  for (const char* p : {"k", "M", "G"})
    if (value >= 1000) {
      value /= 1000;
      prefix = p;
    }
  char text[96];
  std::snprintf(text, sizeof text, "%.3g %s %s/s", value, prefix, unit.c_str());
  return text;
}

int run(const Options& options) {
  Suite suite;
  add_ceilings(suite);
  add_credit(suite);
  add_measure(suite);
  add_simulators(suite);
  add_io(suite);
  std::map<std::string, const Timed*> by_name;
  for (const Timed& t : suite.timed) by_name[t.name] = &t;
  std::erase_if(suite.rows,
                [&](const Row& r) { return r.row.find(options.filter) == std::string::npos; });

  for (const auto& [name, timed] : by_name) {
    const bool asked = std::ranges::any_of(
        suite.rows, [&n = name](const Row& r) { return r.row == n || r.ceiling == n; });
    if (!asked) continue;
    benchmark::RegisterBenchmark(name.c_str(),
                                 [timed = timed](benchmark::State& state) {
                                   for (auto _ : state) timed->pass();
                                 })
        ->MeasureProcessCPUTime()
        ->Repetitions(options.repetitions)
        ->MinTime(0.02);
  }
  std::vector<std::string> words{"bench", "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  auto count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::Shutdown();

  int below = 0;
  std::printf("%-46s %9s %9s  %s\n", "row", "ratio", "target", "speed (for orientation)");
  for (const Row& row : suite.rows) {
    const Timed& timed = *by_name.at(row.row);
    const Timed& ceiling = *by_name.at(row.ceiling);
    const double seconds = collector.lower_quartile(timed.name);
    const double per_item = seconds / timed.items;
    const double best = collector.lower_quartile(ceiling.name) / ceiling.items * row.ceiling_items;
    const bool share = row.target.kind == Target::Kind::share_at_least;
    const double ratio = share ? best / per_item : per_item / best;
    const bool met = share ? ratio >= row.target.value : ratio <= row.target.value;
    constexpr double least = 0.5 * 0.9;
    const bool half = share ? ratio >= row.target.value * least : ratio <= row.target.value / least;
    if (!half) ++below;
    std::printf("%-46s %9.3f %s %7.3f  %s; ceiling %s%s\n",
                timed.name.c_str(),
                ratio,
                share ? ">=" : "<=",
                row.target.value,
                rate(timed.items, seconds, timed.unit).c_str(),
                rate(ceiling.items, collector.lower_quartile(ceiling.name), ceiling.unit).c_str(),
                met    ? ""
                : half ? "; below target"
                       : "; BELOW HALF");
  }
  std::printf("%d of %zu rows below half of their target\n", below, suite.rows.size());
  return options.gate && below > 0 ? 1 : 0;
}

}  // namespace
}  // namespace gammascope::bench

int main(int argc, char** argv) {
  return gammascope::bench::run(gammascope::bench::parse(argc, argv));
}
