// SPDX-License-Identifier: MIT
#include "analysis/doctor/cluster_mean.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace gammascope::doctor {

namespace {
constexpr std::size_t most = 4096;

std::uint64_t prefix(std::uint64_t hash, int bits) {
  return bits == 64 ? hash : hash & ~(~std::uint64_t{0} >> bits);
}
}  // namespace

void ClusterMean::add(std::uint64_t prompt_hash, double x) {
  ++n_;
  const double d = x - mean_;
  mean_ += d / static_cast<double>(n_);
  m2_ += d * (x - mean_);
  Sum& sum = sums_[prefix(prompt_hash, bits_)];
  sum.x += x;
  ++sum.n;
  while (sums_.size() > most) {
    --bits_;
    std::map<std::uint64_t, Sum> coarser;
    for (const auto& [key, s] : sums_) {
      Sum& into = coarser[prefix(key, bits_)];
      into.x += s.x;
      into.n += s.n;
    }
    sums_ = std::move(coarser);
  }
}

std::optional<double> ClusterMean::token_error() const {
  if (n_ < 2) return std::nullopt;
  return std::sqrt(m2_ / static_cast<double>(n_ - 1) / static_cast<double>(n_));
}

std::optional<double> ClusterMean::cluster_error() const {
  if (sums_.size() < 2) return std::nullopt;
  double squares = 0;
  for (const auto& [key, s] : sums_) {
    const double u = s.x - mean_ * static_cast<double>(s.n);
    squares += u * u;
  }
  const double g = static_cast<double>(sums_.size());
  return std::sqrt(g / (g - 1.0) * squares) / static_cast<double>(n_);
}

}  // namespace gammascope::doctor
