// SPDX-License-Identifier: MIT
// Prompts that differ: each prompt draws one of several processes, and all its samples come from
// it. A mixture is itself one process (the disjoint union), so exact answers need nothing new; only
// the draws and the split of the variance between prompts know the components.
// Tests: tests/simulators/markov/test_mixture.cpp
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "simulators/markov/backward_moments.hpp"
#include "simulators/markov/process.hpp"

namespace gammascope::markov {

/// @invariant (checked by validate) weights positive, summing to 1 within 1e-12, one for each
/// component; all components share one vocabulary, and either all or none have an end state
struct Mixture {
  std::vector<Process<double>> components;
  std::vector<double> weights;  ///< P(a prompt draws this component)

  Mixture(std::vector<Process<double>> parts, std::vector<double> shares)
      : components(std::move(parts)), weights(std::move(shares)) {
    validate();
  }
  explicit Mixture(Process<double> process) : weights{1.0} {
    components.push_back(std::move(process));
  }

  /// @throws std::invalid_argument naming the rule broken
  void validate() const {
    if (components.empty() || components.size() != weights.size())
      throw std::invalid_argument("a mixture needs one weight for each of its processes");
    long double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!(weights[i] > 0)) throw std::invalid_argument("a weight of a mixture is not positive");
      sum += static_cast<long double>(weights[i]);
      if (components[i].vocabulary() != components[0].vocabulary())
        throw std::invalid_argument("the processes of a mixture share one vocabulary");
      if (components[i].end_state().has_value() != components[0].end_state().has_value())
        throw std::invalid_argument("either all processes of a mixture can end or none can");
    }
    if (!(std::abs(sum - 1) <= 1e-12L))
      throw std::invalid_argument("the weights of a mixture do not sum to 1");
  }
};

/// The mixture as one process: the states of component 0, then of component 1, …, initial
/// distributions weighted, end states joined in the first one. Moments over all responses of all
/// prompts are those of this process. Cost: O(nonzeros)
[[nodiscard]] inline Process<double> unite(const Mixture& mixture) {
  mixture.validate();
  const auto end = mixture.components.front().end_state();
  std::vector<double> initial;
  std::vector<std::vector<Edge<double>>> rows;
  for (std::size_t c = 0; c < mixture.components.size(); ++c) {
    const Process<double>& part = mixture.components[c];
    const auto offset = static_cast<std::uint32_t>(rows.size());
    for (std::size_t s = 0; s < part.states(); ++s) {
      initial.push_back(mixture.weights[c] * part.initial()[s]);
      auto& row = rows.emplace_back(part.row(s).begin(), part.row(s).end());
      for (Edge<double>& e : row) e.next = part.is_end(e.next) ? *end : e.next + offset;
      // The later end states remain as unreachable ones; a row must be there.
      if (c > 0 && part.is_end(s)) row.push_back({1.0, 0.0, *end, 0});
    }
  }
  return {std::move(initial), std::move(rows), end, mixture.components.front().vocabulary()};
}

/// Variance of one response's credit, split by prompt: E[Var(A | prompt)] + Var(E[A | prompt]).
struct PromptSplit {
  double within = 0, between = 0;  ///< nats^2; +inf both where some component is infinite
};

/// @param weights of the components in the population asked for: Mixture::weights where every
/// response counts (window from the first token, infinite), else times P(T > t | component)
/// @param moments of each component in that population
/// Precondition: same size, positive total weight.
[[nodiscard]] inline PromptSplit split_by_prompt(const std::vector<double>& weights,
                                                 const std::vector<Moments<double>>& moments) {
  double total = 0, mean = 0;
  PromptSplit split;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (weights[c] == 0) continue;
    if (moments[c].infinite()) {
      const double inf = std::numeric_limits<double>::infinity();
      return {inf, inf};
    }
    total += weights[c];
    mean += weights[c] * moments[c].mean;
  }
  mean /= total;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const double gap = moments[c].mean - mean;
    split.within += weights[c] / total * moments[c].variance;
    split.between += weights[c] / total * (gap * gap);
  }
  return split;
}

}  // namespace gammascope::markov
