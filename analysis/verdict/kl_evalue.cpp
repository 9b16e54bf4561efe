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

void KlEValue::add(double advantage) {
  ++responses_;
  largest_loss_ = std::max(largest_loss_, -advantage);
  const double scaled = phi_ * advantage;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    // lambda (A + phi A^2) = factor (phi A + (phi A)^2) >= -factor / 4.
    const double gain = factors[i] * (scaled + scaled * scaled);
    if (gain <= -1.0)
      zero_[i] = true;
    else
      log_sums_[i] += static_cast<std::int64_t>(std::floor(std::log1p(gain) * 0x1p30));
  }
}

double KlEValue::log_e() const {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (!zero_[i]) largest = std::max(largest, static_cast<double>(log_sums_[i]) * 0x1p-30);
  double sum = 0;  // the factor 1/4 is never 0, so `largest` is finite
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (!zero_[i]) sum += std::exp(static_cast<double>(log_sums_[i]) * 0x1p-30 - largest);
  return largest + std::log(sum / static_cast<double>(factors.size()));
}

double KlEValue::p_fail() const { return std::min(1.0, std::exp(-log_e())); }

}  // namespace gammascope::check
