// SPDX-License-Identifier: MIT
// Every trajectory of a small process, for tests: what the solver computes by recursion must come
// out of the definition. Cost grows like branches^length.
// Tests: tests/simulators/markov/test_against_enumeration.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "simulators/markov/process.hpp"

namespace gammascope::markov {

/// One trajectory, cut at max_length tokens or ended by the end token.
template <class Real>
struct Trajectory {
  Real probability{1};
  std::vector<Real> log_ratio;        ///< (T) X_t, nats
  std::vector<std::uint32_t> states;  ///< (T) the state before token t
  bool ended = false;
};

/// Calls `visit` once for each trajectory; probabilities sum to 1.
template <class Real>
void enumerate(const Process<Real>& process,
               std::int64_t max_length,
               const std::function<void(const Trajectory<Real>&)>& visit) {
  Trajectory<Real> now;
  const auto extend = [&](const auto& self, std::uint32_t state) -> void {
    now.ended = process.is_end(state);
    if (now.ended || now.log_ratio.size() == static_cast<std::size_t>(max_length)) {
      visit(now);
      return;
    }
    const Real before = now.probability;
    now.states.push_back(state);
    for (const Edge<Real>& e : process.row(state)) {
      now.probability = before * e.probability;
      now.log_ratio.push_back(e.log_ratio);
      self(self, e.next);
      now.log_ratio.pop_back();
    }
    now.states.pop_back();
    now.probability = before;
  };
  for (std::size_t s = 0; s < process.states(); ++s) {
    if (process.initial()[s] == Real{0}) continue;
    now.probability = process.initial()[s];
    extend(extend, static_cast<std::uint32_t>(s));
  }
}

}  // namespace gammascope::markov
