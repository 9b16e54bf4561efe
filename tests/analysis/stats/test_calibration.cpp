// SPDX-License-Identifier: MIT
// Coverage of the 95 % HJS limits for the laws of calibration 3.2 (clusters of 4 rows, 4000
// samples). Acceptance of calibration 9: light laws 94 to 97 %, each error at most 3.5 %; frozen t5
// and OPD-like 93.5 to 96.5 %, upper error at most 5 %; each band widened by 3 Monte Carlo standard
// errors. Laws that no method covers are printed beside, with no gate.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "clusters.hpp"
#include <catch2/catch.hpp>

#include "analysis/stats/hjs.hpp"

using namespace gammascope;
using Random = std::mt19937_64;
using Cluster = std::vector<double>;

namespace {

struct Law {
  std::string name;
  std::function<void(Random&, Cluster&)> draw;  // one cluster
  double variance;
};

/// Values drawn once; the law is to draw from them, so their variance is the truth.
Law pooled(const std::string& name, const std::function<double(Random&)>& value) {
  Random random(7);
  auto pool = std::make_shared<std::vector<double>>(200000);
  double mean = 0, variance = 0;
  for (double& x : *pool) {
    x = value(random);
    mean += x / 200000;
  }
  for (double& x : *pool) {
    x -= mean;
    variance += x * x / 200000;
  }
  return {name,
          [pool](Random& r, Cluster& c) {
            c.resize(4);
            for (double& a : c) a = (*pool)[r() % pool->size()];
          },
          variance};
}

double normal(Random& random) {
  static std::normal_distribution<double> law;
  return law(random);
}
double t5(Random& random) {
  static std::student_t_distribution<double> law(5);
  return law(random);
}

/// sum over T tokens of gamma^k X_k, X an AR(1) with this phi.
double credit(Random& random, double gamma, int length, double phi, double (*token)(Random&)) {
  double sum = 0, weight = 1, x = token(random) / std::sqrt(1 - phi * phi);
  for (int k = 0; k < length; ++k) {
    sum += weight * x;
    weight *= gamma;
    x = phi * x + token(random);
  }
  return sum;
}

Law clustered(double icc) {
  return {"icc " + std::to_string(icc).substr(0, 3) + " normal",
          [icc](Random& r, Cluster& c) {
            const double effect = std::sqrt(icc) * normal(r);
            c.resize(4);
            for (double& a : c) a = effect + std::sqrt(1 - icc) * normal(r);
          },
          1.0};
}

Law random_rows() {  // each row present with a prompt's own probability
  return {"random m, icc .5",
          [](Random& r, Cluster& c) {
            const double present = std::generate_canonical<double, 53>(r);
            const double effect = std::sqrt(0.5) * normal(r);
            c.clear();
            for (int j = 0; j < 4; ++j)
              if (std::generate_canonical<double, 53>(r) < present)
                c.push_back(effect + std::sqrt(0.5) * normal(r));
          },
          1.0};
}

double ragged(Random& random) {  // T geometric with mean 100, A | T normal
  static std::geometric_distribution<int> law(0.01);
  const double length = law(random) + 1;
  return -0.05 * length + 0.5 * std::sqrt(length) * normal(random);
}

struct Errors {
  double lower = 0, upper = 0;  // %: lower limit above the truth, upper limit below it
  double without = 0;           // %: no limits, because one cluster carries everything
  [[nodiscard]] double coverage() const { return 100 - lower - upper - without; }
};

Errors measure(const Law& law, std::size_t clusters) {
  constexpr int samples = 4000;
  Random random(clusters);
  Errors errors;
  std::vector<stats::ClusterSums> sums(clusters);
  Cluster rows;
  for (int i = 0; i < samples; ++i) {
    for (stats::ClusterSums& c : sums) {
      c = {};
      law.draw(random, rows);
      for (const double a : rows) {
        c.rows += 1;
        c.s1 += a;
        c.s2 += a * a;
      }
    }
    const auto limits = stats::hjs_variance(sums).limits(0.95);
    if (!limits) {
      errors.without += 100.0 / samples;
      continue;
    }
    errors.lower += limits->lower > law.variance ? 100.0 / samples : 0;
    errors.upper += limits->upper < law.variance ? 100.0 / samples : 0;
  }
  std::cout << std::left << std::setw(24) << law.name << std::right << std::setw(5) << clusters
            << std::fixed << std::setprecision(1) << "   " << errors.coverage() << " % ("
            << errors.lower << " / " << errors.upper << ")\n";
  return errors;
}

void check(const Law& law, double least, double most, double side, double upper_side) {
  for (const std::size_t clusters : {32u, 128u, 512u}) {
    const Errors e = measure(law, clusters);
    CAPTURE(law.name, clusters);
    CHECK(e.coverage() >= least - 1.1);  // 3 standard errors: .38 at 94 %, .27 at 97 %
    CHECK(e.coverage() <= most + 0.8);
    CHECK(e.lower <= side + 0.9);  // .29 at 3.5 %
    CHECK(e.upper <= upper_side + (upper_side > 4 ? 1.0 : 0.9));
  }
}
void check_light(const Law& law) { check(law, 94, 97, 3.5, 3.5); }

}  // namespace

TEST_CASE("limits of light laws cover 94 to 97 percent") {
  check_light({"normal",
               [](Random& r, Cluster& c) {
                 c.resize(4);
                 for (double& a : c) a = normal(r);
               },
               1.0});
  for (const double gamma : {0.9, 0.99, 1.0}) {
    const std::string g = std::to_string(gamma).substr(0, 4);
    check_light(
        pooled("t5 sum, gamma " + g, [gamma](Random& r) { return credit(r, gamma, 64, 0, t5); }));
    check_light(pooled("AR .9 t5, gamma " + g,
                       [gamma](Random& r) { return credit(r, gamma, 64, 0.9, t5); }));
  }
  check_light(clustered(0.5));
  check_light(clustered(0.9));
  check_light(pooled("ragged geometric", ragged));
  check_light(random_rows());
}

TEST_CASE("limits of frozen t5 rows cover 93 to 97 percent") {
  check(pooled("frozen t5", t5), 93.5, 96.5, 3.5, 5);
}

TEST_CASE("laws that no method covers are printed with what is reached") {
  static std::student_t_distribution<double> t3(3);
  const Errors heavy = measure(pooled("t3", [](Random& r) { return t3(r); }), 128);
  const Errors rare =
      measure(pooled("1 % six times as large",
                     [](Random& r) {
                       return (std::generate_canonical<double, 53>(r) < 0.01 ? 6 : 1) * normal(r);
                     }),
              32);
  // Calibration 3.3: 89 and 78 %. The gate of the first test is red for both: it can fail.
  CHECK(heavy.coverage() < 93);
  CHECK(rare.coverage() < 85);
}
