// SPDX-License-Identifier: MIT
#include "analysis/measure/estimate.hpp"

#include <tuple>
#include <utility>

#include "analysis/stats/labels.hpp"
#include "analysis/stats/number_text.hpp"
#include "analysis/stats/pareto_khat.hpp"

namespace gammascope::measure {
namespace {

std::string of(std::int64_t part, std::int64_t all) {
  return std::to_string(part) + " of " + std::to_string(all) + " responses ";
}

/// Why this cell has no population, as a sentence.
std::optional<std::string> no_population(const Sweep& sweep, std::size_t cell) {
  const CellSpec& spec = sweep.plan().cells()[cell];
  const Counts& n = sweep.counts();
  if (n.rollouts == 0) return "the log has no response";
  if (spec.alignment == Alignment::infinite) {
    if (!(spec.gamma < 1.0)) return "without a cut gamma must be below 1";
    if (n.cut > 0)
      return of(n.cut, n.rollouts) +
             "were cut before their end, and what they would have added is not "
             "known: --alignment window sums what is there";
    if (n.end_unknown > 0)
      return "of " + of(n.end_unknown, n.rollouts) +
             "it is not recorded whether they were cut: record finish_reason, or "
             "--alignment window sums what is there";
  }
  if (n.empty == n.rollouts) return "every response is empty";
  if (sweep.groups().total(cell).count() > 0) return std::nullopt;
  switch (spec.alignment) {
    case Alignment::position:
      return "no response reaches this position";
    case Alignment::horizon:
      if (n.left_out + n.empty + n.dropped == n.rollouts)
        return "no response is known to have ended undamaged";
      return "no response that ended is this long";
    default:
      return "no window of this length fits";
  }
}

Cell blank(const Sweep& sweep, std::size_t cell, Quantity quantity) {
  const CellSpec& spec = sweep.plan().cells()[cell];
  Cell c;
  c.quantity = quantity;
  c.alignment = spec.alignment;
  c.gamma = spec.gamma;
  c.n = spec.n;
  c.status = CellStatus::not_available;
  return c;
}

void put_limits(Cell& c, const std::optional<stats::Limits>& limits, double confidence) {
  if (!limits) return;
  c.lower = limits->lower;
  c.upper = limits->upper;
  c.confidence = confidence;
}

void put_label(Cell& c, stats::Label label, const Counts& counts) {
  c.status = status_of(label.trust);
  c.reason = std::move(label.reason);
  if (counts.without_prompt_id > 0) {
    c.status = CellStatus::unreliable;
    c.reason =
        "without prompt_id every response counts as its own prompt: the limits are too "
        "narrow if responses share prompts";
  }
}

void put_fit(Cell& c,
             const stats::HjsFit& fit,
             const Sweep& sweep,
             const std::vector<stats::ClusterSums>& clusters,
             const std::string& below_floor) {
  c.method = "HJS";
  c.value = fit.value;
  c.prompts = fit.clusters;
  c.rollouts = static_cast<std::int64_t>(fit.rows);
  if (fit.availability == stats::Availability::degenerate) {
    c.status = CellStatus::degenerate;
    c.reason = below_floor.empty() ? stats::sentence(fit.availability, fit.clusters) : below_floor;
    return;
  }
  if (!fit.has_limits()) {
    c.reason = stats::sentence(fit.availability, fit.clusters);
    return;
  }
  const double confidence = sweep.plan().settings().confidence;
  put_limits(c, fit.limits(confidence), confidence);
  c.spread = Spread{fit.scale, fit.skewness_lower, fit.skewness_upper, fit.df_lower, fit.df_upper};
  c.blind_spot = stats::blind_spot(*fit.value, fit.clusters);
  put_label(c, stats::label(fit, stats::second_moment_khat(clusters)), sweep.counts());
}

/// A value that the engine's noise alone can make is no measurement.
std::string apply_floor(stats::HjsFit& fit, double floor, double sd) {
  if (!fit.value || *fit.value == 0.0 || *fit.value >= floor) return "";
  fit.availability = stats::Availability::degenerate;
  return "below what engine noise of " + stats::number_text(sd) + " nats a token makes by itself";
}

Cell mean_cell(const Sweep& sweep, std::size_t cell) {
  const Settings& settings = sweep.plan().settings();
  Cell c = blank(sweep, cell, Quantity::mean);
  c.method = "t";
  const std::size_t place =
      settings.weight == Weight::response ? sweep.response_mean_cell(cell) : cell;
  auto [clusters, origin] = sweep.groups().clusters(place, About::mean);
  if (settings.weight == Weight::prompt) {
    if (sweep.counts().without_prompt_id > 0) {
      c.reason = "means by prompt need prompt_id";
      return c;
    }
    if (!sweep.prompts().complete()) {
      c.reason = "means by prompt are kept for up to " + std::to_string(PromptSample::capacity) +
                 " prompts, and this log has more";
      return c;
    }
    std::tie(clusters, origin) = sweep.prompts().clusters(cell);
    for (stats::ClusterSums& prompt : clusters) {
      const double mean = prompt.s1 / prompt.rows;
      prompt = {1.0, mean, mean * mean};
    }
  }
  const stats::MeanFit fit = stats::cluster_mean(clusters, origin);
  c.value = fit.value;
  c.prompts = fit.clusters;
  c.rollouts = sweep.groups().total(place).count();
  if (fit.availability == stats::Availability::available) {
    put_limits(c, fit.limits(settings.confidence), settings.confidence);
    c.spread = Spread{fit.se, 0, 0, fit.df, fit.df};
    put_label(c, stats::label(fit), sweep.counts());
  } else {
    if (fit.availability == stats::Availability::degenerate) c.status = CellStatus::degenerate;
    c.reason = stats::sentence(fit.availability, fit.clusters);
  }
  return c;
}

}  // namespace

CellStatus status_of(stats::Trust trust) {
  switch (trust) {
    case stats::Trust::ok:
      return CellStatus::ok;
    case stats::Trust::tentative:
      return CellStatus::tentative;
    case stats::Trust::unreliable:
      break;
  }
  return CellStatus::unreliable;
}

Estimate estimate(const Sweep& sweep, std::size_t cell, double noise_floor) {
  Estimate e;
  e.weight_sum = sweep.weight_sum(cell);
  e.mean = blank(sweep, cell, Quantity::mean);
  e.variance = blank(sweep, cell, Quantity::variance);
  e.second_moment = blank(sweep, cell, Quantity::second_moment);
  if (const auto why = no_population(sweep, cell)) {
    e.mean.reason = e.variance.reason = e.second_moment.reason = *why;
    return e;
  }
  const double sd = sweep.plan().settings().noise_floor.value_or(noise_floor);
  const double floor = sd * sd * sweep.squared_weight_sum(cell);
  e.mean = mean_cell(sweep, cell);

  const auto about_mean = sweep.groups().clusters(cell, About::mean).first;
  e.variance_fit = stats::hjs_variance(about_mean);
  std::string why = apply_floor(e.variance_fit, floor, sd);
  put_fit(e.variance, e.variance_fit, sweep, about_mean, why);

  const auto about_zero = sweep.groups().clusters(cell, About::zero).first;
  e.second_moment_fit = stats::hjs_second_moment(about_zero);
  why = apply_floor(e.second_moment_fit, floor, sd);
  put_fit(e.second_moment, e.second_moment_fit, sweep, about_zero, why);
  return e;
}

stats::HjsFit variance_fit(const Sweep& sweep, std::size_t cell, Half half) {
  if (no_population(sweep, cell)) return {};
  return stats::hjs_variance(sweep.groups().clusters(cell, About::mean, half).first);
}

stats::HjsFit second_moment_fit(const Sweep& sweep, std::size_t cell, Half half) {
  if (no_population(sweep, cell)) return {};
  return stats::hjs_second_moment(sweep.groups().clusters(cell, About::zero, half).first);
}

stats::Label variance_label(const Sweep& sweep, std::size_t cell, Half half) {
  const auto clusters = sweep.groups().clusters(cell, About::mean, half).first;
  return stats::label(variance_fit(sweep, cell, half), stats::second_moment_khat(clusters));
}

stats::Label second_moment_label(const Sweep& sweep, std::size_t cell, Half half) {
  const auto clusters = sweep.groups().clusters(cell, About::zero, half).first;
  return stats::label(second_moment_fit(sweep, cell, half), stats::second_moment_khat(clusters));
}

std::optional<stats::OneWay> prompt_split(const Sweep& sweep, std::size_t cell) {
  if (no_population(sweep, cell) || sweep.counts().without_prompt_id > 0) return std::nullopt;
  return stats::one_way(sweep.prompts().clusters(cell).first);
}

std::vector<Cell> prompt_split_cells(const Sweep& sweep, std::size_t cell) {
  std::vector<Cell> cells{blank(sweep, cell, Quantity::between_prompts),
                          blank(sweep, cell, Quantity::within_prompts)};
  const auto why = no_population(sweep, cell);
  const auto split = prompt_split(sweep, cell);
  for (Cell& c : cells) {
    c.method = "one-way";
    if (split) {
      c.value = c.quantity == Quantity::between_prompts ? split->between : split->within;
      c.prompts = split->clusters;
      c.rollouts = split->rows;
      c.reason = "no limits are computed for this split";
    } else if (why) {
      c.reason = *why;
    } else if (sweep.counts().without_prompt_id > 0) {
      c.reason = "the split between and within prompts needs prompt_id";
    } else if (!sweep.plan().settings().by_prompt) {
      c.reason = "sums by prompt were not kept";
    } else {
      c.reason = "the split needs two prompts and a prompt with two rows";
    }
  }
  return cells;
}

}  // namespace gammascope::measure
