// SPDX-License-Identifier: MIT
#include "analysis/verdict/kl_evalue.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/bounds/phi.hpp"

namespace gammascope::check {

KlEValue::KlEValue(double big_c)
    : big_c_(bounds::non_negative(big_c, "C")),
      phi_(bounds::phi(big_c)),
      largest_loss_(-std::numeric_limits<double>::infinity()) {}

void KlEValue::add(std::uint64_t prompt, double advantage) {
  ++responses_;
  largest_loss_ = std::max(largest_loss_, -advantage);
  if (sums_.size() >= max_prompts && !sums_.contains(prompt)) {
    complete_ = false;
    return;
  }
  Sums& sums = sums_[prompt];
  ++sums.responses;
  const double scaled = phi_ * advantage;
  for (std::size_t i = 0; i < multiples.size(); ++i) {
    // lambda (A + phi A^2) = multiple (phi A + (phi A)^2) >= -multiple / 4.
    const double factor = 1.0 + multiples[i] * (scaled + scaled * scaled);
    sums.factors[i] += static_cast<stats::Int128>(std::floor(std::max(0.0, factor) * 0x1p30));
  }
}

double KlEValue::log_e() const {
  std::array<std::int64_t, 3> logs{};  // in units of 2^-30 nats
  std::array<bool, 3> zero{};
  for (const auto& [prompt, sums] : sums_)
    for (std::size_t i = 0; i < multiples.size(); ++i) {
      const double mean =
          static_cast<double>(sums.factors[i]) * 0x1p-30 / static_cast<double>(sums.responses);
      if (mean == 0.0)
        zero[i] = true;
      else
        logs[i] += static_cast<std::int64_t>(std::floor(std::log(mean) * 0x1p30));
    }
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < multiples.size(); ++i)
    if (!zero[i]) largest = std::max(largest, static_cast<double>(logs[i]) * 0x1p-30);
  double sum = 0;  // the factor of 1/4 is never 0, so `largest` is finite
  for (std::size_t i = 0; i < multiples.size(); ++i)
    if (!zero[i]) sum += std::exp(static_cast<double>(logs[i]) * 0x1p-30 - largest);
  return largest + std::log(sum / static_cast<double>(multiples.size()));
}

double KlEValue::p_fail() const { return complete_ ? std::min(1.0, std::exp(-log_e())) : 1.0; }

}  // namespace gammascope::check
