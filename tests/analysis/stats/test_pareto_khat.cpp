// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis/stats/pareto_khat.hpp"

using namespace gammascope::stats;

namespace {

/// Quantiles of the generalised Pareto law at (i - 1/2) / n: a sample without luck.
std::vector<double> pareto(double k, std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double p = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    x[i] = (std::pow(1 - p, -k) - 1) / k;
  }
  return x;
}

/// Median k-hat of the second moments of `prompts` single rows.
template <class Law>
double median_khat(Law law, std::size_t prompts, int samples) {
  std::mt19937_64 random(41);
  std::vector<double> found;
  for (int i = 0; i < samples; ++i) {
    std::vector<ClusterSums> clusters(prompts);
    for (auto& c : clusters) {
      c.rows = 4;
      for (int j = 0; j < 4; ++j) {
        const double a = law(random);
        c.s1 += a;
        c.s2 += a * a;
      }
    }
    found.push_back(second_moment_khat(clusters).value());
  }
  std::nth_element(found.begin(), found.begin() + samples / 2, found.end());
  return found[static_cast<std::size_t>(samples / 2)];
}

}  // namespace

TEST_CASE("the shape of ideal Pareto samples comes back") {
  for (const double k : {0.2, 0.5, 0.8, 1.2}) {
    CHECK(pareto_shape(pareto(k, 1000)).value() == Approx(k).margin(0.03));
    auto scaled = pareto(k, 1000);
    for (double& x : scaled) x *= 1e6;
    CHECK(pareto_shape(scaled).value() ==
          Approx(pareto_shape(pareto(k, 1000)).value()).epsilon(1e-8));
  }
  CHECK(pareto_shape(pareto(-0.4, 1000)).value() == Approx(-0.4).margin(0.05));
}

TEST_CASE("medians of k-hat are those that the calibration found") {
  // Calibration 4.1, 4 rows a prompt: .35 for t5 and .59 for t3 at 512 prompts, .28 for normal rows
  // and .45 for t3 at 32. The median of 300 has a standard error near .02: margins of .06.
  std::student_t_distribution<double> t5(5), t3(3);
  std::normal_distribution<double> normal;
  CHECK(median_khat(t5, 512, 300) == Approx(0.35).margin(0.06));
  CHECK(median_khat(t3, 512, 300) == Approx(0.59).margin(0.06));
  CHECK(median_khat(normal, 32, 300) == Approx(0.28).margin(0.06));
  CHECK(median_khat(t3, 32, 300) == Approx(0.45).margin(0.06));
}

TEST_CASE("k-hat is absent for ties at the top and for short tails") {
  std::vector<double> two_points(100, 0.0);
  for (std::size_t i = 0; i < 3; ++i) two_points[i] = 1.0;
  CHECK_FALSE(pareto_khat(two_points));
  CHECK_FALSE(pareto_khat(std::vector<double>(100, 2.0)));
  auto values = pareto(0.5, 100);
  CHECK(pareto_khat(values));
  values.push_back(*std::max_element(values.begin(), values.end()));
  CHECK_FALSE(pareto_khat(values));
  CHECK_FALSE(pareto_khat(pareto(0.5, 20)));
  CHECK_FALSE(pareto_khat({}));
}
