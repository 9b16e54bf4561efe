// SPDX-License-Identifier: MIT
// Exact mean and variance of A_t^(gamma) by position and by window (results.md; theory section 4),
// all gamma and all n in one pass each. By horizon: horizon_moments.hpp; without a cut:
// infinite_horizon.hpp. Tests: tests/simulators/markov/test_exact_moments.cpp, values:
// tests/data/reference/markov.json
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "analysis/core/gamma.hpp"
#include "simulators/markov/backward_moments.hpp"
#include "simulators/markov/process.hpp"
#include "simulators/markov/state_flow.hpp"

namespace gammascope::markov {

/// [gamma][i]: absent where the population is empty.
template <class Real>
using MomentTable = std::vector<std::vector<std::optional<Moments<Real>>>>;

/// Where the windows of n tokens begin: at token 0, or at t = 0, s, 2s, … with s = max(1,
/// floor(n/8)) as long as t + n <= max_length, each (response, start) with T > t counting alike
/// (results.md).
enum class WindowStart : std::uint8_t { zero, all };

namespace detail {

/// weights[i]: the states that row i's tokens stand in; evaluates each with exactly n[i] tokens to
/// go, in one backward walk a gamma.
template <class Real>
[[nodiscard]] MomentTable<Real> evaluate(const Process<Real>& process,
                                         std::span<const Gamma> gammas,
                                         const std::vector<std::vector<Real>>& weights,
                                         const std::vector<std::int64_t>& n) {
  std::vector<std::size_t> order;  // by n, those with an empty population left out
  for (std::size_t i = 0; i < n.size(); ++i)
    if (!weights[i].empty()) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return n[i]; });
  MomentTable<Real> table;
  for (const Gamma gamma : gammas) {
    auto& line = table.emplace_back(n.size());
    BackwardMoments<Real> walk(process, gamma);
    for (const std::size_t i : order) {
      while (walk.n() < n[i]) walk.advance();
      line[i] = mix(weights[i], walk.mean(), walk.variance());
    }
  }
  return table;
}

}  // namespace detail

/// Var(A_t) among responses with T > t, summed to their end or to the cut at `max_length` tokens,
/// so at most max_length - t terms: total variance over the state before t.
///
/// @param positions t, 0-based, each in [0, max_length); any order
/// @return [gamma][position]; absent where no response can be alive at t
/// @throws std::invalid_argument for a position outside. Cost: O(gammas * max_length * nonzeros)
/// time, O(positions * states) memory
template <class Real>
[[nodiscard]] MomentTable<Real> position_moments(const Process<Real>& process,
                                                 std::span<const Gamma> gammas,
                                                 std::int64_t max_length,
                                                 std::span<const std::int64_t> positions) {
  std::vector<std::vector<Real>> weights(positions.size());
  std::vector<std::int64_t> left;
  std::vector<std::size_t> order(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] < 0 || positions[i] >= max_length)
      throw std::invalid_argument("a position must lie in [0, max_length)");
    left.push_back(max_length - positions[i]);
    order[i] = i;
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return positions[i]; });
  StateFlow<Real> flow(process);
  for (const std::size_t i : order) {
    while (flow.any() && flow.t() < positions[i]) flow.advance();
    if (flow.any()) weights[i] = flow.distribution();
  }
  return detail::evaluate(process, gammas, weights, left);
}

/// Var of A summed over at most `window` tokens from a start; a response that ends earlier stays in
/// with the tokens it has, so nothing is selected by the length that came out. With all starts this
/// is the variance of the mixture over t with weights P(T > t), between-start variance included.
///
/// @param windows n >= 1, any order
/// @param max_length the cut; absent: no cut, allowed with WindowStart::zero only
/// @return [gamma][window]; absent where n > max_length
/// @throws std::invalid_argument for a window < 1, or all starts without a cut. Cost: as
/// position_moments, and O(sum of starts * states) for all starts
template <class Real>
[[nodiscard]] MomentTable<Real> window_moments(const Process<Real>& process,
                                               std::span<const Gamma> gammas,
                                               std::optional<std::int64_t> max_length,
                                               std::span<const std::int64_t> windows,
                                               WindowStart start) {
  if (start == WindowStart::all && !max_length)
    throw std::invalid_argument("windows from all starts need a maximum length");
  std::vector<std::vector<Real>> weights(windows.size());
  std::int64_t last_start = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (windows[i] < 1) throw std::invalid_argument("a window has at least one token");
    if (max_length && windows[i] > *max_length) continue;
    weights[i] = process.initial();
    if (start == WindowStart::all) last_start = std::max(last_start, *max_length - windows[i]);
  }
  StateFlow<Real> flow(process);
  while (flow.t() < last_start) {
    flow.advance();
    if (!flow.any()) break;
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const std::int64_t stride = std::max<std::int64_t>(1, windows[i] / 8);
      if (weights[i].empty() || flow.t() % stride != 0 || flow.t() + windows[i] > *max_length)
        continue;
      for (std::size_t s = 0; s < process.states(); ++s)
        weights[i][s] += flow.alive() * flow.distribution()[s];
    }
  }
  return detail::evaluate(
      process, gammas, weights, std::vector<std::int64_t>(windows.begin(), windows.end()));
}

}  // namespace gammascope::markov
