// SPDX-License-Identifier: MIT
#include "analysis/cli/exact_memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <sys/resource.h>
#include <unistd.h>

namespace gammascope::cli {

namespace {

constexpr double one = sizeof(double);  // number
constexpr double vector_head = 64;      // of a vector on the heap
constexpr double written_cell = 1024;   // a cell, and its text in result.json

/// Places of --at, and the largest of them, not made yet.
struct Places {
  double count = 1, largest = 1;
};

Places places_of(const CellOptions& cells, double longest) {
  if (cells.at.empty()) return {1, longest};
  if (cells.at == "log") return {2 + std::log2(longest), longest};
  if (cells.at == "all") return {longest, longest};
  Places places{0, 1};
  for (const std::string& part : split_list("--at", cells.at)) {
    const auto n = static_cast<double>(integer("--at", part, 0));
    ++places.count;
    if (n <= longest) places.largest = std::max(places.largest, n);
  }
  return places;
}

}  // namespace

double exact_bytes(const ExactSize& size, const CellOptions& cells) {
  const auto longest = static_cast<double>(size.max_length);
  const auto states = static_cast<double>(size.states), gammas = static_cast<double>(size.gammas);
  const double line = states * one + vector_head;  // one number a state
  if (size.gradient) {
    const double logits = states * static_cast<double>(size.vocabulary);
    return longest * line + 4 * states * (logits * one + vector_head);
  }
  double bytes = longest * 6 * one;  // token facts
  const Places places = places_of(cells, longest);
  for (const Alignment alignment : cells.alignments()) {
    if (alignment == Alignment::infinite) continue;
    bytes += places.count * (one + line + (5 * gammas + 2) * written_cell);
    if (alignment == Alignment::horizon) bytes += places.largest * (line + one);
  }
  return bytes;
}

double memory_bytes() {
  double bytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                 static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  return bytes;
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.3g %s", bytes, units[unit]);
  return text.data();
}

}  // namespace gammascope::cli
