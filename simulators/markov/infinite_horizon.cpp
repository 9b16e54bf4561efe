// SPDX-License-Identifier: MIT
#include "simulators/markov/infinite_horizon.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

#include <Eigen/SparseLU>

namespace gammascope::markov {
namespace {

/// Solves (I - factor P) x = right over all states; the end state's row is x = right.
std::vector<double> solve(const Process<double>& process,
                          double factor,
                          const std::vector<double>& right) {
  const auto size = static_cast<Eigen::Index>(process.states());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(process.states() + process.nonzeros());
  for (std::size_t s = 0; s < process.states(); ++s) {
    const auto row = static_cast<int>(s);
    entries.emplace_back(row, row, 1.0);
    for (const Edge<double>& e : process.row(s))
      if (!process.is_end(e.next))
        entries.emplace_back(row, static_cast<int>(e.next), -factor * e.probability);
  }
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(matrix);
  if (lu.info() != Eigen::Success)
    throw std::runtime_error("infinite horizon: the sparse factorisation failed: " +
                             lu.lastErrorMessage());

  std::vector<long double> x(right.size(), 0.0L);
  Eigen::VectorXd residual = Eigen::Map<const Eigen::VectorXd>(right.data(), size);
  for (int round = 0; round < 4; ++round) {
    const Eigen::VectorXd correction = lu.solve(residual);
    for (std::size_t s = 0; s < x.size(); ++s)
      x[s] += static_cast<long double>(correction[static_cast<Eigen::Index>(s)]);
    for (std::size_t s = 0; s < x.size(); ++s) {
      // Not (1 - factor p) x: at gamma near 1 that difference is what the answer hangs on.
      long double rest = static_cast<long double>(right[s]) - x[s];
      for (const Edge<double>& e : process.row(s))
        if (!process.is_end(e.next))
          rest += static_cast<long double>(factor) * static_cast<long double>(e.probability) *
                  x[e.next];
      residual[static_cast<Eigen::Index>(s)] = static_cast<double>(rest);
    }
  }
  std::vector<double> result(x.size());
  for (std::size_t s = 0; s < x.size(); ++s) result[s] = static_cast<double>(x[s]);
  return result;
}

/// States from which a log-ratio of minus infinity enters the credit.
std::vector<bool> hopeless(const Process<double>& process, bool ahead_counts) {
  std::vector<bool> bad(process.states(), false);
  for (std::size_t s = 0; s < bad.size(); ++s)
    bad[s] = std::ranges::any_of(
        process.row(s), [](const Edge<double>& e) { return is_minus_infinity(e.log_ratio); });
  if (!ahead_counts) return bad;
  std::vector<std::vector<std::size_t>> from(bad.size());
  std::vector<std::size_t> open;
  for (std::size_t s = 0; s < bad.size(); ++s) {
    for (const Edge<double>& e : process.row(s)) from[e.next].push_back(s);
    if (bad[s]) open.push_back(s);
  }
  while (!open.empty()) {
    const std::size_t s = open.back();
    open.pop_back();
    for (const std::size_t before : from[s])
      if (!bad[before]) {
        bad[before] = true;
        open.push_back(before);
      }
  }
  return bad;
}

}  // namespace

StateMoments infinite_state_moments(const Process<double>& process, Gamma gamma) {
  const double g = gamma.value();
  if (g == 1.0)
    throw std::domain_error("infinite horizon: gamma must be below 1, the sum need not converge");
  const std::vector<bool> bad = hopeless(process, g > 0.0);
  std::vector<double> right(process.states(), 0.0);
  for (std::size_t s = 0; s < right.size(); ++s)
    if (!bad[s])
      for (const Edge<double>& e : process.row(s)) right[s] += e.probability * e.log_ratio;
  StateMoments result;
  result.mean = solve(process, g, right);
  for (std::size_t s = 0; s < right.size(); ++s) {
    right[s] = 0.0;
    if (bad[s]) continue;
    for (const Edge<double>& e : process.row(s)) {
      const double gap = e.log_ratio + g * result.mean[e.next] - result.mean[s];
      right[s] += e.probability * (gap * gap);
    }
  }
  result.variance = solve(process, g * g, right);
  for (std::size_t s = 0; s < right.size(); ++s) {
    if (!bad[s]) continue;
    result.mean[s] = -std::numeric_limits<double>::infinity();
    result.variance[s] = std::numeric_limits<double>::infinity();
  }
  return result;
}

Moments<double> infinite_moments(const Process<double>& process, Gamma gamma) {
  const StateMoments states = infinite_state_moments(process, gamma);
  return mix(process.initial(), states.mean, states.variance);
}

}  // namespace gammascope::markov
