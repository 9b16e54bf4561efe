// SPDX-License-Identifier: MIT
#include "analysis/measure/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "analysis/core/hash_prefix.hpp"
#include "analysis/measure/estimate.hpp"
#include "analysis/stats/labels.hpp"
#include "analysis/stats/pareto_khat.hpp"

namespace gammascope::measure {
namespace {

using stats::ClusterSums, stats::ExactMoments;

/// One cell of both, cluster by cluster; a cluster without rows on one side has an empty entry.
struct Columns {
  std::vector<ExactMoments> one, two;
};

Columns by_group(const Sweep& one, const Sweep& two, std::size_t first, std::size_t second) {
  const int bits = std::min(one.groups().bits(), two.groups().bits());
  std::map<std::uint64_t, std::pair<ExactMoments, ExactMoments>> both;
  for (const auto& [hash, sums] : one.groups().keyed_column(first))
    both[hash_prefix(hash, bits)].first.merge(sums);
  for (const auto& [hash, sums] : two.groups().keyed_column(second))
    both[hash_prefix(hash, bits)].second.merge(sums);
  Columns columns;
  for (const auto& [hash, sums] : both) {
    columns.one.push_back(sums.first);
    columns.two.push_back(sums.second);
  }
  return columns;
}

Columns by_prompt(const Sweep& one, const Sweep& two, std::size_t first, std::size_t second) {
  if (!one.prompts().complete() || !two.prompts().complete())
    throw std::invalid_argument("compare: not every prompt was kept");
  const auto a = one.prompts().keyed_column(first), b = two.prompts().keyed_column(second);
  Columns columns;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (i->first == j->first) {
      columns.one.push_back((i++)->second);
      columns.two.push_back((j++)->second);
    } else {
      ++(i->first < j->first ? i : j);
    }
  }
  return columns;
}

std::pair<std::vector<ClusterSums>, double> centred(const std::vector<ExactMoments>& column) {
  const std::int64_t k0 = total_of(column).centre();
  return {sums_about(column, k0), static_cast<double>(k0) * ExactMoments::quantum};
}

void put(Change& change, const stats::SmoothFit& fit) {
  change.method = "HJS2";
  change.clusters = fit.clusters;
  if (!fit.has_limits()) {
    const bool exact = fit.availability == stats::Availability::proportional;
    change.status = exact ? CellStatus::degenerate : CellStatus::not_available;
    change.missing = change.reason =
        exact ? "no prompt changes this: the two hold the same numbers, or exactly proportional "
                "ones"
              : stats::sentence(fit.availability, fit.clusters);
    return;
  }
  change.fit = fit;
  const stats::Label own = stats::label(fit);
  if (badness(status_of(own.trust)) <= badness(change.status)) return;
  change.status = status_of(own.trust);
  change.reason = own.reason;
}

/// What pairs gained over strangers: standard errors of the parts against that of the change.
void put_gain(Change& change, double one, double two, double paired) {
  if (!(one > 0 && two > 0 && paired > 0)) return;
  change.gain = std::hypot(one, two) / paired;
  change.correlation =
      std::clamp((one * one + two * two - paired * paired) / (2 * one * two), -1.0, 1.0);
}

void variance_in_pairs(Change& change, const Columns& columns) {
  const auto one = stats::jackknife_log_variance(centred(columns.one).first);
  const auto two = stats::jackknife_log_variance(centred(columns.two).first);
  if (!one || !two) {
    change.missing = change.reason = "too few prompts with rows on both sides";
    change.status = CellStatus::not_available;
    return;
  }
  change.one = one->fit.value;
  change.two = two->fit.value;
  change.value = *change.two / *change.one;
  if (!change.missing.empty()) return;
  const stats::SmoothFit fit = stats::hjs2_log_ratio(*one, *two);
  put(change, fit);
  put_gain(change, one->fit.jackknife_scale, two->fit.jackknife_scale, fit.jackknife_scale);
}

void mean_in_pairs(Change& change, const Columns& columns) {
  const auto [one, first] = centred(columns.one);
  const auto [two, second] = centred(columns.two);
  const stats::MeanFit a = stats::cluster_mean(one, first), b = stats::cluster_mean(two, second);
  change.one = a.value;
  change.two = b.value;
  if (!a.value || !b.value) return;
  change.value = *b.value - *a.value;
  if (!change.missing.empty()) return;
  std::vector<double> without;
  const auto rest = [](const stats::MeanFit& fit, double origin, const ClusterSums& c) {
    return origin + ((*fit.value - origin) * fit.rows - c.s1) / (fit.rows - c.rows);
  };
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].rows == a.rows || two[i].rows == b.rows) {
      change.missing = change.reason = "one prompt has all rows of a side";
      change.status = CellStatus::not_available;
      return;
    }
    if (one[i].rows + two[i].rows > 0)
      without.push_back(rest(b, second, two[i]) - rest(a, first, one[i]));
  }
  const double resolution = 1e-12 * (std::fabs(*a.value) + std::fabs(*b.value));
  const stats::SmoothFit fit = stats::hjs2(*change.value, without, resolution);
  put(change, fit);
  put_gain(change, a.se, b.se, fit.jackknife_scale);
}

