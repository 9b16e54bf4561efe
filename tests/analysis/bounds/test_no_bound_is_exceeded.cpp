// SPDX-License-Identifier: MIT
// No bound is exceeded by an exact process, each where its assumptions and alignment hold; and the
// same gate goes red when a bound is a tenth too small. Exact values: small_process.hpp, first
// checked against tests/data/reference/markov.json.
#include <cmath>
#include <map>
#include <string>

#include <catch2/catch.hpp>

#include "analysis/bounds/registry.hpp"
#include "tests/analysis/bounds/random_processes.hpp"
#include "tests/support/reference.hpp"

using namespace gammascope;
using test::Real;
using test::SmallProcess;

namespace {

constexpr double gammas[] = {0.0, 0.5, 0.9, 0.99, 0.999, 1.0};

/// Largest variance / bound met, by claim.
using Worst = std::map<std::string, double>;

void note(Worst& worst, std::string_view claim, Real variance, Real bound, Real mean) {
  // A sum of size |mean| is known to some 1e-17 of it: a variance of its own where the true one is
  // 0.
  const Real dust = 1e-32L * (1 + mean * mean);
  const Real ratio = variance < dust ? 0 : variance / bound;
  auto& largest = worst[std::string(claim)];
  largest = std::max(largest, static_cast<double>(ratio));
}

double rounded(Real x) { return static_cast<double>(x); }

/// All claims on the sum of n tokens from states d (position, or window from one or all starts).
void judge(Worst& worst, const SmallProcess& process, const test::Distribution& d, std::size_t n) {
  const auto facts = test::claims(process, d, n);
  for (const double gamma : gammas) {
    const auto sum = test::exact_sum(process, d, gamma, n);
    bounds::Inputs in;
    in.sigma2 = rounded(facts.sigma2), in.c = rounded(facts.c), in.v = rounded(facts.v),
    in.d2 = rounded(facts.d2);
    in.big_c = rounded(sum.largest_loss), in.l = rounded(std::max(Real{0}, -sum.mean));
    for (const auto& bound : bounds::all()) {
      if (bound.horizon_free && gamma == 1.0) continue;
      in.weights = bound.horizon_free
                       ? bounds::weight_sums_infinite(Gamma(gamma))
                       : bounds::weight_sums(Gamma(gamma), Horizon(static_cast<std::int64_t>(n)));
      note(worst, bound.claim, sum.variance, bounds::evaluate(bound, in), sum.mean);
      if (bound.claim == "kl") {  // also with the C that a clamp c gives
        auto clamped = in;
        clamped.big_c = rounded(facts.c) * in.weights.g;
        note(worst, bound.claim, sum.variance, bounds::evaluate(bound, clamped), sum.mean);
      }
    }
  }
}

Worst sweep(int processes, std::uint64_t seed) {
  test::RandomProcesses random(seed);
  Worst worst;
  for (int i = 0; i < processes; ++i) {
    const SmallProcess process = random.next();
    const std::size_t n = 1 + (random.uniform() < 0.5 ? random.below(8) : random.below(64));
    test::Distribution d = test::alive_at(process, 0);
    if (const double kind = random.uniform(); kind < 0.25)
      d = test::alive_at(process, 1 + random.below(6));
    else if (kind < 0.5)
      d = test::alive_at_all(process, random.below(12));
    if (!(test::mass(d) > 0)) continue;  // nothing can be alive there
    judge(worst, process, d, n);
    if (process.end && random.uniform() < 0.3) {
      const std::size_t length = 1 + random.below(24), left = 1 + random.below(length);
      for (const double gamma : gammas) {
        const auto facts = test::by_horizon(process, gamma, left, length);
        if (!(facts.probability > 1e-12)) continue;
        bounds::Inputs in;
        in.sigma2 = facts.sigma2;
        in.weights = bounds::weight_sums(Gamma(gamma), Horizon(static_cast<std::int64_t>(left)));
        note(worst,
             "theorem_3_3.finite by horizon",
             facts.variance,
             bounds::evaluate(*bounds::find("theorem_3_3.finite"), in),
             1.0);
      }
    }
  }
  return worst;
}

/// The families, one near each bound.
Worst families() {
  Worst worst;
  const auto from_start = [&](const SmallProcess& process, std::size_t n) {
    judge(worst, process, test::alive_at(process, 0), n);
  };
  for (const double c : {0.3, 1.0, 3.0})
    for (const double p : {0.01, 0.2, 0.5}) from_start(test::two_point(p, c), 1);
  from_start(test::two_point(0.2, 1.0), 64);            // independent noise: 3c with d2 = 0
  from_start(test::near_attaining(0.001, 5.0), 64);     // Theorem 3.3, 3b, KL form
  from_start(test::near_attaining(0.01, 1.0), 1024);    // d*, gamma = 1
  from_start(test::near_attaining(0.001, 5.0), 16384);  // Theorem 3.3 without a horizon
  from_start(test::constant_kl_with_end(0.1, 0.02), 64);
  return worst;
}

Real fraction(const nlohmann::json& value) {
  const auto text = value.get<std::string>();
  const auto slash = text.find('/');
  if (slash == std::string::npos) return std::stold(text);
  return std::stold(text.substr(0, slash)) / std::stold(text.substr(slash + 1));
}

SmallProcess reference_process(const nlohmann::json& json) {
  SmallProcess process;
  const auto states = json.at("states").get<std::size_t>();
  process.rows.resize(states);
  if (!json.at("end_state").is_null()) process.end = json.at("end_state").get<std::size_t>();
  for (const auto& p : json.at("initial")) process.initial.push_back(fraction(p));
  for (std::size_t s = 0; s < states; ++s) {
    if (process.end == s) continue;
    for (std::size_t a = 0; a < json.at("actions").get<std::size_t>(); ++a) {
      const Real student = fraction(json.at("student")[s][a]);
      if (student > 0)
        process.rows[s].push_back({student,
                                   std::log(fraction(json.at("teacher")[s][a]) / student),
                                   json.at("next")[s][a].get<std::size_t>()});
    }
  }
  return process;
}

}  // namespace

