// SPDX-License-Identifier: MIT
#include "analysis/measure/rbm_sums.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "analysis/credit/rbm_advantage.hpp"

namespace gammascope::measure {

RbmSums::RbmSums(std::vector<double> gammas, std::vector<double> sizes, const Settings& settings)
    : gammas_(std::move(gammas)),
      sizes_(std::move(sizes)),
      clock_(settings.clock),
      drop_cut_(settings.truncated == Truncated::drop),
      groups_(gammas_.size() * (sizes_.size() + 1)),
      credit_(gammas_.size()) {}

void RbmSums::add(const RolloutRecord& rollout) {
  const Rollout view = rollout.view();
  if (drop_cut_ && view.cut()) return;
  path_.assign(view, clock_);
  const std::size_t length = path_.length();
  if (length == 0) return;
  without_prompt_id_ += rollout.prompt_id ? 0 : 1;
  tokens_ += static_cast<std::int64_t>(length);
  for (auto& one : credit_) one.resize(length);
  scan_credit(path_, gammas_, state_, [&](std::size_t t, std::span<const double> advantage) {
    for (std::size_t g = 0; g < gammas_.size(); ++g) credit_[g][t] = advantage[g];
  });
  const auto block = groups_.block(view.prompt);
  for (std::size_t g = 0; g < gammas_.size(); ++g) {
    constexpr double reward = 1.0;
    rbm_advantage(credit_[g], reward);
    double sum = 0;
    for (const double ahat : credit_[g]) {
      const double b = std::fabs(ahat - reward);
      sum += b;
      for (std::size_t s = 0; s < sizes_.size(); ++s)
        block[cell(g, s + 1)].add(b > sizes_[s] ? 1.0 : 0.0);
    }
    block[cell(g, 0)].add(sum / static_cast<double>(length));
  }
}

void RbmSums::merge(const RbmSums& other) {
  if (gammas_ != other.gammas_ || sizes_ != other.sizes_ || clock_ != other.clock_ ||
      drop_cut_ != other.drop_cut_)
    throw std::invalid_argument("RbmSums: sums made differently cannot be merged");
  groups_.merge(other.groups_);
  without_prompt_id_ += other.without_prompt_id_;
  tokens_ += other.tokens_;
}

std::pair<std::vector<stats::ClusterSums>, double> RbmSums::share(std::size_t gamma) const {
  return groups_.clusters(cell(gamma, 0), About::mean);
}

std::pair<std::vector<stats::ClusterSums>, double> RbmSums::above(std::size_t gamma,
                                                                  std::size_t size) const {
  return groups_.clusters(cell(gamma, size + 1), About::mean);
}

std::int64_t RbmSums::responses() const { return groups_.total(cell(0, 0)).count(); }
std::int64_t RbmSums::tokens() const { return tokens_; }

}  // namespace gammascope::measure
