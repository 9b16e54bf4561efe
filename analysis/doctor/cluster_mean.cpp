// SPDX-License-Identifier: MIT
#include "analysis/doctor/cluster_mean.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "analysis/core/hash_prefix.hpp"

namespace gammascope::doctor {

namespace {
constexpr std::size_t most = 4096;
}  // namespace

void ClusterMean::add(std::uint64_t prompt_hash, double deviation) {
  ++n_;
  all_.add(deviation);
  squares_.add(deviation * deviation);
  least_ = std::min(least_, deviation);
  most_ = std::max(most_, deviation);
  Sum& sum = sums_[hash_prefix(prompt_hash, bits_)];
  sum.x.add(deviation);
  ++sum.n;
  while (sums_.size() > most) {
    --bits_;
    std::map<std::uint64_t, Sum> coarser;
    for (const auto& [key, s] : sums_) {
      Sum& into = coarser[hash_prefix(key, bits_)];
      into.x.merge(s.x);
      into.n += s.n;
    }
    sums_ = std::move(coarser);
  }
}

double ClusterMean::mean() const noexcept { return origin_ + mean_deviation(); }

std::optional<double> ClusterMean::token_error() const {
  if (n_ < 2) return std::nullopt;
  if (constant()) return 0.0;
  const auto n = static_cast<double>(n_);
  const double d = mean_deviation();
  return std::sqrt(std::max(squares_.value() - n * d * d, 0.0) / (n - 1.0) / n);
}

std::optional<double> ClusterMean::cluster_error() const {
  if (sums_.size() < 2) return std::nullopt;
  const double d = mean_deviation();
  double squares = 0;
  for (const auto& [key, s] : sums_) {
    const double u = s.x.value() - d * static_cast<double>(s.n);
    squares += u * u;
  }
  const double g = static_cast<double>(sums_.size());
  return std::sqrt(g / (g - 1.0) * squares) / static_cast<double>(n_);
}

}  // namespace gammascope::doctor
