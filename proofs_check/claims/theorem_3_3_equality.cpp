// SPDX-License-Identifier: MIT
// The theorem for arbitrary random variables, on-policy or not, over Q; sigma2 is the smallest that
// serves, so the bound is as tight as it can be.
#include "proofs_check/claims/all.hpp"
#include "proofs_check/rational.hpp"
#include "proofs_check/sweep.hpp"

namespace gammascope::proofs {
namespace {

constexpr std::size_t outcomes = 3, terms = 2;  // equally likely; A = X_0 + gamma X_1
constexpr std::uint64_t laws = 117649;          // 7^6: X in {-3, …, 3}

std::vector<std::vector<Q>> law(std::uint64_t index) {
  std::vector<std::vector<Q>> x(terms);
  for (auto& one : x)
    for (std::size_t i = 0; i < outcomes; ++i, index /= 7)
      one.push_back(q(static_cast<long>(index % 7) - 3));
  return x;
}

Q mean(const std::vector<Q>& values) {
  Q sum;
  for (const Q& v : values) sum += v;
  return sum / Q(values.size());
}

Verdict decide(std::uint64_t index, std::size_t mutant) {
  const auto x = law(index);
  Q sigma2;
  std::vector<Q> second;
  for (const auto& one : x) {
    std::vector<Q> squares;
    for (const Q& v : one) squares.push_back(v * v);
    second.push_back(mean(squares));
    if (second.back() > sigma2) sigma2 = second.back();
  }
  for (const Q& gamma : {q(0), q(1, 3), q(1)}) {
    std::vector<Q> a, a2;
    for (std::size_t i = 0; i < outcomes; ++i) {
      a.push_back(x[0][i] + gamma * x[1][i]);
      a2.push_back(a.back() * a.back());
    }
    const Q variance = mean(a2) - mean(a) * mean(a);
    const Q g = 1 + (mutant == 1 ? gamma * gamma : gamma);
    const Q bound = mutant == 2 ? Q(sigma2 * g) : Q(sigma2 * g * g);
    // Equality: mean 0, second moment sigma2, all terms of positive weight equal; also when
    // sigma2 = 0.
    bool equal = second[0] == sigma2 && mean(x[0]) == 0;
    if (gamma > 0 || mutant == 3) equal = equal && x[0] == x[1];
    const bool exceeded = mutant == 5 ? sigma2 > 0 && variance == bound : variance > bound;
    if (exceeded || (variance == bound) != equal) {
      std::string values;
      for (const auto& one : x)
        for (const Q& v : one) values += " " + text(v);
      return {0,
              "gamma = " + text(gamma) + ": Var(A) = " + text(variance) + ", bound " + text(bound) +
                  ", X_0 and X_1 on three equally likely outcomes:" + values + "\n"};
    }
  }
  return {3, {}};
}

/// X_tau = Z = 1 or -1, equally likely, for all tau: the paper's example; sigma2 = E Z^2 = 1.
Verdict decide_example(std::uint64_t index, std::size_t mutant) {
  const Q gamma = q(static_cast<long>(index % 11), 10);
  const std::size_t n = 1 + index / 11;
  std::vector<Q> a, a2;
  for (const int z : {-1, 1}) {
    Q sum, weight(1);
    for (std::size_t k = 0; k < n; ++k, weight *= gamma) sum += weight * z;
    a.push_back(sum);
    a2.push_back(sum * sum);
  }
  const Q variance = mean(a2) - mean(a) * mean(a);
  const Q closed = gamma == 1 ? Q(n) : Q((1 - power(gamma, mutant == 4 ? n + 1 : n)) / (1 - gamma));
  if (variance == closed * closed) return {1, {}};
  return {0,
          "gamma = " + text(gamma) + ", N = " + std::to_string(n) + ": Var(A) = " + text(variance) +
              ", geo^2 = " + text(Q(closed * closed)) + "\n"};
}

}  // namespace

Claim theorem_3_3_equality() {
  return {
      "theorem_3_3_equality",
      "Theorem 3.3; theory 3",
      "for any random variables: Var(A) <= sigma2 geo(gamma, N)^2, with equality iff the X_tau of "
      "positive weight are all equal with mean 0 and second moment sigma2; X_tau = Z attains it "
      "for every gamma and N",
      Method::exact,
      {"gamma^2 for gamma",
       "geo for geo^2",
       "all X_tau equal also at gamma = 0",
       "N + 1 for N",
       "< for <="},
      [](const Run& run) {
        Outcome outcome;
        const Sample sample = Sample::of(run, laws, 8000);
        outcome.domain = "X_0, X_1 in {-3..3} on 3 outcomes (" + sample.text() +
                         "), gamma = 0, 1/3, 1; X_tau = Z for gamma = k/10, N = 1..20";
        if (run.mutant != 4)
          sweep(
              run, sample, [&](std::uint64_t i) { return decide(i, run.mutant); }, outcome);
        sweep(
            run,
            {220, 220},
            [&](std::uint64_t i) { return decide_example(i, run.mutant); },
            outcome);
        return outcome;
      }};
}

}  // namespace gammascope::proofs
