// SPDX-License-Identifier: MIT
#include "analysis/doctor/repeated_rows.hpp"

#include <string>

namespace gammascope::doctor {

namespace {

/// The finaliser of splitmix64: a bijection that spreads neighbours.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace

void RepeatedRows::add(const RolloutRecord& r) {
  if (!r.prompt_id || !r.sample_id) return;
  const std::uint64_t sample =
      mixed(static_cast<std::uint64_t>(*r.sample_id) + 0x9e3779b97f4a7c15ull);
  const std::uint64_t step = mixed(static_cast<std::uint64_t>(r.step.value_or(-1)) * 3 + 1);
  const std::uint64_t key = mixed(mixed(r.prompt_hash ^ sample) ^ step);
  ++with_key_;
  if (key > bound_) return;
  ++seen_[key];
  while (seen_.size() > most) {
    bound_ /= 2;
    std::erase_if(seen_, [&](const auto& entry) { return entry.first > bound_; });
  }
}

std::int64_t RepeatedRows::repeated() const noexcept {
  std::int64_t repeated = 0;
  for (const auto& [key, responses] : seen_) repeated += responses - 1;
  return repeated;
}

std::optional<Finding> RepeatedRows::finding() const {
  const std::int64_t again = repeated();
  if (again == 0) return std::nullopt;
  const std::int64_t looked_at = again + static_cast<std::int64_t>(seen_.size());
  Finding f{"repeated_rows",
            Severity::warning,
            std::to_string(again) +
                " responses repeat the step, prompt_id and sample_id of an earlier one: data "
                "counted twice "
                "make every limit too narrow",
            {{"repeated", double(again)}, {"looked_at", double(looked_at)}},
            {}};
  if (looked_at < with_key_)
    f.evidence.emplace_back("not_looked_at", double(with_key_ - looked_at));
  return f;
}

}  // namespace gammascope::doctor
