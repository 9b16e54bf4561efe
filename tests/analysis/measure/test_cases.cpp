// SPDX-License-Identifier: MIT
// Cases B18 to B21 and B23 through the whole of measure: the input of each, its right values, a
// clean and a faulty twin, and random inputs.
#include <cmath>
#include <random>

#include "logs.hpp"
#include <catch2/catch.hpp>

#include "analysis/measure/estimate.hpp"

using namespace gammascope;
using namespace gammascope::measure;
using test::Log;
using test::response;

namespace {

Estimate of(const Log& log, const CellSpec& cell, const Settings& settings = {}) {
  return estimate(test::swept(log, Plan(settings, {cell})), 0, 2e-6);
}

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// Lengths geometric with this p, D normal; responses that reach `limit` are cut there (0: none).
Log geometric_log(
    std::uint64_t seed, std::size_t rows, double p, double mean, double sd, std::size_t limit) {
  Log log;
  for (std::size_t i = 0; i < rows; ++i) {
    std::mt19937_64 random(seed * 1000003 + i);  // a response is the same with and without the cut
    std::normal_distribution<double> normal(mean, sd);
    auto length = static_cast<std::size_t>(std::log1p(-uniform(random)) / std::log1p(-p)) + 1;
    const bool cut = limit > 0 && length >= limit;
    if (cut) length = limit;
    std::vector<double> delta(length);
    for (double& d : delta) d = normal(random);
    log.push_back(response(delta, i, cut ? FinishReason::length : FinishReason::stop));
  }
  return log;
}

/// Var A_0 at gamma 1 of independent D: E N Var D + (E D)^2 Var N, N geometric conditioned by
/// `keep`.
template <class Keep>
double geometric_variance(double p, double mean, double sd, Keep&& keep) {
  double weight = 0, n1 = 0, n2 = 0;
  for (std::size_t n = 1; n < 20000; ++n) {
    const double probability = p * std::pow(1 - p, static_cast<double>(n - 1));
    const double kept = keep(n);
    if (kept < 0) continue;
    weight += probability;
    n1 += probability * kept;
    n2 += probability * kept * kept;
  }
  n1 /= weight;
  return n1 * sd * sd + mean * mean * (n2 / weight - n1 * n1);
}

const CellSpec whole{Alignment::position, 1, 0, 0};

}  // namespace

TEST_CASE("B18 a cut at the maximum length is shown and biases only what looks past it") {
  // 20 000 responses: relative standard error of Var A_0 about 2 % without the cut (kurtosis near
  // 9), 1 % with it. Margins of 4 of them: failure probability 1e-4 a line, none at this seed.
  const Log full = geometric_log(1, 20000, 0.01, 0.1, 0.2, 0);
  const Log cut = geometric_log(1, 20000, 0.01, 0.1, 0.2, 100);
  Settings drop;
  drop.truncated = Truncated::drop;
  CHECK(*of(full, whole).variance.value == Approx(103.0).epsilon(0.08));
  CHECK(*of(cut, whole).variance.value == Approx(15.30).epsilon(0.04));
  CHECK(*of(cut, whole, drop).variance.value == Approx(9.45).epsilon(0.06));

  // What the cut hides is said: the share of cut responses, and no `infinite`.
  const Sweep sweep = test::swept(
      cut, Plan({}, {{Alignment::infinite, 0.9, std::nullopt, 0}, {Alignment::horizon, 1, 30, 0}}));
  CHECK(static_cast<double>(sweep.counts().cut) / 20000 == Approx(0.3697).margin(0.014));
  CHECK(sweep.counts().left_out == sweep.counts().cut);
  CHECK(estimate(sweep, 0, 2e-6).variance.status == CellStatus::not_available);
  CHECK(of(full, {Alignment::infinite, 0.9, std::nullopt, 0}).variance.status == CellStatus::ok);

  // What every response can answer is the same with and without the cut, to the bit.
  for (const double gamma : {0.0, 0.9, 1.0}) {
    const CellSpec window{Alignment::window, gamma, 100, 0};
    CHECK(test::swept(full, Plan({}, {window})).groups() ==
          test::swept(cut, Plan({}, {window})).groups());
  }
  // Faulty twin: a window longer than the cut is not the same.
  const CellSpec longer{Alignment::window, 1, 101, 0};
  CHECK_FALSE(test::swept(full, Plan({}, {longer})).groups() ==
              test::swept(cut, Plan({}, {longer})).groups());
}

