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
  const std::uint64_t key = mixed(r.prompt_hash ^ sample) ^ step;
  if (seen_.size() >= most) {
    if (seen_.count(key) > 0)
      ++repeated_;
    else
      ++passed_over_;
    return;
  }
  ++looked_at_;
  if (!seen_.insert(key).second) ++repeated_;
}

std::optional<Finding> RepeatedRows::finding() const {
  if (repeated_ == 0) return std::nullopt;
  Finding f{"repeated_rows",
            Severity::warning,
            std::to_string(repeated_) +
                " responses repeat the step, prompt_id and sample_id of an earlier one: data "
                "counted twice "
                "make every limit too narrow",
            {{"repeated", double(repeated_)}, {"looked_at", double(looked_at_)}},
            {}};
  if (passed_over_ > 0) f.evidence.emplace_back("not_looked_at", double(passed_over_));
  return f;
}

}  // namespace gammascope::doctor
