// SPDX-License-Identifier: MIT
// Exact moments of the whole credit of token 0, no cut, gamma < 1 (theory section 4; Sobel 1982).
// Tests: tests/simulators/markov/test_infinite_horizon.cpp
#pragma once

#include <vector>

#include "analysis/core/gamma.hpp"
#include "simulators/markov/backward_moments.hpp"
#include "simulators/markov/process.hpp"

namespace gammascope::markov {

/// Per state, without a cut: (I - gamma P) mean = r, then (I - gamma^2 P) var = the one-step
/// variance of X + gamma mean(s'). States from which a token of log-ratio minus infinity can be met
/// (at gamma = 0: now) have mean -inf and variance +inf; the end state 0 and 0.
///
/// Sparse LU (Eigen), each solution refined with residuals in long double, so that the relative
/// error stays near rounding for gamma up to 1 - 1e-9. Cost: two factorisations of states x states;
/// grows beyond a few thousand densely connected states.
/// @return (states) mean and variance
/// @throws std::domain_error at gamma = 1, where the sum need not converge; std::runtime_error if
/// a factorisation fails
struct StateMoments {
  std::vector<double> mean, variance;
};
[[nodiscard]] StateMoments infinite_state_moments(const Process<double>& process, Gamma gamma);

/// Mean and variance of A_0, the state before token 0 drawn from `initial`. @throws, cost: as above
[[nodiscard]] Moments<double> infinite_moments(const Process<double>& process, Gamma gamma);

}  // namespace gammascope::markov
