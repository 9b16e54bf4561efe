// SPDX-License-Identifier: MIT
#include "analysis/io/rollout_length.hpp"

#include <stdexcept>
#include <string>

#include "analysis/io/store_columns.hpp"

namespace gammascope::io {
namespace {

/// Calls see(name, size) for each column with one entry a token.
template <class See>
void for_each_token_column(const RolloutRecord& rollout, const See& see) {
  for_each_column(rollout, [&](const char* name, const auto& column) {
    if constexpr (IsVector<std::remove_cvref_t<decltype(column)>>::value) {
      const void* address = &column;
      if (address != &rollout.score_sketch) see(name, column.size());
    }
  });
}

}  // namespace

std::size_t rollout_length(const RolloutRecord& rollout) noexcept {
  std::size_t length = 0;
  for_each_token_column(rollout, [&](const char*, std::size_t size) {
    if (length == 0) length = size;
  });
  return length;
}

void check_lengths(const RolloutRecord& rollout) {
  const std::size_t length = rollout_length(rollout);
  for_each_token_column(rollout, [&](const char* name, std::size_t size) {
    if (size != 0 && size != length)
      throw std::invalid_argument(std::string(name) + " has " + std::to_string(size) +
                                  " values, the response " + std::to_string(length) + " tokens");
  });
  if (rollout.score_sketch.size() % (length == 0 ? 1 : length) != 0 ||
      (length == 0 && !rollout.score_sketch.empty()))
    throw std::invalid_argument("score_sketch is no multiple of the number of tokens");
}

}  // namespace gammascope::io
