// SPDX-License-Identifier: MIT
// A result as a run over a log would leave it: the table of the first look in docs, a sweep over
// windows, verdicts of every kind, findings. The numbers are made up to be of the right size, no
// more.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analysis/report/result.hpp"
#include "analysis/report/tails.hpp"

namespace gammascope::report::fixture {

/// Sum of gamma^k, k < n, by adding.
inline double weights(double gamma, std::int64_t n) {
  double sum = 0, power = 1;
  for (std::int64_t k = 0; k < n; ++k, power *= gamma) sum += power;
  return sum;
}

inline Cell cell(Alignment alignment, double gamma, std::int64_t n, double value, double spread) {
  Cell c;
  c.alignment = alignment;
  c.gamma = gamma;
  c.n = n;
  c.value = value;
  c.lower = value / spread;
  c.upper = value * spread;
  c.confidence = 0.95;
  c.method = "HJS";
  c.prompts = 128;
  c.rollouts = 512;
  c.blind_spot = std::sqrt(value * 128.0 / 3.0);
  return c;
}

/// Variance of a sum of noise with a little memory: between n and n^1.5 at gamma 1.
inline double model_variance(double gamma, std::int64_t n) {
  return 0.0888 * std::pow(weights(gamma * gamma, n), 1.0 + 0.31 * gamma * gamma);
}

inline Verdict verdict(
    std::string claim, Outcome outcome, double gamma, double value, double bound) {
  Verdict v;
  v.claim = std::move(claim);
  v.outcome = outcome;
  v.alignment = Alignment::window;
  v.gamma = gamma;
  v.n = 256;
  v.value = value;
  v.lower = value * 0.8;
  v.upper = value * 1.2;
  v.bound = bound;
  v.inputs = {{"sigma2", 0.16, Origin::other_prompts}};
  v.p_pass = outcome == Outcome::pass ? 3.1e-7 : 0.41;
  v.p_fail = outcome == Outcome::fail ? 4.4e-5 : 1.0;
  v.p_pass_adjusted = outcome == Outcome::pass ? 4.3e-6 : 1.0;
  v.p_fail_adjusted = outcome == Outcome::fail ? 6.2e-4 : 1.0;
  v.reason = "the variance is below the bound beyond the level of the run";
  return v;
}

inline Result small_result() {
  Result r;
  r.verb = "check";
  r.version = "0.1.0";
  r.settings = {{"gamma", std::vector<double>{0, 0.9, 0.99, 1}},
                {"alignment", std::vector<std::string>{"window"}},
                {"at", std::vector<std::int64_t>{256}},
                {"clock", std::string("skip")},
                {"nonfinite", std::string("error")},
                {"truncated", std::string("keep")},
                {"weight", std::string("row")},
                {"sigma2", std::string("split")},
                {"confidence", 0.95},
                {"seed", std::int64_t{1}},
                {"force", false}};
  r.source = {{"runs/2026-03-02/rollouts.jsonl.zst"},
              "canonical",
              512,
              128,
              201084,
              49,
              {{"nan_teacher", 2}},
              "512-8899aabbccddeeff"};
  const std::vector<std::pair<double, double>> first{
      {0, 0.0888}, {0.9, 0.739}, {0.99, 19.98}, {1, 134.9}};
  for (const auto& [gamma, value] : first)
    r.cells.push_back(cell(Alignment::window, gamma, 256, value, 1.2));
  r.cells[3].status = CellStatus::tentative;
  r.cells[3].reason = "few prompts (neff = 4.1) carry the standard error";
  r.verdicts = {verdict("theorem_3_3.finite", Outcome::pass, 0, 0.0888, 0.16),
                verdict("theorem_3_3.finite", Outcome::pass, 0.9, 0.739, 15.9),
                verdict("theorem_3_3.finite", Outcome::pass, 0.99, 19.98, 1360.5),
                verdict("theorem_3_3.finite", Outcome::inconclusive, 1, 134.9, 10450),
                verdict("on_policy", Outcome::fail, 0, 0.0888, 0.061)};
  r.verdicts[3].reason = "the upper limit rests on few prompts, so the pass is not counted";
  r.verdicts[3].prompts_needed = 310;
  r.verdicts[3].cell_status = CellStatus::tentative;
  r.verdicts[4].reason = "the variance is above the bound beyond the level of the run";
  r.verdicts[4].inputs = {{"c", 4.0, Origin::claimed}};
  r.cells[1].spread = Spread{0.08, 0.21, 0.24, 127.0, 96.5};
  r.verdicts[0].detect_pass = 0.121;
  r.verdicts[0].detect_fail = 0.214;
  r.findings = {{"shift",
                 Severity::error,
                 "teacher is shifted by 1 token: |Delta| is smallest at lag 1 (0.21 against 0.94)",
                 {{"lag", 1}, {"mean_abs", 0.21}},
                 {{"column", "teacher_logprobs"}}},
                {"sampler",
                 Severity::note,
                 "no sampler column: the student's own probabilities cannot be tested",
                 {},
                 {}}};
  r.summary =
      "One of five claims fails: on_policy at gamma 0. The log is suspect, so repair the shift "
      "first: gammascope "
      "rollouts.jsonl.zst --force shows what a shifted log would say.";
  return r;
}

/// A sweep over windows and gammas, with bounds, one unreliable cell, exact values and scalars.
inline Result sweep_result() {
  Result r = small_result();
  r.verb = "measure";
  r.cells.clear();
  r.verdicts.clear();
  const std::vector<double> gammas{0, 0.5, 0.9, 0.97, 0.99, 0.999, 1};
  for (const double g : gammas)
    for (std::int64_t n = 1; n <= 1024; n *= 2) {
      Cell c = cell(
          Alignment::window, g, n, model_variance(g, n), 1.12 + 0.00045 * static_cast<double>(n));
      if (n == 1024 && g > 0.99) {
        c.status = CellStatus::unreliable;
        c.reason =
            "one prompt carries 41 % of the variance; more prompts, not more rollouts, are needed";
      }
      r.cells.push_back(c);
      Verdict v = verdict(
          "theorem_3_3.finite", Outcome::pass, g, *c.value, 0.16 * weights(g, n) * weights(g, n));
      v.n = n;
      v.lower = c.lower;
      v.upper = c.upper;
      if (n == 64 || n == 1024) r.verdicts.push_back(v);
      if (g == 0.9 && n > 1) {
        c.status = CellStatus::exact;
        c.method = "exact";
        c.value = *c.value * 1.05;
        c.lower = c.upper = c.confidence = c.blind_spot = std::nullopt;
        c.prompts = c.rollouts = 0;
        r.cells.push_back(c);
      }
    }
  Cell t;
  t.quantity = Quantity::t2;
  t.value = 1.003;
  t.lower = 0.98;
  t.upper = 1.02;
  t.confidence = 0.95;
  t.method = "t";
  t.prompts = 128;
  t.rollouts = 201084;
  r.cells.push_back(t);
  t.quantity = Quantity::t4;
  t.value = 0.104;
  t.lower = 0.1;
  t.upper = 0.108;
  r.cells.push_back(t);
  r.findings.clear();
  r.summary =
      "At 0.99 the credit is 225 times noisier than at 0; the worst-case bound is 68 times above "
      "what is measured.";
  return r;
}

/// Log-ratios with a light tail of positive credit and a heavy one of negative credit.
inline Tails tails() {
  Tails t;
  std::mt19937_64 random(11);
  std::exponential_distribution<double> light(2.2), heavy(0.55);
  for (int i = 0; i < 200000; ++i) t.add(i % 3 == 0 ? heavy(random) : -light(random));
  return t;
}

}  // namespace gammascope::report::fixture
