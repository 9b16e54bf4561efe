// SPDX-License-Identifier: MIT
// Words rather than limits: many cells at once, planted effects.
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>

#include "analysis/stats/detectable_effect.hpp"
#include "analysis/stats/hjs2.hpp"
#include "analysis/stats/holm.hpp"
#include "analysis/stats/influence.hpp"
#include "analysis/stats/min_p.hpp"
#include "analysis/stats/mover.hpp"
#include "tests/calibration/coverage.hpp"
#include "tests/calibration/pool_sample.hpp"
#include "tests/calibration/sample.hpp"
#include "tests/calibration/tables.hpp"

namespace gammascope::calibration {
namespace {

constexpr double alpha = 0.05;

double percent(const std::vector<unsigned char>& hits) {
  return 100.0 * std::accumulate(hits.begin(), hits.end(), 0.0) / static_cast<double>(hits.size());
}

/// p_pass and p_fail of all cells of a log against their bounds, in this order, cell by cell.
struct Grid {
  std::vector<stats::MinPHypothesis> hypotheses;
  std::vector<double> influence, p;
  Grid(const PoolSample& sample, const Pool& pool, double slack) {
    for (std::size_t c = 0; c < Pool::cells; ++c) {
      const stats::HjsFit fit = stats::hjs_variance(sample.sums(c));
      const double bound = slack * pool.variance[c];
      hypotheses.push_back({c, true, fit.p_pass(bound)});
      hypotheses.push_back({c, false, fit.p_fail(bound)});
      const auto u = stats::variance_influence(sample.sums(c));
      influence.insert(influence.end(), u.begin(), u.end());
    }
    for (const auto& h : hypotheses) p.push_back(h.p);
  }
};

}  // namespace

Table multiplicity_table(const Pools& pools, const Run& run) {
  Table table;
  table.text =
      "| tokens | icc | n | Holm: any false word | min-p: any false word | 50 tests count as | "
      "Holm: passes at 1.6 b | min-p "
      "|\n|---|---|---|---|---|---|---|---|\n";
  std::vector<std::size_t> cells(Pool::cells);
  std::iota(cells.begin(), cells.end(), std::size_t{0});
  using Row = std::tuple<std::shared_ptr<const Pool>, double, std::size_t>;
  const std::vector<Row> rows{{pools.normal, 0.0, 32},
                              {pools.normal, 0.0, 128},
                              {pools.ar_t5, 0.5, 32},
                              {pools.ar_t5, 0.5, 128},
                              {pools.lognormal, 0.0, 32},
                              {pools.lognormal, 0.0, 128}};
  for (const auto& [pool, icc, prompts] : rows_of(run, rows, 1)) {
    std::vector<unsigned char> holm(run.replicates), min_p(run.replicates);
    std::vector<double> tests(run.replicates), holm_power(run.replicates, -1),
        min_p_power(run.replicates, -1);
    each_replicate(
        run, run.replicates, [&, &pool = pool, icc = icc, prompts = prompts](std::uint32_t r) {
          Draw random(stream_of(pool->name + " grid", prompts), r);
          PoolSample sample(*pool, cells, icc);
          sample.draw(prompts, random);
          // Every bound is the truth, so every word is false.
          const Grid truth(sample, *pool, 1.0), slack(sample, *pool, 1.6);
          const auto words = [&](const std::vector<double>& p) {
            unsigned char any = 0;
            for (const double v : p) any = any != 0 || v <= alpha ? 1 : 0;
            return any;
          };
          const auto passes = [&](const std::vector<double>& p) {
            double count = 0;
            for (std::size_t k = 0; k < p.size(); k += 2) count += p[k] <= alpha ? 1 : 0;
            return count / static_cast<double>(Pool::cells);
          };
          const stats::MinPSettings settings{alpha, r, 4999};
          const auto joint = stats::min_p(truth.influence, prompts, truth.hypotheses, settings);
          const bool raw = run.fault == Fault::no_adjustment;
          holm[r] = words(raw ? truth.p : stats::holm_adjusted(truth.p));
          min_p[r] = words(raw ? truth.p : joint.adjusted);
          tests[r] = joint.effective_tests;
          constexpr std::uint32_t every = 8;  // power needs no 4000 replicates
          if (r % every != 0) return;
          holm_power[r] = passes(stats::holm_adjusted(slack.p));
          min_p_power[r] =
              passes(stats::min_p(slack.influence, prompts, slack.hypotheses, settings).adjusted);
        });
    double holm_mean = 0, min_p_mean = 0, counted = 0;
    for (std::uint32_t r = 0; r < run.replicates; ++r) {
      if (min_p_power[r] < 0) continue;
      holm_mean += 100 * holm_power[r];
      min_p_mean += 100 * min_p_power[r];
      counted += 1;
    }
    table.text += "| " + pool->name + " | " + fixed(icc, 1) + " | " + std::to_string(prompts) +
                  " | " + fixed(percent(holm), 1) + " | " + fixed(percent(min_p), 1) + " | " +
                  fixed(median(tests), 1) + " | " + fixed(holm_mean / counted, 0) + " | " +
                  fixed(min_p_mean / counted, 0) + " |\n";
    const std::string what =
        pool->name + " icc " + fixed(icc, 1) + " at " + std::to_string(prompts);
    if (pool == pools.lognormal) continue;
    table.gates.push_back({"Holm, " + what, percent(holm), 0, 5 + three_errors(5, run.replicates)});
    table.gates.push_back(
        {"min-p, " + what, percent(min_p), 0, 7 + three_errors(7, run.replicates)});
  }
  return table;
}

Table power_table(const std::vector<Law>& laws, const Run& run) {
  Table table;
  table.text =
      "| law | against a bound: found | two logs: found | two logs of one law: called different | "
      "same prompts, 30 % "
      "noise: called different |\n|---|---|---|---|---|\n";
  const std::uint32_t seeds = std::max(run.replicates / 4, std::min(run.replicates, 400u));
  constexpr std::size_t prompts = 128;
  const double power = run.fault == Fault::half_power ? 0.5 : 0.8;
  const std::vector<std::string> names{"normal",
                                       "icc .5",
                                       "AR .9 t5, gamma .9, 64 tokens",
                                       "icc .9",
                                       "ragged geometric",
                                       "frozen t5",
                                       "OPD-like, gamma .99"};
  for (const std::string& name : rows_of(run, names, 2)) {
    const Law& l = law(laws, name);
    std::vector<unsigned char> bound(seeds), two(seeds), same(seeds), paired(seeds);
    each_replicate(run, seeds, [&](std::uint32_t r) {
      Draw random(stream_of(l.name + " power", prompts), r);
      Sample sample;
      const auto fit = [&](double scale) {
        sample.draw(l, prompts, random, scale);
        return stats::hjs_variance(sample.sums());
      };
      const stats::HjsFit first = fit(1);
      // What is printed beforehand comes from the first log; the effect is planted in the second.
      const double against = stats::minimum_detectable_effect(first, alpha / 2, power).above;
      const double ratio = stats::minimum_detectable_effect(first, first, alpha / 2, power).above;
      const auto different = [](const std::optional<stats::Limits>& limits, double one) {
        return static_cast<unsigned char>(limits && (limits->lower > one || limits->upper < one));
      };
      if (std::isfinite(against))
        bound[r] = fit(std::sqrt(against)).p_fail(l.variance) <= alpha / 2 ? 1 : 0;
      if (std::isfinite(ratio))
        two[r] = different(stats::mover_limits(fit(std::sqrt(ratio)), first, 0.95), 1);
      same[r] = different(stats::mover_limits(fit(1), first, 0.95), 1);
      // Two scorings of the same prompts: common part and fresh noise in both, equal variances.
      std::vector<double> rows, noise;
      std::array<std::vector<stats::ClusterSums>, 2> logs;
      for (std::size_t i = 0; i < prompts; ++i) {
        l.draw(random, rows);
        for (auto& log : logs) {
          stats::ClusterSums c;
          for (const double row : rows) {
            const double a =
                std::sqrt(0.7) * (row - l.mean) + std::sqrt(0.3 * l.variance) * random.normal();
            c.rows += 1;
            c.s1 += a;
            c.s2 += a * a;
          }
          log.push_back(c);
        }
      }
      const auto one = stats::jackknife_log_variance(logs[0]);
      const auto other = stats::jackknife_log_variance(logs[1]);
      paired[r] = different(stats::hjs2_log_ratio(*one, *other).limits(0.95), 0);
    });
    table.text += "| " + l.name + " | " + fixed(percent(bound), 1) + " | " +
                  fixed(percent(two), 1) + " | " + fixed(percent(same), 1) + " | " +
                  fixed(percent(paired), 1) + " |\n";
    const double wide = seeds < 1000 ? three_errors(80, seeds) : 0;  // 80 % +- 4 of 1000 seeds
    const double calm = 5 + three_errors(5, seeds);
    if (l.promise == Promise::light) {
      table.gates.push_back(
          {"power against a bound, " + l.name, percent(bound), 76 - wide, 84 + wide});
      table.gates.push_back({"power of two logs, " + l.name, percent(two), 76 - wide, 84 + wide});
    }
    table.gates.push_back({"A/A of two logs, " + l.name, percent(same), 0, calm});
    table.gates.push_back({"A/A of shared prompts, " + l.name, percent(paired), 0, calm});
  }
  return table;
}

}  // namespace gammascope::calibration