TEST_CASE("The exact values of these tests agree with the reference processes") {
  const auto reference = test::reference("markov.json");
  int compared = 0;
  for (const auto& one : reference.at("cases")) {
    const auto process = reference_process(one.at("process"));
    const auto length = one.at("max_length").get<std::size_t>();
    CAPTURE(one.at("name").get<std::string>());
    CHECK(test::claims(process, test::alive_at(process, 0), 1).c <=
          test::decimal(one.at("max_log_ratio")) * (1 + 1e-12));
    for (const auto& result : one.at("results")) {
      const auto gamma = static_cast<double>(fraction(result.at("gamma")));
      const auto close = [&](Real got, const nlohmann::json& want) {
        CHECK(static_cast<double>(got) == Approx(test::decimal(want)).epsilon(1e-10).margin(1e-15));
        ++compared;
      };
      for (const auto& row : result.at("window_at_0")) {
        const auto sum = test::exact_sum(
            process, test::alive_at(process, 0), gamma, row.at("window").get<std::size_t>());
        close(sum.mean, row.at("mean"));
        close(sum.variance, row.at("variance"));
      }
      for (const auto& row : result.at("by_position")) {
        const auto t = row.at("t").get<std::size_t>();
        const auto d = test::alive_at(process, t);
        const auto sum = test::exact_sum(process, d, gamma, row.at("n_left").get<std::size_t>());
        close(sum.mean, row.at("mean"));
        close(sum.variance, row.at("variance"));
      }
      if (!result.contains("by_horizon_stopped")) continue;
      for (const auto& row : result.at("by_horizon_stopped")) {
        const auto facts =
            test::by_horizon(process, gamma, row.at("horizon").get<std::size_t>(), length);
        close(facts.probability, row.at("probability"));
        if (row.contains("variance") && facts.probability > 0)
          close(facts.variance, row.at("variance"));
      }
    }
  }
  CHECK(compared > 1000);
}

TEST_CASE(
    "No bound is exceeded by 100000 random small processes nor by the families near a bound") {
  Worst worst = sweep(100000, 20260917);
  for (const auto& [claim, ratio] : families()) worst[claim] = std::max(worst[claim], ratio);
  CHECK(worst.size() == bounds::all().size() + 1);
  for (const auto& [claim, ratio] : worst) {
    CAPTURE(claim, ratio, (ratio - 1.0) * 1e12);
    CHECK(ratio <= 1.0 + 1e-12);
    CHECK(ratio > 0.5);  // the sweep says something about each of them
  }
}

TEST_CASE("A bound that is a tenth too small is caught by the same gate") {
  const Worst worst = families();
  for (const auto& bound : bounds::all()) {
    const double ratio = worst.at(std::string(bound.claim));
    CAPTURE(bound.claim, ratio);
    CHECK(ratio <= 1.0 + 1e-12);
    CHECK(ratio / 0.9 > 1.0 + 1e-12);
  }
}

