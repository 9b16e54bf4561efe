// SPDX-License-Identifier: MIT
#include "analysis/doctor/token_shares.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace gammascope::doctor {

namespace {

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

}  // namespace

void TokenShares::add(const RolloutRecord& rollout) {
  const std::array<const std::string*, 2> names{&rollout.domain, &rollout.teacher};
  std::int64_t tokens = -1;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i]->empty()) continue;
    if (tokens < 0) {
      const Rollout view = rollout.view();
      tokens = 0;
      for (std::size_t t = 0; t < view.length(); ++t) tokens += view.counts(t) ? 1 : 0;
    }
    const auto at = tokens_[i].find(*names[i]);
    if (at != tokens_[i].end())
      at->second += tokens;
    else if (tokens_[i].size() < most_names)
      tokens_[i].emplace(*names[i], tokens);
  }
}

std::vector<Finding> TokenShares::findings() const {
  std::vector<Finding> all;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    std::vector<std::pair<std::int64_t, std::string>> found;
    std::int64_t sum = 0;
    for (const auto& [name, tokens] : tokens_[i]) {
      if (tokens == 0) continue;
      found.emplace_back(-tokens, name);
      sum += tokens;
    }
    if (found.size() < 2) continue;
    std::ranges::sort(found);  // most tokens first, then by name
    const double ratio =
        static_cast<double>(found.front().first) / static_cast<double>(found.back().first);
    if (ratio <= uneven) continue;
    const std::string field = i == 0 ? "domain" : "teacher";
    std::string names, shares;
    constexpr std::size_t shown = 4;
    Finding f{"token_shares", Severity::warning, "", {}, {{"field", field}}};
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double share = -static_cast<double>(found[k].first) / static_cast<double>(sum);
      if (k >= shown) continue;
      names += (k > 0 ? ", " : "") + found[k].second;
      shares += (k > 0 ? ", " : "") + percent(share);
      f.evidence.emplace_back("share " + found[k].second, share);
    }
    if (found.size() > shown) names += " and " + std::to_string(found.size() - shown) + " more";
    f.message = "of the tokens " + shares + " are of " + field + " " + names +
                ": numbers of all rows speak for the first (measure --by " + field + ")";
    all.push_back(std::move(f));
  }
  return all;
}

}  // namespace gammascope::doctor