void mean_as_strangers(Change& change, const stats::MeanFit& one, const stats::MeanFit& two) {
  change.method = "Welch";
  change.clusters = std::min(one.clusters, two.clusters);
  WelchFit welch;
  welch.difference = *change.value;
  welch.se = std::hypot(one.se, two.se);
  const auto part = [](const stats::MeanFit& fit) { return std::pow(fit.se, 4) / fit.df; };
  welch.df = std::pow(welch.se, 4) / (part(one) + part(two));
  change.fit = welch;
}

stats::MeanFit mean_fit(const Sweep& sweep, std::size_t place) {
  const auto [clusters, origin] = sweep.groups().clusters(place, About::mean);
  return stats::cluster_mean(clusters, origin);
}

/// Value and label of the rows of one side that are pairs; what lies below the noise stays so.
Cell paired_side(const Cell& all, const std::vector<ExactMoments>& column) {
  if (all.status == CellStatus::degenerate) return all;
  const auto [clusters, origin] = centred(column);
  Cell side = all;
  const auto put_label = [&](const auto& fit, const auto& label) {
    side.value = fit.value;
    side.status = CellStatus::not_available;
    side.reason = stats::sentence(fit.availability, fit.clusters);
    if (fit.availability != stats::Availability::available) return;
    side.status = status_of(label.trust);
    side.reason = label.reason;
  };
  if (all.quantity == Quantity::mean) {
    const stats::MeanFit fit = stats::cluster_mean(clusters, origin);
    put_label(fit, stats::label(fit));
  } else {
    const stats::HjsFit fit = stats::hjs_variance(clusters);
    put_label(fit, stats::label(fit, stats::second_moment_khat(clusters)));
  }
  return side;
}

std::size_t place_in(const Sweep& sweep, const CellSpec& cell) {
  const auto place = sweep.plan().index_of(cell);
  if (!place) throw std::out_of_range("compare: a plan has no such cell");
  return *place;
}

std::size_t mean_place(const Sweep& sweep, std::size_t cell) {
  return sweep.plan().settings().weight == Weight::response ? sweep.response_mean_cell(cell) : cell;
}

}  // namespace

std::vector<Change> changes_of(const Sweep& one,
                               const Sweep& two,
                               const CellSpec& cell,
                               Pairs pairs) {
  const std::size_t first = place_in(one, cell), second = place_in(two, cell);
  const Estimate a = estimate(one, first, 0), b = estimate(two, second, 0);
  Change variance, mean;
  variance.cell = mean.cell = cell;
  mean.quantity = Quantity::mean;
  const std::size_t mean_one = mean_place(one, first), mean_two = mean_place(two, second);
  if (pairs == Pairs::none) {
    take_sides(variance, a.variance, b.variance);
    take_sides(mean, a.mean, b.mean);
    variance.method = "MOVER";
    variance.clusters = std::min(a.variance_fit.clusters, b.variance_fit.clusters);
    if (variance.one && variance.two && *variance.one > 0)
      variance.value = *variance.two / *variance.one;
    if (variance.missing.empty()) variance.fit = std::pair(a.variance_fit, b.variance_fit);
    if (mean.one && mean.two) mean.value = *mean.two - *mean.one;
    if (mean.missing.empty())
      mean_as_strangers(mean, mean_fit(one, mean_one), mean_fit(two, mean_two));
    return {variance, mean};
  }
  const auto columns = [&](std::size_t in_one, std::size_t in_two) {
    return pairs == Pairs::prompts ? by_prompt(one, two, in_one, in_two)
                                   : by_group(one, two, in_one, in_two);
  };
  const auto sides = [&](Change& change, const Cell& x, const Cell& y, const Columns& both) {
    if (pairs == Pairs::prompts)
      take_sides(change, paired_side(x, both.one), paired_side(y, both.two));
    else
      take_sides(change, x, y);
  };
  const Columns rows = columns(first, second), means = columns(mean_one, mean_two);
  sides(variance, a.variance, b.variance, rows);
  sides(mean, a.mean, b.mean, means);
  variance_in_pairs(variance, rows);
  mean_in_pairs(mean, means);
  return {variance, mean};
}

}  // namespace gammascope::measure
