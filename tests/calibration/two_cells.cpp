// SPDX-License-Identifier: MIT
// Two cells and more of one log (HJS2), two logs (MOVER), autocovariances.
#include <array>
#include <cmath>

#include "analysis/stats/autocovariance.hpp"
#include "analysis/stats/growth_exponent.hpp"
#include "analysis/stats/hjs2.hpp"
#include "analysis/stats/mover.hpp"
#include "tests/calibration/coverage.hpp"
#include "tests/calibration/pool_sample.hpp"
#include "tests/calibration/sample.hpp"
#include "tests/calibration/tables.hpp"

namespace gammascope::calibration {
namespace {

constexpr Band hjs2_band{93.5, 96.7, 4, 4};

/// Limits of L, or those of cells taken as independent.
std::optional<stats::Limits> limits_of(const std::vector<stats::JackknifeLog>& parts,
                                       const std::vector<double>& weight,
                                       Fault fault) {
  const stats::SmoothFit fit = stats::hjs2_linear(parts, weight);
  if (fault != Fault::plain_hjs2 || !fit.has_limits()) return fit.limits(0.95);
  double variance = 0;
  for (std::size_t k = 0; k < parts.size(); ++k)
    variance += weight[k] * weight[k] * parts[k].fit.relative_se * parts[k].fit.relative_se;
  const double reach = 1.96 * std::sqrt(variance);
  return stats::Limits{*fit.value - reach, *fit.value + reach};
}

std::vector<double> slope_weights(const std::vector<double>& n) {
  double mean = 0, square = 0;
  for (const double x : n) mean += std::log(x) / static_cast<double>(n.size());
  for (const double x : n) square += (std::log(x) - mean) * (std::log(x) - mean);
  std::vector<double> w;
  for (const double x : n) w.push_back((std::log(x) - mean) / square);
  return w;
}

}  // namespace

Table hjs2_table(const Pools& pools, const Run& run) {
  Table table;
  table.text =
      "| tokens | icc | ratio of gamma 1 to .9, n = 32 | n = 128 | n = 512 | growth exponent, n = "
      "32 | n = 128 | "
      "n = 512 |\n|---|---|---|---|---|---|---|---|\n";
  const std::vector<std::size_t> ratio_cells{Pool::cell(2, 2), Pool::cell(4, 2)};
  std::vector<std::size_t> growth_cells;
  std::vector<double> horizons;
  for (std::size_t h = 0; h < Pool::horizons; ++h) {
    growth_cells.push_back(Pool::cell(4, h));
    horizons.push_back(Pool::horizon[h]);
  }
  const std::vector<double> minus_plus{-1, 1}, slope = slope_weights(horizons);
  const std::vector<std::shared_ptr<const Pool>> all{
      pools.normal, pools.t5, pools.ar, pools.ar_t5, pools.lognormal};
  for (const auto& pool : rows_of(run, all, 1))
    for (const double icc : {0.0, 0.5}) {
      std::string text[2];
      for (const std::size_t prompts : {std::size_t{32}, std::size_t{128}, std::size_t{512}}) {
        int which = 0;
        for (const auto& cells : {ratio_cells, growth_cells}) {
          const auto& weight = which == 0 ? minus_plus : slope;
          double truth = 0;
          for (std::size_t k = 0; k < cells.size(); ++k)
            truth += weight[k] * std::log(pool->variance[cells[k]]);
          std::vector<Outcome> outcomes(run.replicates);
          each_replicate(run, run.replicates, [&](std::uint32_t r) {
            Draw random(stream_of(pool->name + (which == 0 ? " ratio" : " growth") +
                                      (icc > 0 ? " icc" : ""),
                                  prompts),
                        r);
            PoolSample sample(*pool, cells, icc);
            sample.draw(prompts, random);
            std::vector<stats::JackknifeLog> parts;
            for (std::size_t k = 0; k < cells.size(); ++k)
              parts.push_back(*stats::jackknife_log_variance(sample.sums(k)));
            outcomes[r] = outcome(limits_of(parts, weight, run.fault), truth);
          });
          const Coverage c = coverage(outcomes);
          text[which] += " | " + c.text();
          const std::string what = pool->name + " icc " + fixed(icc, 1) + " at " +
                                   std::to_string(prompts) +
                                   (which == 0 ? ", HJS2 ratio" : ", growth exponent");
          if (pool != pools.lognormal) gate(table.gates, what, c, hjs2_band);
          ++which;
        }
      }
      table.text += "| " + pool->name + " | " + fixed(icc, 1) + text[0] + text[1] + " |\n";
    }
  return table;
}

Table mover_table(const std::vector<Law>& laws, const Run& run) {
  Table table;
  table.text =
      "| law | n = 32 and 32 | 32 and 128 | 128 and 128 | 512 and 512 |\n|---|---|---|---|---|\n";
  const std::vector<std::string> names{"normal",
                                       "icc .9",
                                       "AR .9 t5, gamma .9, 64 tokens",
                                       "ragged geometric",
                                       "frozen t5",
                                       "exponential",
                                       "OPD-like, gamma .99",
                                       "log-normal tokens",
                                       "frozen t3"};
  for (const std::string& name : rows_of(run, names, 2)) {
    const Law& l = law(laws, name);
    table.text += "| " + l.name;
    for (const auto& [one, two] :
         std::array<std::array<std::size_t, 2>, 4>{{{32, 32}, {32, 128}, {128, 128}, {512, 512}}}) {
      std::vector<Outcome> outcomes(run.replicates);
      each_replicate(run, run.replicates, [&, one = one, two = two](std::uint32_t r) {
        Draw random(stream_of(l.name + " mover", 1000 * one + two), r);
        Sample sample;
        sample.draw(l, one, random);
        const stats::HjsFit first = stats::hjs_variance(sample.sums());
        sample.draw(l, two, random);
        const stats::HjsFit second = stats::hjs_variance(sample.sums());
        auto limits = stats::mover_limits(first, second, 0.95);
        if (run.fault == Fault::half_mover && limits) {
          const auto own = first.limits(0.95);
          limits = stats::Limits{own->lower / *second.value, own->upper / *second.value};
        }
        if (limits) limits = stats::Limits{std::log(limits->lower), std::log(limits->upper)};
        outcomes[r] = outcome(limits, 0.0);
      });
      const Coverage c = coverage(outcomes);
      table.text += " | " + c.text();
      if (l.promise != Promise::none)
        gate(table.gates,
             "MOVER, " + l.name + " at " + std::to_string(one) + " and " + std::to_string(two),
             c,
             {94, 99, 3.5, 3.5});
    }
    table.text += " |\n";
  }
  return table;
}

Table autocovariance_table(const Run& run) {
  // X_t = .7 X_(t-1) + e_t, responses of 16 to 64 tokens; c(k) = .7^k / (1 - .49).
  constexpr double phi = 0.7, c0 = 1 / (1 - phi * phi), gamma = 0.95;
  constexpr std::size_t lags = 16;
  std::vector<double> c(lags);
  for (std::size_t k = 0; k < lags; ++k) c[k] = c0 * std::pow(phi, static_cast<double>(k));
  const double variance = stats::credit_variances(c, gamma).back();
  Table table;
  table.text =
      "| prompts | c(0) | c(1) | c(8) | Var of 16 tokens at gamma .95 |\n|---|---|---|---|---|\n";
  for (const std::size_t prompts : {std::size_t{32}, std::size_t{128}}) {
    const std::uint32_t replicates = std::min(run.replicates, 1000u);
    std::array<std::vector<Outcome>, 4> outcomes;
    for (auto& o : outcomes) o.resize(replicates);
    each_replicate(run, replicates, [&](std::uint32_t r) {
      Draw random(stream_of("autocovariance", prompts), r);
      std::vector<stats::ExactAutocovariance> sums;
      std::vector<double> x;
      for (std::size_t i = 0; i < prompts; ++i) {
        sums.emplace_back(lags);
        for (int j = 0; j < 4; ++j) {
          x.resize(16 + random.index(49));
          double last = std::sqrt(c0) * random.normal();
          for (double& v : x) {
            v = last;
            last = phi * last + random.normal();
          }
          sums.back().add(x);
        }
      }
      const stats::AutocovarianceFit fit = stats::autocovariance(sums);
      constexpr std::array<std::size_t, 3> shown{0, 1, 8};
      for (std::size_t k = 0; k < shown.size(); ++k)
        outcomes[k][r] = outcome(fit.at(shown[k]).limits(0.95), c[shown[k]]);
      auto limits = stats::credit_variance(fit, gamma, lags)->variance.limits(0.95);
      if (run.fault == Fault::plain_hjs2) {  // as if the tokens were independent
        const double squares = (1 - std::pow(gamma, 2.0 * lags)) / (1 - gamma * gamma);
        const auto token = fit.at(0).limits(0.95);
        limits = stats::Limits{squares * token->lower, squares * token->upper};
      }
      outcomes[3][r] = outcome(limits, variance);
    });
    table.text += "| " + std::to_string(prompts);
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
      const Coverage cover = coverage(outcomes[k]);
      table.text += " | " + cover.text();
      gate(table.gates,
           "autocovariance column " + std::to_string(k) + " at " + std::to_string(prompts),
           cover,
           {93, 97, 4, 4});
    }
    table.text += " |\n";
  }
  return table;
}

}  // namespace gammascope::calibration
