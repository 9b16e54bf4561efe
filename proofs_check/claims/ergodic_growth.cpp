// SPDX-License-Identifier: MIT
#include "proofs_check/chains.hpp"
#include "proofs_check/claims/all.hpp"
#include "proofs_check/sweep.hpp"
#include "simulators/markov/exact_moments.hpp"

namespace gammascope::proofs {
namespace {

constexpr std::uint64_t chains = std::uint64_t{3} * 3 * 16 * 256;
constexpr std::int64_t longest = 12;

TinyProcess chain(std::uint64_t index) {
  const auto take = [&](std::uint64_t n) {
    const std::uint64_t digit = index % n;
    index /= n;
    return digit;
  };
  TinyProcess p;
  for (int s = 0; s < 2; ++s) {
    const auto k = static_cast<long>(1 + take(3));
    p.student.push_back({q(k, 4), q(4 - k, 4)});
    const auto first = static_cast<std::uint32_t>(take(2));
    p.next.push_back({first, static_cast<std::uint32_t>(take(2))});
  }
  p.teacher = p.student;
  p.initial = {Q(1), Q(0)};
  p.length = static_cast<std::size_t>(longest);
  return p;
}

Table<Q> chain_log_ratios(std::uint64_t index) {
  const Q values[] = {q(-2), q(-1, 2), q(0), q(1, 3)};
  index /= std::uint64_t{3} * 3 * 16;
  Table<Q> x(2);
  for (auto& row : x)
    for (int a = 0; a < 2; ++a, index /= 4) row.push_back(values[index % 4]);
  return x;
}

/// |sqrt(a) - sqrt(b)| <= 2 sqrt(c) for a, b, c >= 0, without roots.
bool roots_within(const Q& a, const Q& b, const Q& c) {
  const Q rest = a + b - 4 * c;
  return rest <= 0 || rest * rest <= 4 * a * b;
}

Verdict decide(std::uint64_t index, std::size_t mutant) {
  TinyProcess p = chain(index);
  const Table<Q> x = chain_log_ratios(index), m = transitions(p);
  if (!irreducible(m)) return {};
  const std::vector<Q> d = stationary(m), r = mean_log_ratio(p, x);
  const std::vector<Q> h = poisson_solution(m, d, r);
  const Q mean = d[0] * r[0] + d[1] * r[1];
  Q sigma2, spread = d[0] * h[0] * h[0] + d[1] * h[1] * h[1];  // d.h = 0
  for (std::size_t s = 0; s < 2; ++s) {
    Q innovation;
    for (std::size_t a = 0; a < 2; ++a) {
      const Q step = x[s][a] - mean + (mutant == 2 ? Q(0) : h[p.next[s][a]]) - h[s];
      innovation += p.student[s][a] * step;
      sigma2 += d[s] * p.student[s][a] * step * step;
    }
    // A_N - N rbar = sum of these + h(s_0) - h(s_N): they must be martingale differences.
    if (mutant != 2 && innovation != 0)
      return {0,
              "X - rbar + h(s') - h(s) has mean " + text(innovation) + " in state " +
                  std::to_string(s) + "\n"};
  }
  if (mutant == 1) spread /= 16;
  p.initial = d;
  const std::vector<Gamma> one{Gamma(1)};
  std::vector<std::int64_t> windows;
  for (std::int64_t n = 1; n <= longest; ++n) windows.push_back(n);
  const auto table = markov::window_moments<Q>(
      as_markov<Q>(p, x), one, longest, windows, markov::WindowStart::zero);
  for (std::int64_t n = 1; n <= longest; ++n) {
    const Q& variance = table[0][static_cast<std::size_t>(n - 1)]->variance;
    if (!roots_within(variance, Q(n) * sigma2, spread))
      return {0,
              p.text() + "  X: " + text(x[0][0]) + " " + text(x[0][1]) + " " + text(x[1][0]) + " " +
                  text(x[1][1]) + "\nN = " + std::to_string(n) + ": Var(A_N) = " + text(variance) +
                  ", sigma_clt^2 = " + text(sigma2) + ", Var_d(h) = " + text(spread) + "\n"};
  }
  return {static_cast<std::uint64_t>(longest) + 2, {}};
}

}  // namespace

Claim ergodic_growth() {
  return {
      "ergodic_growth",
      "theory-2 9a",
      "irreducible chain, stationary start, gamma = 1: |sd(A_N) - sqrt(N) sigma_clt| <= 2 sd_d(h) "
      "for every N, and A_N - N rbar is a sum of martingale differences + h(s_0) - h(s_N)",
      Method::exact,
      {"a quarter of sd(h)", "h(s') left out"},
      [](const Run& run) {
        const Sample sample = Sample::of(run, chains, 600);
        Outcome outcome;
        outcome.domain =
            "irreducible chains of 2 states and 2 tokens, student k/4, all maps, X in {-2, -1/2, "
            "0, 1/3} (" +
            sample.text() + " with the reducible); N = 1..12";
        sweep(
            run, sample, [&](std::uint64_t i) { return decide(i, run.mutant); }, outcome);
        return outcome;
      }};
}

}  // namespace gammascope::proofs
