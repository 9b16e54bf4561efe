// SPDX-License-Identifier: MIT
// Against numbers found elsewhere: the closed forms of one token (KL estimator tables), and the
// 40-digit example of theory-2 6c. Against enumeration: proofs_check, statement gradient_variance.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <catch2/catch.hpp>

#include "simulators/markov/gradient_variance.hpp"

namespace gammascope::markov {
namespace {

/// One token, student p, teacher q.
Process<double> one_token(const std::array<double, 3>& p, const std::array<double, 3>& q) {
  std::vector<std::vector<Edge<double>>> rows(1);
  for (std::uint32_t a = 0; a < 3; ++a) rows[0].push_back({p[a], std::log(q[a] / p[a]), 0, a});
  return {{1.0}, rows, std::nullopt, 3};
}

struct Case {
  std::array<double, 3> p;
  double norm2, raw, with_value;  ///< |E g|^2, tr Cov without and with the exact value
};

TEST_CASE(
    "one token has the gradient variance of the k1 estimator with and without its value baseline") {
  const std::array<double, 3> q{0.1, 0.45, 0.45};
  const Case cases[] = {{{0.001, 0.4995, 0.4995}, 3.3203e-5, 0.037155, 0.033115},
                        {{0.05, 0.475, 0.475}, 0.0018896, 0.032030, 0.032886},
                        {{0.1, 0.65775343, 0.24224657}, 0.064334, 0.047747, 0.073855},
                        {{0.2, 0.4, 0.4}, 0.025252, 0.07321, 0.067339},
                        {{0.22, 0.43, 0.35}, 0.039891, 0.1003, 0.091032},
                        {{0.11, 0.445, 0.445}, 1.6301e-4, 0.0010818, 0.0010741}};
  for (const Case& one : cases) {
    const Process<double> process = one_token(one.p, q);
    const auto raw = gradient_moments(process, 1.0, 1, GradientBaseline::none);
    const auto value = gradient_moments(process, 1.0, 1, GradientBaseline::value);
    const auto position = gradient_moments(process, 1.0, 1, GradientBaseline::position);
    CHECK(raw.norm2() == Approx(one.norm2).epsilon(6e-5));
    CHECK(raw.trace_cov == Approx(one.raw).epsilon(6e-4));
    CHECK(value.trace_cov == Approx(one.with_value).epsilon(6e-4));
    CHECK(position.trace_cov == Approx(value.trace_cov).epsilon(1e-14));
    CHECK(value.norm2() == Approx(raw.norm2()).epsilon(1e-12));
  }
}

/// Theory-2 6c: g at gamma = 1/3 equals g at 1.
Process<double> example() {
  const double student[2][2] = {{6.0 / 7, 1.0 / 7}, {5.0 / 6, 1.0 / 6}};
  const double teacher[2] = {1.0 / 3, 2.0 / 3};
  const std::uint32_t next[2][2] = {{1, 0}, {0, 0}};
  std::vector<std::vector<Edge<double>>> rows(2);
  for (std::uint32_t s = 0; s < 2; ++s)
    for (std::uint32_t a = 0; a < 2; ++a)
      rows[s].push_back({student[s][a], std::log(teacher[a] / student[s][a]), next[s][a], a});
  return {{1.0, 0.0}, rows, std::nullopt, 2};
}

GradientMoments<double> at(double gamma) {
  return gradient_moments(example(), gamma, 3, GradientBaseline::none);
}

double best_gamma(double batch) {
  const auto one = at(1.0);
  const auto mse = [&](double gamma) { return gradient_scores(at(gamma), one, batch).mse; };
  double best = 0;
  for (int k = 0; k <= 2000; ++k)
    if (mse(k / 2000.0) < mse(best)) best = k / 2000.0;
  double low = std::max(0.0, best - 1e-3), high = std::min(1.0, best + 1e-3);
  while (high - low > 1e-6) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (mse(a) < mse(b) ? high : low) = mse(a) < mse(b) ? b : a;
  }
  return low;
}

TEST_CASE("the best gamma falls with the batch size in the example of three tokens") {
  CHECK(at(0.6377).trace_cov ==
        Approx(0.8218357).margin(1e-6));  // over the 8 responses in NumPy; theory-2 prints .823
  CHECK(at(1.0 / 3).trace_cov == Approx(0.886).margin(5e-4));
  CHECK(at(1.0).trace_cov == Approx(0.984).margin(5e-4));
  CHECK(gradient_scores(at(1.0 / 3), at(1.0), 1).bias2 < 1e-30);
  CHECK(best_gamma(1) == Approx(0.63772).margin(1e-5));
  CHECK(best_gamma(1e4) == Approx(0.63166).margin(1e-5));
  CHECK(best_gamma(5e4) == Approx(0.5134).margin(1e-4));
  CHECK(best_gamma(1e5) == Approx(0.4019).margin(1e-4));
  CHECK(best_gamma(1e6) == Approx(0.3391).margin(1e-4));
}

TEST_CASE("alignment is the cosine squared once the noise is averaged away") {
  const auto zero = at(0.0), one = at(1.0);
  const GradientScores many = gradient_scores(zero, one, 1e18), few = gradient_scores(zero, one, 1);
  CHECK(many.alignment == Approx(many.cosine * many.cosine).epsilon(1e-10));
  CHECK(few.alignment < many.alignment);
  CHECK(gradient_scores(one, one, 1e18).alignment == Approx(1).epsilon(1e-10));
  CHECK(few.mse == Approx(few.bias2 + zero.trace_cov).epsilon(1e-14));
  // A gradient that points the other way keeps nothing.
  GradientMoments<double> reversed = one;
  for (double& x : reversed.mean) x = -x;
  CHECK(gradient_scores(reversed, one, 10).alignment == 0);
  CHECK(gradient_scores(reversed, one, 10).cosine == Approx(-1).epsilon(1e-14));
}

TEST_CASE("the mean gradient does not depend on the baseline") {
  const auto none = gradient_moments(example(), 0.7, 9, GradientBaseline::none);
  for (const auto baseline : {GradientBaseline::position, GradientBaseline::value}) {
    const auto other = gradient_moments(example(), 0.7, 9, baseline);
    for (std::size_t i = 0; i < none.mean.size(); ++i)
      CHECK(other.mean[i] == Approx(none.mean[i]).margin(1e-13));
  }
}

TEST_CASE("wrong use of the gradient moments is refused") {
  CHECK_THROWS_AS(gradient_moments(example(), 1.0, 0, GradientBaseline::none),
                  std::invalid_argument);
  CHECK_THROWS_AS(gradient_scores(at(0), at(1), 0), std::invalid_argument);
  const Process<double> never{
      {1.0},
      {{{0.5, 0.1, 0, 0}, {0.5, -std::numeric_limits<double>::infinity(), 0, 1}}},
      std::nullopt,
      2};
  CHECK_THROWS_AS(gradient_moments(never, 1.0, 2, GradientBaseline::none), std::domain_error);
}

}  // namespace
}  // namespace gammascope::markov
