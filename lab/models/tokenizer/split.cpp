// SPDX-License-Identifier: MIT
#include "lab/models/tokenizer/split.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gammascope::lab {
namespace {

struct Part {
  Found where;
  bool match = false;
};

/// The whole text as matches and what lies between them.
std::vector<Part> parts_of(std::string_view text, const std::vector<Found>& matches, bool invert) {
  std::vector<Part> parts;
  std::size_t from = 0;
  for (const Found& match : matches) {
    if (from != match.begin) parts.push_back({{from, match.begin}, invert});
    parts.push_back({match, !invert});
    from = match.end;
  }
  if (from != text.size()) parts.push_back({{from, text.size()}, invert});
  return parts;
}

}  // namespace

std::optional<SplitBehavior> split_behavior(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> names{{
      {"Removed", SplitBehavior::removed},
      {"Isolated", SplitBehavior::isolated},
      {"MergedWithPrevious", SplitBehavior::merged_with_previous},
      {"MergedWithNext", SplitBehavior::merged_with_next},
      {"Contiguous", SplitBehavior::contiguous},
  }};
  const auto it =
      std::ranges::find(names, name, &std::pair<std::string_view, SplitBehavior>::first);
  if (it == names.end()) return std::nullopt;
  return it->second;
}

std::vector<std::string_view> split(std::string_view text,
                                    const std::vector<Found>& matches,
                                    SplitBehavior behavior,
                                    bool invert) {
  std::vector<Part> parts = parts_of(text, matches, invert);
  const bool backward = behavior == SplitBehavior::merged_with_next;
  if (backward) std::ranges::reverse(parts);
  std::vector<Found> pieces;
  bool previous = false;
  for (const auto& [where, match] : parts) {
    bool join = false;
    switch (behavior) {
      case SplitBehavior::removed:
        if (match) continue;
        break;
      case SplitBehavior::isolated:
        break;
      case SplitBehavior::contiguous:
        join = match == previous;
        break;
      case SplitBehavior::merged_with_previous:
      case SplitBehavior::merged_with_next:
        join = match && !previous;
        break;
    }
    previous = match;
    if (join && !pieces.empty())
      (backward ? pieces.back().begin : pieces.back().end) = backward ? where.begin : where.end;
    else
      pieces.push_back(where);
  }
  if (backward) std::ranges::reverse(pieces);
  std::vector<std::string_view> out;
  for (const Found& piece : pieces)
    if (piece.end > piece.begin) out.push_back(text.substr(piece.begin, piece.end - piece.begin));
  return out;
}

}  // namespace gammascope::lab
