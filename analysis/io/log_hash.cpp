// SPDX-License-Identifier: MIT
#include "analysis/io/log_hash.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "analysis/io/prompt_hash.hpp"

namespace gammascope::io {
namespace {

template <class T>
void append(std::vector<std::byte>& bytes, const T* data, std::size_t count) {
  if (count == 0) return;
  const std::size_t from = bytes.size();
  bytes.resize(from + count * sizeof(T));
  std::memcpy(bytes.data() + from, data, count * sizeof(T));
}

}  // namespace

void LogHash::add(const RolloutRecord& r) {
  bytes_.clear();
  // Lengths first: no two columns can be cut in different ways into the same bytes.
  const std::uint64_t head[] = {r.prompt_id ? r.prompt_hash : 0,
                                r.prompt_id ? 1u : 0u,
                                r.student_logprob.size(),
                                r.teacher_logprob.size(),
                                r.turn.size(),
                                static_cast<std::uint64_t>(r.finish),
                                r.step ? 1u : 0u,
                                static_cast<std::uint64_t>(r.step.value_or(0))};
  append(bytes_, head, std::size(head));
  // What stands at masked tokens is no number, and formats write it differently.
  for (const auto* column : {&r.student_logprob, &r.teacher_logprob}) {
    numbers_.assign(column->begin(), column->end());
    for (std::size_t t = 0; t < numbers_.size() && t < r.mask.size(); ++t)
      if (r.mask[t] == 0) numbers_[t] = 0.0f;
    append(bytes_, numbers_.data(), numbers_.size());
  }
  append(bytes_, r.turn.data(), r.turn.size());
  // A mask of ones is no mask.
  if (std::ranges::find(r.mask, 0) != r.mask.end()) append(bytes_, r.mask.data(), r.mask.size());
  const auto [low, high] = hash_128(bytes_);
  low_ += low;
  high_ += high + (low_ < low ? 1 : 0);
  ++responses_;
}

void LogHash::merge(const LogHash& other) noexcept {
  low_ += other.low_;
  high_ += other.high_ + (low_ < other.low_ ? 1 : 0);
  responses_ += other.responses_;
}

std::string LogHash::text() const {
  if (responses_ == 0) return {};
  constexpr const char* hex = "0123456789abcdef";
  std::string digits;
  for (const std::uint64_t half : {high_, low_})
    for (int shift = 60; shift >= 0; shift -= 4) digits += hex[(half >> shift) & 15];
  return digits;
}

}  // namespace gammascope::io
