// SPDX-License-Identifier: MIT
// Measures the calibration of every limit, p-value and alarm against laws whose truth is known, and
// checks it against what is promised.
//   calibration [--replicates N] [--threads N] [--write FILE | --only TITLE]
//   calibration --faults [--threads N]      every planted fault must turn a gate
//   red calibration --threads-agree                              1 and 3 threads must print the
//   same
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "tests/calibration/tables.hpp"

namespace gammascope::calibration {
namespace {

struct Section {
  std::string title;
  Table table;
};

/// @param only sections whose title holds this text
std::vector<Section> measure(const Run& run, const std::string& only = {}) {
  const Pools pools(run);
  const std::vector<Law> all = laws(pools, run);
  std::vector<Section> sections;
  const auto add = [&](const char* title, auto&& table) {
    if (std::string(title).find(only) == std::string::npos) return;
    const auto from = std::chrono::steady_clock::now();
    sections.push_back({title, table()});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
    std::cerr << title << ": " << fixed(took.count(), 1) << " s\n";
  };
  add("Variance (HJS)", [&] { return variance_table(all, run); });
  add("Second moment and mean", [&] { return moments_table(all, run); });
  add("Upper limit under an assumed kurtosis", [&] { return kurtosis_table(all, run); });
  add("Two discounts and growth exponent on one log (HJS2)",
      [&] { return hjs2_table(pools, run); });
  add("Autocovariance", [&] { return autocovariance_table(run); });
  add("Two logs (MOVER)", [&] { return mover_table(all, run); });
  add("Many cells (Holm, min-p)", [&] { return multiplicity_table(pools, run); });
  add("Planted effects and comparisons of a law with itself",
      [&] { return power_table(all, run); });
  add("Claims, from responses to words", [&] { return claims_table(run); });
  add("Live monitor (e-process)", [&] { return watch_table(all, run); });
  return sections;
}

std::string document(const std::vector<Section>& sections, const Run& run) {
  std::string text = "\nReplicates a cell: " + std::to_string(run.replicates) +
                     " (autocovariance at most 1000, planted effects and " +
                     "monitor a quarter). Seed " + std::to_string(Draw::seed) + ".\n";
  for (const Section& s : sections) text += "\n## " + s.title + "\n\n" + s.table.text;
  return text + "\n";
}

/// Puts `text` between the markers of the file. @throws std::runtime_error if it has none
void write_between_markers(const std::string& path, const std::string& text) {
  const std::string begin = "<!-- measured: begin -->", end = "<!-- measured: end -->";
  std::ostringstream old;
  old << std::ifstream(path).rdbuf();
  const std::string all = old.str();
  const auto from = all.find(begin), to = all.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from)
    throw std::runtime_error(path + ": no markers for the measured tables");
  std::ofstream file(path);
  file << all.substr(0, from + begin.size()) << "\n" << text << all.substr(to);
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

int report(const std::vector<Section>& sections) {
  int red = 0, gates = 0;
  for (const Section& s : sections)
    for (const Gate& g : s.table.gates) {
      ++gates;
      if (!g.red()) continue;
      ++red;
      std::cout << "RED " << g.what << ": " << fixed(g.value, 2) << " outside [" << fixed(g.low, 2)
                << ", " << fixed(g.high, 2) << "]\n";
    }
  std::cout << gates << " gates, " << red << " red\n";
  return red == 0 ? 0 : 1;
}

int faults(Run run) {
  run.brief = true;
  const Pools pools(run);
  const std::vector<Law> all = laws(pools, run);
  int missed = 0;
  const auto expect_red =
      [&](const char* what, Fault fault, std::uint32_t replicates, auto&& table) {
        Run planted = run;
        planted.fault = fault;
        planted.replicates = replicates;
        const Table t = table(planted);
        int red = 0;
        const Gate* worst = nullptr;
        for (const Gate& g : t.gates)
          if (g.red()) {
            ++red;
            if (worst == nullptr) worst = &g;
          }
        std::cout << what << ": " << red << " of " << t.gates.size() << " gates red";
        if (worst != nullptr)
          std::cout << ", such as " << worst->what << " " << fixed(worst->value, 1);
        std::cout << std::endl;
        missed += red == 0 ? 1 : 0;
      };
  const std::vector<Law> few{law(all, "normal"),
                             law(all, "AR .9 t5, gamma .9, 64 tokens"),
                             law(all, "icc .5"),
                             law(all, "icc .9"),
                             law(all, "ragged geometric"),
                             law(all, "random rows, icc .5"),
                             law(all, "frozen t5"),
                             law(all, "exponential")};
  const auto variance = [&](const Run& r) { return variance_table(few, r); };
  const auto moments = [&](const Run& r) { return moments_table(few, r); };
  const auto kurtosis = [&](const Run& r) { return kurtosis_table(all, r); };
  const auto hjs2 = [&](const Run& r) { return hjs2_table(pools, r); };
  const auto mover = [&](const Run& r) { return mover_table(all, r); };
  const auto many = [&](const Run& r) { return multiplicity_table(pools, r); };
  const auto power = [&](const Run& r) { return power_table(all, r); };
  const auto watch = [&](const Run& r) { return watch_table(all, r); };
  expect_red("variance, no skewness floor", Fault::no_floor, 4000, variance);
  expect_red("variance, 1.96 standard errors", Fault::normal_quantile, 400, variance);
  expect_red("variance, rows as prompts", Fault::rows_as_prompts, 400, variance);
  expect_red("second moment and mean, rows as prompts", Fault::rows_as_prompts, 400, moments);
  expect_red("second moment, 1.96 standard errors", Fault::normal_quantile, 1000, moments);
  expect_red("assumed kurtosis not used", Fault::no_floor, 1000, kurtosis);
  expect_red("HJS2, cells taken as independent", Fault::plain_hjs2, 2000, hjs2);
  expect_red("autocovariance, tokens as independent", Fault::plain_hjs2, 200, autocovariance_table);
  expect_red("MOVER, the limits of one log only", Fault::half_mover, 400, mover);
  expect_red("many cells, each at alpha", Fault::no_adjustment, 100, many);
  expect_red("detectable effect at power one half", Fault::half_power, 400, power);
  expect_red("claims, an estimate that never falls short", Fault::half_power, 400, claims_table);
  expect_red("e-process, every start with weight 1", Fault::no_start_weights, 100, watch);
  return missed == 0 ? 0 : 1;
}

int threads_agree() {
  Run run;
  run.replicates = 20;
  run.brief = true;
  const std::string one = document(measure(run), run);
  run.threads = 3;
  const bool same = document(measure(run), run) == one;
  std::cout << (same ? "1 and 3 threads print the same\n" : "1 and 3 threads differ\n");
  return same ? 0 : 1;
}

int main_of(int argc, char** argv) {
  Run run;
  std::string file, only;
  bool plant = false, agree = false;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto number = [&] {
      if (i + 1 >= argc || std::atoi(argv[i + 1]) < 1)
        throw std::runtime_error(option + " needs a number");
      return static_cast<unsigned>(std::atoi(argv[++i]));
    };
    if (option == "--replicates") {
      run.replicates = number();
    } else if (option == "--threads") {
      run.threads = number();
    } else if (option == "--write" && i + 1 < argc) {
      file = argv[++i];
    } else if (option == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else if (option == "--faults") {
      plant = true;
    } else if (option == "--threads-agree") {
      agree = true;
    } else {
      throw std::runtime_error("no such option: " + option);
    }
  }
  if (agree) return threads_agree();
  if (plant) return faults(run);
  if (!only.empty() && !file.empty())
    throw std::runtime_error("--write needs every section, --only leaves some out");
  const auto sections = measure(run, only);
  const std::string text = document(sections, run);
  if (file.empty())
    std::cout << text;
  else
    write_between_markers(file, text);
  return report(sections);
}

}  // namespace
}  // namespace gammascope::calibration

int main(int argc, char** argv) {
  try {
    return gammascope::calibration::main_of(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "calibration: " << e.what() << "\n";
    return 70;
  }
}