TEST_CASE("B18 twenty random laws of the length agree with their closed form") {
  // 2000 responses each; limits at 99.99 %: failure probability 20 * 2 * 1e-4 over seeds.
  std::mt19937_64 random(18);
  for (int trial = 0; trial < 20; ++trial) {
    const double p = 0.02 + 0.1 * uniform(random), mean = 0.2 * uniform(random), sd = 0.3;
    const auto limit = static_cast<std::size_t>(10 + random() % 30);
    const Log cut =
        geometric_log(100 + static_cast<std::uint64_t>(trial), 2000, p, mean, sd, limit);
    Settings keep, drop;
    keep.confidence = drop.confidence = 0.9999;
    drop.truncated = Truncated::drop;
    const auto inside = [](const Cell& cell, double truth) {
      CAPTURE(truth, *cell.value);
      CHECK((*cell.lower < truth && truth < *cell.upper));
    };
    const auto at_most = [limit](std::size_t n) { return static_cast<double>(std::min(n, limit)); };
    const auto below = [limit](std::size_t n) { return n < limit ? static_cast<double>(n) : -1.0; };
    inside(of(cut, whole, keep).variance, geometric_variance(p, mean, sd, at_most));
    inside(of(cut, whole, drop).variance, geometric_variance(p, mean, sd, below));
  }
}

TEST_CASE("B19 an empty response has no credit and is counted") {
  const CellSpec cell{Alignment::position, 0.9, 0, 0};
  const Log log{response({}, 1),
                response(std::vector<double>(3, 0.1), 2),
                response(std::vector<double>(5, 0.1), 3)};
  const Sweep sweep = test::swept(log, Plan({}, {cell}));
  CHECK(sweep.counts().empty == 1);
  const Estimate e = estimate(sweep, 0, 2e-6);
  CHECK(*e.mean.value == Approx((-0.271 - 0.40951) / 2).epsilon(1e-6));
  CHECK(*e.variance.value == Approx(0.0095925).epsilon(1e-5));
  CHECK(e.variance.rollouts == 2);
  // Clean twin: without the empty response the same. Faulty twin: it counts as 0.
  CHECK(of({log[1], log[2]}, cell).variance.value == e.variance.value);
  CHECK(*of({response({0.0}, 1), log[1], log[2]}, cell).variance.value ==
        Approx(0.0433874).epsilon(1e-5));
}

TEST_CASE("B19 a fully masked response is an empty one") {
  Log log{response({9, 9}, 1), response({0.1, 0.1, 0.1}, 2)};
  log[0].mask = {0, 0};
  const Sweep sweep = test::swept(log, Plan({}, {whole}));
  CHECK(sweep.counts().empty == 1);
  CHECK(sweep.groups().total(0).count() == 1);
}

TEST_CASE("B19 logs with empty responses measure as without them") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Log log = test::random_log(seed, 80, 6);
    Log without;
    for (const RolloutRecord& r : log) {
      bool any = false;
      for (std::size_t t = 0; t < r.student_logprob.size(); ++t)
        any = any || r.mask.empty() || r.mask[t] != 0;
      if (any) without.push_back(r);
    }
    REQUIRE(without.size() < log.size());
    const Sweep a = test::swept(log, Plan({}, {whole})),
                b = test::swept(without, Plan({}, {whole}));
    CHECK(a.groups() == b.groups());
    CHECK(a.counts().empty == static_cast<std::int64_t>(log.size() - without.size()));
  }
}

