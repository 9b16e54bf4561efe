// SPDX-License-Identifier: MIT
// What a sweep holds once its rows are in: merging, sums of weights, powers.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "analysis/core/geo.hpp"
#include "analysis/measure/sweep.hpp"

namespace gammascope::measure {
namespace {

/// sum_k of gamma^borders[k], or of its square; borders never fall in k.
double sum_by_borders(const std::vector<std::uint32_t>& borders, double gamma, bool squared) {
  double sum = 0, weight = 1;
  std::uint32_t spent = 0;
  for (const std::uint32_t b : borders) {
    for (; spent < b; ++spent) weight *= gamma;
    sum += squared ? weight * weight : weight;
  }
  return sum;
}

}  // namespace

void Sweep::merge(const Sweep& other) {
  if (!(plan_ == other.plan_))
    throw std::invalid_argument("Sweep: states of different plans cannot be merged");
  const Counts& o = other.counts_;
  counts_.rollouts += o.rollouts;
  counts_.tokens += o.tokens;
  counts_.empty += o.empty;
  counts_.cut += o.cut;
  counts_.dropped += o.dropped;
  counts_.end_unknown += o.end_unknown;
  counts_.damaged += o.damaged;
  counts_.left_out += o.left_out;
  counts_.without_prompt_id += o.without_prompt_id;
  counts_.longest = std::max(counts_.longest, o.longest);
  groups_.merge(other.groups_);
  prompts_.merge(other.prompts_);
  for (std::size_t p = 0; p < powers_.size(); ++p) powers_[p].merge(other.powers_[p]);
  for (std::size_t c = 0; c < largest_weights_.size(); ++c) {
    auto& [sum, squares] = largest_weights_[c];
    sum = std::max(sum, other.largest_weights_[c].first);
    squares = std::max(squares, other.largest_weights_[c].second);
  }
  for (std::size_t r = 0; r < fewest_borders_.size(); ++r) {
    auto& mine = fewest_borders_[r];
    const auto& theirs = other.fewest_borders_[r];
    for (std::size_t k = 0; k < std::min(mine.size(), theirs.size()); ++k)
      mine[k] = std::min(mine[k], theirs[k]);
    if (mine.size() < theirs.size())
      mine.insert(
          mine.end(), theirs.begin() + static_cast<std::ptrdiff_t>(mine.size()), theirs.end());
  }
}

bool Sweep::weights_by_row() const noexcept { return plan_.settings().clock == Clock::reset; }

const CellSpec& Sweep::spec_of(std::size_t cell) const {
  if (cell >= plan_.cells().size()) throw std::out_of_range("Sweep: no such cell");
  return plan_.cells()[cell];
}

std::int64_t Sweep::most_tokens(const CellSpec& spec) const {
  if (spec.alignment != Alignment::position) return spec.n.value_or(0);
  const std::int64_t longest = std::max(plan_.settings().max_length.value_or(0), counts_.longest);
  return std::max<std::int64_t>(0, longest - *spec.n);
}

double Sweep::weight_sum(std::size_t cell) const {
  const CellSpec& spec = spec_of(cell);
  if (by_turn()) return sum_by_borders(fewest_borders_[rows_of_[cell]], spec.gamma, false);
  if (weights_by_row()) return largest_weights_[cell].first;
  if (spec.alignment != Alignment::infinite)
    return geo(Gamma(spec.gamma), Horizon{most_tokens(spec)});
  return spec.gamma < 1.0 ? geo_infinite(Gamma(spec.gamma))
                          : std::numeric_limits<double>::infinity();
}

double Sweep::squared_weight_sum(std::size_t cell) const {
  const CellSpec& spec = spec_of(cell);
  if (by_turn()) return sum_by_borders(fewest_borders_[rows_of_[cell]], spec.gamma, true);
  if (weights_by_row()) return largest_weights_[cell].second;
  if (spec.alignment != Alignment::infinite)
    return geo_of_square(Gamma(spec.gamma), Horizon{most_tokens(spec)});
  // 1 - gamma^2 = (1 - gamma) (1 + gamma), unrounded.
  return spec.gamma < 1.0 ? geo_infinite(Gamma(spec.gamma)) / (1.0 + spec.gamma)
                          : std::numeric_limits<double>::infinity();
}

stats::RowPowers Sweep::row_powers(std::size_t cell, About about) const {
  const std::int64_t k0 = about == About::mean ? groups_.total(cell).centre() : 0;
  return powers_[place_of_.at(cell)].about(k0);
}

std::size_t Sweep::response_mean_cell(std::size_t cell) const { return mean_cells_.at(cell); }

}  // namespace gammascope::measure