TEST_CASE("The near-attaining family reaches one minus p of the finite bound") {
  for (const double p : {0.3, 0.01, 1e-4})
    for (const double gamma : gammas)
      for (const std::size_t n : {1u, 2u, 17u, 64u}) {
        const auto process = test::near_attaining(p, 2.0);
        const auto d = test::alive_at(process, 0);
        bounds::Inputs in;
        in.sigma2 = test::claims(process, d, n).sigma2;
        in.weights = bounds::weight_sums(Gamma(gamma), Horizon(static_cast<std::int64_t>(n)));
        const double bound = bounds::evaluate(*bounds::find("theorem_3_3.finite"), in);
        CHECK(test::exact_sum(process, d, gamma, n).variance ==
              Approx((1.0 - p) * bound).epsilon(1e-12));
      }
}

TEST_CASE("By horizon the largest second moment over positions is no sigma2") {
  // Theory 5.4: with it the reference processes exceed the bound by 22 %; with the sigma2 of the
  // population that ended with that many tokens left none does.
  double wrong = 0, right = 0;
  const auto reference = test::reference("markov.json");
  for (const auto& one : reference.at("cases")) {
    const auto process = reference_process(one.at("process"));
    if (!process.end) continue;
    for (const auto& result : one.at("results")) {
      if (!result.contains("by_horizon_stopped")) continue;
      const auto gamma = static_cast<double>(fraction(result.at("gamma")));
      for (const auto& row : result.at("by_horizon_stopped")) {
        const auto n = row.at("horizon").get<std::int64_t>();
        const auto facts = test::by_horizon(
            process, gamma, static_cast<std::size_t>(n), one.at("max_length").get<std::size_t>());
        if (!(facts.probability > 0)) continue;
        const double variance = test::decimal(row.at("variance"));
        bounds::Inputs in;
        in.weights = bounds::weight_sums(Gamma(gamma), Horizon(n));
        in.sigma2 = test::decimal(one.at("sigma2_max_over_t"));
        const auto& finite = *bounds::find("theorem_3_3.finite");
        wrong = std::max(wrong, variance / bounds::evaluate(finite, in));
        in.sigma2 = facts.sigma2;
        right = std::max(right, variance / bounds::evaluate(finite, in));
      }
    }
  }
  CHECK(wrong == Approx(1.22).margin(0.005));
  CHECK(right <= 1.0 + 1e-12);
}

TEST_CASE("The drift variance of those still alive is no d2 when responses end") {
  // Theory 3c: with constant KL kappa it is 0 while the sum contains kappa^2 Var(T).
  const double kappa = 0.2, h = 0.05;
  const auto process = test::constant_kl_with_end(kappa, h);
  const auto d = test::alive_at(process, 0);
  const auto facts = test::claims(process, d, 64);
  CHECK(facts.d2_among_alive == Approx(0.0).margin(1e-18));
  CHECK(facts.v == Approx(0.0).margin(1e-18));
  const double variance = rounded(test::exact_sum(process, d, 1.0, 64).variance);
  CHECK(variance > 1.0);  // kappa^2 Var(min(T, 64)), Var(T) = (1 - h) / h^2 = 380
  bounds::Inputs in;
  in.weights = bounds::weight_sums(Gamma(1.0), Horizon(64));
  in.v = facts.v, in.d2 = facts.d2_among_alive;
  CHECK(bounds::evaluate(*bounds::find("drift"), in) < 1e-10);
  in.d2 = facts.d2;
  CHECK(bounds::evaluate(*bounds::find("drift"), in) >= variance);
}

TEST_CASE(
    "With truncated responses dropped the mean credit can be positive which no on-policy sum "
    "allows") {
  // Theory-2 1e: student stops with 1/5, teacher with 1/2; responses above 2 tokens dropped. E[e^A
  // | T <= 2] = P_teacher / P_student = .75 / .36, and E A > 0, so every bound that uses (OP) has
  // lost its ground there; kept and cut at 2 tokens, E e^A = 1 and E A <= 0.
  const double go = std::log(0.5 / 0.8), stop = std::log(0.5 / 0.2);
  const double short_p = 0.2, long_p = 0.8 * 0.2, cut_p = 0.8 * 0.8;
  const double kept = short_p + long_p;
  const double mean_exp = (short_p * std::exp(stop) + long_p * std::exp(go + stop)) / kept;
  CHECK(mean_exp == Approx(0.75 / 0.36).epsilon(1e-12));
  CHECK((short_p * stop + long_p * (go + stop)) / kept > 0.5);
  CHECK(short_p * stop + long_p * (go + stop) + cut_p * 2 * go < 0.0);
  CHECK(kept * mean_exp + cut_p * std::exp(2 * go) == Approx(1.0).epsilon(1e-12));
}