TEST_CASE("B20 token mean and response mean are both there and differ") {
  Settings settings;
  settings.start = Start::all;
  settings.max_length = 5;
  const CellSpec token{Alignment::window, 0.9, 1, 0};
  const Log log{response(std::vector<double>(5, -2.0), 1), response({-10}, 2)};
  CHECK(*of(log, token, settings).mean.value == Approx(10.0 / 3).epsilon(1e-9));
  settings.weight = Weight::response;
  CHECK(*of(log, token, settings).mean.value == Approx(6).epsilon(1e-9));
  settings.weight = Weight::prompt;
  CHECK(*of(log, token, settings).mean.value == Approx(6).epsilon(1e-9));
  // The sum of chunks is the one-chunk result: shards merged.
  settings.weight = Weight::row;
  Sweep a(Plan(settings, {token})), b(Plan(settings, {token}));
  a.add(log[0]);
  b.add(log[1]);
  a.merge(b);
  CHECK(a == test::swept(log, Plan(settings, {token})));
  // Clean twin: responses of one length have one mean.
  const Log even{response({-2, -4}, 1), response({-10, 0}, 2)};
  for (const Weight w : {Weight::row, Weight::response, Weight::prompt}) {
    settings.weight = w;
    CHECK(*of(even, token, settings).mean.value == Approx(4));
  }
}

TEST_CASE("B20 twenty random logs have the three means by definition") {
  Settings settings;
  settings.start = Start::all;
  settings.max_length = 9;
  const CellSpec token{Alignment::window, 0.9, 1, 0};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    Log log;
    std::map<std::uint64_t, std::pair<double, double>> prompts;
    double sum = 0, tokens = 0, response_means = 0;
    for (int i = 0; i < 30; ++i) {
      std::vector<double> delta(1 + random() % 9);
      double own = 0;
      for (double& d : delta) {
        d = std::nearbyint(1024 * uniform(random)) / 1024;
        own -= d;
      }
      const std::uint64_t prompt = random() % 8;
      log.push_back(response(delta, prompt));
      const auto n = static_cast<double>(delta.size());
      sum += own;
      tokens += n;
      response_means += own / n / 30;
      prompts[prompt].first += own;
      prompts[prompt].second += n;
    }
    double prompt_means = 0;
    for (const auto& [prompt, p] : prompts)
      prompt_means += p.first / p.second / static_cast<double>(prompts.size());
    CHECK(*of(log, token, settings).mean.value == Approx(sum / tokens));
    settings.weight = Weight::response;
    CHECK(*of(log, token, settings).mean.value == Approx(response_means));
    settings.weight = Weight::prompt;
    CHECK(*of(log, token, settings).mean.value == Approx(prompt_means));
    settings.weight = Weight::row;
  }
}

TEST_CASE("B21 seven equal credits have no variance to divide by") {
  const CellSpec cell{Alignment::position, 0, 0, 0};
  Log log;
  for (std::uint64_t p = 1; p <= 7; ++p) log.push_back(response({-0.95}, p));
  const Estimate e = of(log, cell);
  CHECK(*e.variance.value == 0.0);
  CHECK(e.variance.status == CellStatus::degenerate);
  log.push_back(response({0.0}, 8));  // the whole group (0, .95 x 7): pairs of prompts
  CHECK(*of(log, cell).variance.value == Approx(0.95 * 0.95 / 8).epsilon(1e-6));
}

