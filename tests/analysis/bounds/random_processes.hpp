// SPDX-License-Identifier: MIT
// Random small processes for the gate "no bound is exceeded", and the families that come near one
// bound each. Every one of them satisfies (OP).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/analysis/bounds/small_process.hpp"

namespace gammascope::test {

class RandomProcesses {
 public:
  explicit RandomProcesses(std::uint64_t seed) : bits_(seed) {}

  /// In [0, 1), the same on every platform.
  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(n));
  }

  /// 2 to 4 states, 2 to 4 tokens; peaked to flat students (no probability below 1e-7, so that (OP)
  /// holds to rounding); teachers from near to far, some with
  /// mass on tokens that the student never emits; half of them with an end; a fifth with the same
  /// KL at every prefix.
  SmallProcess next() {
    const std::size_t live = 1 + below(3), tokens = 2 + below(3);
    const bool ends = uniform() < 0.5, constant_kl = uniform() < 0.2;
    SmallProcess process;
    process.rows.resize(live + (ends ? 1 : 0));
    if (ends) process.end = live;
    process.initial.assign(process.rows.size(), 0.0);
    const auto first = random_law(live, 1.0);
    for (std::size_t s = 0; s < live; ++s) process.initial[s] = first[s];
    const double spread = std::exp(4.0 * uniform() - 2.0),
                 distance = std::exp(7.0 * uniform() - 5.0);
    const double teacher_mass = uniform() < 0.5 ? 1.0 : 1.0 - 0.9 * uniform();
    std::vector<Real> student, ratio;
    for (std::size_t s = 0; s < live; ++s) {
      if (s == 0 || !constant_kl) {
        student = random_law(tokens, spread);
        ratio.assign(tokens, 0);
        Real sum = 0;
        for (std::size_t a = 0; a < tokens; ++a) {
          ratio[a] = distance * (2.0 * uniform() - 1.0);
          sum += student[a] * std::exp(ratio[a]);
        }
        for (Real& x : ratio) x += std::log(Real{teacher_mass}) - std::log(sum);
      }
      for (std::size_t a = 0; a < tokens; ++a)
        process.rows[s].push_back({student[a], ratio[a], below(process.rows.size())});
    }
    return process;
  }

 private:
  std::vector<Real> random_law(std::size_t n, double spread) {
    std::vector<Real> p(n);
    Real sum = 0;
    for (Real& one : p) sum += one = std::exp(-spread * uniform()) * (1e-3 + uniform());
    for (Real& one : p) one /= sum;
    return p;
  }

  std::mt19937_64 bits_;
};

/// X in {-c, e}, P(-c) = p, E e^X = 1, independent from token to token: V1* at N = 1, 3c with d2 =
/// 0.
inline SmallProcess two_point(Real p, Real c) {
  SmallProcess process;
  const Real e = std::log1p(-p * std::exp(-c)) - std::log1p(-p);
  process.rows = {{{p, -c, 0}, {1 - p, e, 0}}};
  process.initial = {1.0};
  return process;
}

/// Theory 3a: with probability p every token has Delta = c, else none has.
inline SmallProcess near_attaining(Real p, Real c) {
  SmallProcess process;
  process.rows = {{{1.0, -c, 0}}, {{1.0, 0.0, 1}}};
  process.initial = {p, 1 - p};
  return process;
}

/// Ends at each token with probability h; every token has Delta = kappa (the teacher has the rest
/// of its mass elsewhere), so the KL is the same at every prefix.
inline SmallProcess constant_kl_with_end(Real kappa, Real h) {
  SmallProcess process;
  process.rows = {{{1 - h, -kappa, 0}, {h, -kappa, 1}}, {}};
  process.initial = {1.0, 0.0};
  process.end = 1;
  return process;
}

}  // namespace gammascope::test
