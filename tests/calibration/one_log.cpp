// SPDX-License-Identifier: MIT
// One cell of one log: variance, second moment, mean, assumed kurtosis.
#include <array>

#include "analysis/stats/kurtosis_floor.hpp"
#include "tests/calibration/coverage.hpp"
#include "tests/calibration/sample.hpp"
#include "tests/calibration/tables.hpp"

namespace gammascope::calibration {
namespace {

constexpr std::array<std::size_t, 4> sizes{16, 32, 128, 512};
constexpr std::array<std::size_t, 3> small_sizes{5, 8, 12};

bool gated(std::size_t prompts) { return prompts >= 32; }

std::string at(const Law& law, std::size_t prompts) {
  return law.name + " at " + std::to_string(prompts);
}

Coverage variance_coverage(const Law& law, std::size_t prompts, const Run& run) {
  std::vector<Outcome> outcomes(run.replicates);
  each_replicate(run, run.replicates, [&](std::uint32_t r) {
    Draw random(stream_of(law.name, prompts), r);
    Sample sample(run.fault);
    sample.draw(law, prompts, random);
    outcomes[r] = outcome(limits_of(stats::hjs_variance(sample.sums()), run.fault), law.variance);
    outcomes[r].length /= law.variance;
  });
  return coverage(outcomes);
}

void promise(std::vector<Gate>& gates, const Law& law, std::size_t prompts, const Coverage& c) {
  if (!gated(prompts) || law.promise == Promise::none) return;
  gate(gates,
       "variance, " + at(law, prompts),
       c,
       law.promise == Promise::light ? light_band : frozen_band);
}

std::string word(Promise promise) {
  switch (promise) {
    case Promise::light:
      return "94 to 97";
    case Promise::frozen:
      return "93.5 to 96.5";
    case Promise::none:
      break;
  }
  return "";
}

}  // namespace

Table variance_table(const std::vector<Law>& laws, const Run& run) {
  Table table;
  table.text =
      "| law | promised | n = 16 | n = 32 | n = 128 | n = 512 |\n|---|---|---|---|---|---|\n";
  // Light laws together: a smaller Monte Carlo error shows a smaller fault.
  constexpr Band sixteen{94, 98, 3.5, 3.5};
  std::array<Coverage, 2> together;  // at 16 and 32 prompts
  for (const Law& law : laws) {
    table.text += "| " + law.name + " | " + word(law.promise);
    for (const std::size_t prompts : sizes) {
      const Coverage c = variance_coverage(law, prompts, run);
      table.text += " | " + c.text();
      promise(table.gates, law, prompts, c);
      if (law.promise != Promise::light || prompts > 32) continue;
      Coverage& all = together[prompts == 32 ? 1 : 0];
      all.covered += c.covered * c.replicates;
      all.lower += c.lower * c.replicates;
      all.upper += c.upper * c.replicates;
      all.replicates += c.replicates;
    }
    table.text += " |\n";
  }
  for (std::size_t k = 0; k < together.size(); ++k) {
    Coverage& all = together[k];
    all.covered /= all.replicates;
    all.lower /= all.replicates;
    all.upper /= all.replicates;
    const std::string where =
        "all laws promised 94 to 97 % together, at " + std::to_string(sizes[k]) + " prompts";
    gate(table.gates, "variance, " + where, all, k == 0 ? sixteen : light_band);
    table.text += "\nA" + where.substr(1) + ": " + all.text(-1) + ".\n";
  }
  table.text += "\n";
  if (run.brief) return table;
  table.text += "| law | n = 5 | n = 8 | n = 12 |\n|---|---|---|---|\n";
  for (const char* name : {"normal", "icc .9", "ragged geometric", "frozen t5", "exponential"}) {
    table.text += std::string("| ") + name;
    for (const std::size_t prompts : small_sizes)
      table.text += " | " + variance_coverage(law(laws, name), prompts, run).text();
    table.text += " |\n";
  }
  return table;
}

Table moments_table(const std::vector<Law>& laws, const Run& run) {
  Table table;
  table.text =
      "| law | second moment, n = 32 | n = 128 | n = 512 | mean, n = 32 | n = 128 | n = 512 "
      "|\n|---|---|---|---|---|---|---|\n";
  constexpr std::array<std::size_t, 3> from{32, 128, 512};
  for (const Law& law : laws) {
    std::string second_text, mean_text;
    for (const std::size_t prompts : from) {
      std::vector<Outcome> second(run.replicates), mean(run.replicates);
      const double off = std::sqrt(law.variance), truth = law.variance + off * off;
      each_replicate(run, run.replicates, [&](std::uint32_t r) {
        Draw random(stream_of(law.name + " moments", prompts), r);
        Sample sample(run.fault);
        sample.draw(law, prompts, random, 1, off);
        second[r] = outcome(limits_of(stats::hjs_second_moment(sample.sums()), run.fault), truth);
        second[r].length /= truth;
        const stats::MeanFit fit = stats::cluster_mean(sample.sums(), 0);
        mean[r] = outcome(fit.limits(0.95), off);
        mean[r].length /= off;
      });
      const Coverage s = coverage(second), m = coverage(mean);
      second_text += " | " + s.text();
      mean_text += " | " + m.text();
      if (law.promise != Promise::light) continue;
      gate(table.gates, "second moment, " + at(law, prompts), s, light_band);
      gate(table.gates, "mean, " + at(law, prompts), m, {93.5, 97, 3.5, 3.5});
    }
    table.text += "| " + law.name + second_text + mean_text + " |\n";
  }
  return table;
}

Table kurtosis_table(const std::vector<Law>& laws, const Run& run) {
  Table table;
  table.text =
      "| law | n | upper error, plain | with kurtosis 9 | median upper limit / truth, plain | with "
      "kurtosis 9 |\n|---|---|---|---|---|---|\n";
  const std::vector<std::string> names{
      "normal", "frozen t5", "exponential", "OPD-like, gamma .99", "icc .9, t5", "frozen t3"};
  for (const std::string& name : rows_of(run, names, 2))
    for (const std::size_t prompts : {std::size_t{32}, std::size_t{128}}) {
      const Law& l = law(laws, name);
      std::vector<Outcome> plain(run.replicates), robust(run.replicates);
      each_replicate(run, run.replicates, [&](std::uint32_t r) {
        Draw random(stream_of(l.name + " kurtosis", prompts), r);
        Sample sample;
        sample.draw(l, prompts, random);
        const stats::HjsFit fit = stats::hjs_variance(sample.sums());
        if (!fit.has_limits()) return;
        const stats::KurtosisFloor floor(fit, sample.sums(), sample.powers());
        const double upper = *fit.upper_limit(0.025);
        const double wide = run.fault == Fault::no_floor ? upper : *floor.upper_limit(0.025);
        plain[r] = outcome(stats::Limits{0, upper}, l.variance);
        robust[r] = outcome(stats::Limits{0, wide}, l.variance);
        plain[r].length /= l.variance;
        robust[r].length /= l.variance;
      });
      const Coverage p = coverage(plain), w = coverage(robust);
      table.text += "| " + l.name + " | " + std::to_string(prompts) + " | " + fixed(p.upper, 1) +
                    " | " + fixed(w.upper, 1) + " | " + fixed(p.length, 2) + " | " +
                    fixed(w.length, 2) + " |\n";
      if (l.name != "frozen t3")
        table.gates.push_back({"kurtosis 9, " + at(l, prompts) + ", upper error",
                               w.upper,
                               0,
                               1.6 + three_errors(1.6, run.replicates)});
    }
  return table;
}

}  // namespace gammascope::calibration