TEST_CASE("B21 small differences far from zero survive twenty random shifts") {
  std::mt19937_64 random(21);
  const CellSpec cell{Alignment::position, 1, 0, 0};
  for (int trial = 0; trial < 20; ++trial) {
    // Many tokens of the same log-ratio carry A_0 to `shift`; one small token makes the variance.
    const auto length = static_cast<std::size_t>(1 + random() % 2000);
    const double shift = std::ldexp(1.0, static_cast<int>(random() % 9));
    Log plain, shifted;
    for (std::uint64_t p = 0; p < 12; ++p) {
      std::vector<double> delta(length, shift);
      const double small = static_cast<double>(random() % 1024) / 1024;
      plain.push_back(response({small}, p));
      delta.push_back(small);
      shifted.push_back(response(delta, p));
      // float32 must hold -1 + shift and -1 + small exactly
      REQUIRE(static_cast<double>(shifted.back().student_logprob.back()) == -1 + small);
    }
    const Estimate a = of(plain, cell), b = of(shifted, cell);
    CHECK(a.variance.value == b.variance.value);
    CHECK(a.variance.lower == b.variance.lower);
    CHECK(a.variance.upper == b.variance.upper);
  }
}

TEST_CASE("B23 prompts are the sample and not the responses") {
  // 8 prompts x 16 responses, between .09, within .01 by the analysis of variance.
  const double d = std::sqrt(0.01 * 15 / 16), e = std::sqrt((0.01 + 16 * 0.09) * 7 / 128);
  Log log, blind;
  for (std::uint64_t p = 0; p < 8; ++p)
    for (int j = 0; j < 16; ++j) {
      log.push_back(response({(p % 2 == 0 ? e : -e) + (j % 2 == 0 ? d : -d)}, p));
      blind.push_back(response({log.back().student_logprob[0] + 1.0}, 100 * p + std::uint64_t(j)));
    }
  const CellSpec cell{Alignment::position, 0, 0, 0};
  const Sweep sweep = test::swept(log, Plan({}, {cell}));
  const auto split = prompt_split(sweep, 0).value();
  CHECK(split.clusters == 8);
  CHECK(split.between == Approx(0.09).epsilon(1e-5));
  CHECK(split.within == Approx(0.01).epsilon(1e-5));
  CHECK(split.intraclass == Approx(0.9).epsilon(1e-5));
  CHECK(split.design_effect == Approx(14.5).epsilon(1e-5));
  CHECK(split.se_mean == Approx(0.1064).margin(5e-5));
  CHECK(split.se_mean_independent == Approx(0.02795).margin(5e-6));
  const auto cells = prompt_split_cells(sweep, 0);
  CHECK(*cells[0].value == Approx(0.09).epsilon(1e-5));
  CHECK(*cells[1].value == Approx(0.01).epsilon(1e-5));

  // Limits of the mean: t .975 at 7 df is 2.3646, at 127 df 1.9788.
  const Cell mean = estimate(sweep, 0, 2e-6).mean;
  CHECK(*mean.upper - *mean.value == Approx(2.3646 * 0.10643).epsilon(1e-3));
  const Cell naive = of(blind, cell).mean;  // faulty twin: every response its own prompt
  CHECK(*naive.upper - *naive.value == Approx(1.9788 * 0.02795).epsilon(0.06));
  CHECK((*mean.upper - *mean.value) / (*naive.upper - *naive.value) > 4);
}

TEST_CASE("B23 the design effect of twenty random clustered logs is near its truth") {
  // 200 prompts x 8, intra-class correlation rho: se of rho near .03; margins of 5.
  std::mt19937_64 random(23);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    const double rho = 0.05 * trial;
    Log log;
    for (std::uint64_t p = 0; p < 200; ++p) {
      const double effect = std::sqrt(rho) * normal(random);
      for (int j = 0; j < 8; ++j)
        log.push_back(response({effect + std::sqrt(1 - rho) * normal(random)}, p));
    }
    const CellSpec cell{Alignment::position, 0, 0, 0};
    const auto split = prompt_split(test::swept(log, Plan({}, {cell})), 0).value();
    CHECK(split.intraclass == Approx(rho).margin(0.15));
    CHECK(split.design_effect == Approx(1 + 7 * split.intraclass));
    CHECK(split.se_mean / split.se_mean_independent ==
          Approx(std::sqrt(split.design_effect)).epsilon(0.02));
  }
}
