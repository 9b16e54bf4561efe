// SPDX-License-Identifier: MIT
// Small processes with rational log-ratios, for identities that hold whatever X is: there is no
// teacher, and everything is decided over Q.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "proofs_check/over_processes.hpp"
#include "proofs_check/trajectories.hpp"

namespace gammascope::proofs {

/// X(s, a) = k/4, -6 <= k <= 6, made from the index.
[[nodiscard]] inline Table<Q> rational_log_ratios(const TinyProcess& p, std::uint64_t index) {
  std::mt19937_64 bits(index);
  Table<Q> x(p.states());
  for (auto& row : x)
    for (std::size_t a = 0; a < p.tokens(); ++a)
      row.push_back(q(static_cast<long>(bits() % 13) - 6, 4));
  return x;
}

/// Values with probabilities that need not sum to 1; empty if nobody is in the population.
struct RationalLaw {
  std::vector<Q> weight, value;
  [[nodiscard]] Q mean(const std::function<Q(const Q&)>& f) const {
    Q sum, total;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      sum += weight[i] * f(value[i]);
      total += weight[i];
    }
    return sum / total;
  }
  [[nodiscard]] Q mean() const {
    return mean([](const Q& v) { return v; });
  }
  [[nodiscard]] Q variance() const {
    const Q m = mean();
    return mean([&](const Q& v) { return Q(v * v); }) - m * m;
  }
};

/// sum_{k<n} gamma^k X of tokens begin, begin + 1, … of a response, cut short by its end.
[[nodiscard]] inline Q rational_credit(
    const Response& y, const Table<Q>& x, std::size_t begin, std::size_t n, const Q& gamma) {
  Q a, weight(1);
  for (std::size_t k = begin; k < std::min(begin + n, y.size()); ++k, weight *= gamma)
    a += weight * x[y.state[k]][y.token[k]];
  return a;
}

/// Asks `decide` about random larger processes and the sixths, each with its rational X.
[[nodiscard]] inline Outcome over_rational(
    const Run& run,
    std::uint64_t take_larger,
    std::uint64_t take_sixths,
    const std::function<Verdict(const TinyProcess&, const Table<Q>&)>& decide) {
  Outcome outcome;
  const std::pair<Family, Sample> parts[] = {
      {random_larger(take_larger), Sample::of(run, take_larger, take_larger / 40 + 1)},
      {sixths({3}), Sample{101250, run.quick ? take_sixths / 40 + 1 : take_sixths}}};
  for (const auto& [family, sample] : parts) {
    if (outcome.counterexample) break;
    outcome.domain +=
        (outcome.domain.empty() ? "" : "; ") + family.description + " (" + sample.text() + ")";
    sweep(
        run,
        sample,
        [&, at = family.at](std::uint64_t i) {
          const TinyProcess p = at(i);
          const Table<Q> x = rational_log_ratios(p, i);
          Verdict verdict = decide(p, x);
          if (verdict.counterexample) {
            std::string text = p.text() + "  X:";
            for (const auto& row : x)
              for (const Q& one : row) text += " " + proofs::text(one);
            verdict.counterexample = text + "\n" + *verdict.counterexample;
          }
          return verdict;
        },
        outcome);
  }
  outcome.domain += "; X(s, a) = k/4, any sign";
  return outcome;
}

}  // namespace gammascope::proofs
