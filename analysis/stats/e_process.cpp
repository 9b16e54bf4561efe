// SPDX-License-Identifier: MIT
#include "analysis/stats/e_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/core/random.hpp"

namespace gammascope::stats {
namespace {

constexpr std::size_t bets = e_process_lambdas.size();
using Bets = EProcessBets;
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {  // log(e^a + e^b)
  if (a < b) std::swap(a, b);
  return b == minus_infinity ? a : a + std::log1p(std::exp(b - a));
}

double log_mean(const Bets& x) {
  double sum = minus_infinity;
  for (const double v : x) sum = log_add(sum, v);
  return sum - std::log(static_cast<double>(bets));
}

/// Fisher and Yates; draws are functions of (seed, step, pairing, place).
void shuffle(std::vector<std::size_t>& order,
             std::uint64_t seed,
             std::int64_t step,
             std::int32_t pairing) {
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    const auto u = uniform_pair(seed,
                                static_cast<std::uint64_t>(step),
                                static_cast<std::uint32_t>(pairing),
                                static_cast<std::uint32_t>(i));
    const auto j = static_cast<std::size_t>(u[0] * static_cast<double>(i + 1));
    std::swap(order[i], order[j]);
  }
}

}  // namespace

EProcessBets log_e_values(std::span<const ClusterSums> prompts,
                          const EProcessSettings& settings,
                          std::int64_t step) {
  std::vector<std::pair<double, double>> moments;  // mean, mean square
  moments.reserve(prompts.size());
  for (const ClusterSums& c : prompts)
    if (c.rows > 0) moments.emplace_back(c.s1 / c.rows, c.s2 / c.rows);
  Bets log_e{};
  if (moments.size() < 2) return log_e;
  log_e.fill(minus_infinity);
  std::vector<std::size_t> order(moments.size());
  for (std::int32_t pairing = 0; pairing < settings.pairings; ++pairing) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    shuffle(order, settings.seed, step, pairing);
    Bets product{};
    for (std::size_t k = 0; k + 1 < order.size(); k += 2) {
      const auto& [mean_i, square_i] = moments[order[k]];
      const auto& [mean_j, square_j] = moments[order[k + 1]];
      const double y = std::max(0.0, 0.5 * (square_i + square_j) - mean_i * mean_j);
      const double excess = y / settings.bound - 1.0;
      for (std::size_t l = 0; l < bets; ++l)
        product[l] += std::log1p(e_process_lambdas[l] * excess);
    }
    for (std::size_t l = 0; l < bets; ++l) log_e[l] = log_add(log_e[l], product[l]);
  }
  for (double& e : log_e) e -= std::log(static_cast<double>(settings.pairings));
  return log_e;
}

EProcess::EProcess(const EProcessSettings& settings, const EProcessState& state)
    : settings_(settings), state_(state) {
  if (!(settings.bound > 0) || !(settings.alpha > 0 && settings.alpha < 1) ||
      !(settings.run_length > 1) || settings.pairings < 1)
    throw std::domain_error(
        "e-process: bound > 0, alpha in (0, 1), run length > 1 and at least one pairing");
  log_threshold_ = -std::log(settings.alpha);
  log_run_length_ = std::log(settings.run_length);
}

void EProcess::add_step(std::span<const ClusterSums> prompts) {
  const std::int64_t t = ++state_.step;
  const Bets log_e = log_e_values(prompts, settings_, t);
  const auto step = static_cast<double>(t);
  const double log_weight = -std::log(step) - std::log1p(step);  // of a start at t
  for (std::size_t l = 0; l < bets; ++l) {
    state_.log_mixture[l] = log_add(state_.log_mixture[l], log_weight) + log_e[l];
    state_.log_detector[l] = log_add(state_.log_detector[l], 0.0) + log_e[l];
  }
  if (!state_.alarm && log_evidence() >= log_threshold_) state_.alarm = t;
  if (!state_.detector_alarm && log_detector() >= log_run_length_) state_.detector_alarm = t;
}

double EProcess::log_evidence() const {
  return log_add(log_mean(state_.log_mixture), -std::log1p(static_cast<double>(state_.step)));
}

double EProcess::log_detector() const { return log_mean(state_.log_detector); }

double EProcess::p_fail() const { return std::min(1.0, std::exp(-log_evidence())); }

void EProcess::restart_detector() {
  state_.log_detector = EProcessState::nothing();
  state_.detector_alarm.reset();
}

}  // namespace gammascope::stats
