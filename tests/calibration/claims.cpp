// SPDX-License-Identifier: MIT
// Claims as `check` judges them, from responses to words: planted regressions of the size that was
// said beforehand, and logs that did not change.
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "analysis/measure/sweep.hpp"
#include "analysis/verdict/claims/judge_claims.hpp"
#include "tests/calibration/tables.hpp"

namespace gammascope::calibration {
namespace {

constexpr std::size_t prompts = 128, responses = 4, tokens = 32;
constexpr double gamma = 0.9, alpha = 0.05;

/// Token log-ratios: of the prompt, and of the token; variance 1 in all.
struct Tokens {
  std::string name;
  double of_prompt;  ///< share of the variance
  double (*draw)(Draw&);
  /// Var(A): the prompt's part is the same at every token.
  [[nodiscard]] double variance() const {
    double sum = 0, squares = 0, weight = 1;
    for (std::size_t t = 0; t < tokens; ++t, weight *= gamma) {
      sum += weight;
      squares += weight * weight;
    }
    return of_prompt * sum * sum + (1 - of_prompt) * squares;
  }
};

/// `scale` times the log-ratios of a fresh log, measured.
measure::Sweep sweep_of(const Tokens& law, Draw& random, double scale) {
  measure::Sweep sweep(measure::Plan({}, {{Alignment::window, gamma, tokens}}));
  std::array<float, tokens> student{}, teacher{};
  for (std::uint64_t p = 0; p < prompts; ++p) {
    const double common = std::sqrt(law.of_prompt) * random.normal();
    for (std::size_t j = 0; j < responses; ++j) {
      for (float& x : teacher)
        x = static_cast<float>(scale * (common + std::sqrt(1 - law.of_prompt) * law.draw(random)));
      Rollout r;
      r.student_logprob = student;
      r.teacher_logprob = teacher;
      r.prompt = (p + 1) * 0x9e3779b97f4a7c15u;
      r.finish = FinishReason::stop;
      sweep.add(r);
    }
  }
  return sweep;
}

Verdict judged(const claims::Spec& spec, const measure::Sweep& sweep) {
  const auto measurement = claims::find_kind(spec).make(spec, {});
  claims::Setting setting;
  setting.noise_floor = 2e-6;
  auto opened = claims::open_claim(spec, *measurement, sweep, setting, 0);
  check::adjust(opened.cases, alpha);
  check::close(opened.cases[0], alpha);
  return opened.cases[0].verdict;
}

double percent(const std::vector<unsigned char>& hits) {
  return 100.0 * std::accumulate(hits.begin(), hits.end(), 0.0) / static_cast<double>(hits.size());
}

}  // namespace

Table claims_table(const Run& run) {
  Table table;
  table.text =
      "| tokens | a number: found | a baseline: found | unchanged against a baseline: fails | "
      "unchanged: passes in the band of --init |\n|---|---|---|---|---|\n";
  const std::uint32_t seeds = std::max(run.replicates / 4, std::min(run.replicates, 400u));
  const std::vector<Tokens> laws{
      {"normal", 0, [](Draw& d) { return d.normal(); }},
      {"normal, 5 % of the variance by prompt", 0.05, [](Draw& d) { return d.normal(); }},
      {"t5", 0, [](Draw& d) { return d.student(5) / std::sqrt(5.0 / 3.0); }},
      {"exponential", 0, [](Draw& d) { return d.exponential() - 1.0; }}};
  for (const Tokens& law : rows_of(run, laws, 1)) {
    std::vector<unsigned char> number(seeds), baseline(seeds), same(seeds), again(seeds);
    const double truth = law.variance();
    const std::string cell = "variance(gamma=0.9, window=32)";
    each_replicate(run, seeds, [&](std::uint32_t r) {
      Draw random(stream_of(law.name + " claims", prompts), r);
      const measure::Sweep first = sweep_of(law, random, 1);
      claims::Spec spec = claims::parse_claims(cell + " <= 1")[0];
      spec.limit.number = truth;
      const auto planted = [&](double size) {
        return sweep_of(law, random, std::sqrt(size / truth));
      };
      // What is said beforehand comes from the first log; the regression is planted in the second.
      // An error that a test can see: the table forgets that an estimate can fall short.
      const auto said = [&](const Verdict& v, double bound) {
        const double found = v.detect_fail.value_or(0);
        return run.fault == Fault::half_power ? std::sqrt(found * bound) : found;
      };
      const double size = said(judged(spec, first), truth);
      number[r] = size > 0 && judged(spec, planted(size)).outcome == Outcome::fail ? 1 : 0;

      const auto measurement = claims::find_kind(spec).make(spec, {});
      const claims::Measured now = measurement->measured(first, 2e-6)[0];
      spec.limit.kind = claims::Limit::Kind::baseline;
      spec.limit.number = *now.cell.value;
      spec.limit.spread = now.cell.spread;
      spec.limit.band = claims::Band{10, true};
      const double high = 1.1 * *now.cell.value;
      const double excess = said(judged(spec, first), high);
      baseline[r] = excess > 0 && judged(spec, planted(excess)).outcome == Outcome::fail ? 1 : 0;

      spec.relation = Relation::within;
      spec.limit.band = claims::Band{0, true};
      const measure::Sweep second = sweep_of(law, random, 1);
      same[r] = judged(spec, second).outcome == Outcome::fail ? 1 : 0;
      const auto width = now.fit.band_of_the_same(alpha / 2, 0.9);
      spec.limit.band = claims::Band{100 * width.value_or(0), true};
      again[r] = judged(spec, second).outcome == Outcome::pass ? 1 : 0;
    });
    table.text += "| " + law.name + " | " + fixed(percent(number), 1) + " | " +
                  fixed(percent(baseline), 1) + " | " + fixed(percent(same), 1) + " | " +
                  fixed(percent(again), 1) + " |\n";
    const double wide = seeds < 1000 ? three_errors(80, seeds) : 0;  // 80 % +- 4 of 1000 seeds
    table.gates.push_back(
        {"claim on a number finds, " + law.name, percent(number), 76 - wide, 84 + wide});
    table.gates.push_back(
        {"claim on a baseline finds, " + law.name, percent(baseline), 76 - wide, 84 + wide});
    table.gates.push_back({"claim on a baseline, unchanged, " + law.name,
                           percent(same),
                           0,
                           5 + three_errors(5, seeds)});
    table.gates.push_back(
        {"band of --init, unchanged, " + law.name, percent(again), 72 - wide, 100});
  }
  return table;
}

}  // namespace gammascope::calibration
