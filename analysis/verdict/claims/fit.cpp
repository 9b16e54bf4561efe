// SPDX-License-Identifier: MIT
#include "analysis/verdict/claims/fit.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "analysis/stats/detectable_effect.hpp"
#include "analysis/stats/mover.hpp"
#include "analysis/stats/prompts_needed.hpp"

namespace gammascope::claims {
namespace {

std::optional<double> finite(double x) {
  return std::isfinite(x) ? std::optional(x) : std::nullopt;
}

}  // namespace

Fit::Fit(stats::HjsFit fit) : fit_(fit) {}
Fit::Fit(stats::SmoothFit fit) : fit_(fit) {}

Fit Fit::of_log(stats::SmoothFit fit) {
  Fit f(fit);
  f.log_ = true;
  return f;
}

Fit Fit::exactly(double value) {
  Fit f;
  f.fit_ = Exact{value};
  return f;
}

Fit Fit::of_cell(const Cell& cell) {
  if (!cell.value) return {};
  if (cell.status == CellStatus::exact) return exactly(*cell.value);
  const bool variance =
      cell.quantity == Quantity::variance || cell.quantity == Quantity::second_moment;
  const bool ratio = cell.quantity == Quantity::ratio;
  if (!cell.spread || ((variance || ratio) && !(*cell.value > 0.0))) return {};
  const Spread& s = *cell.spread;
  if (variance) {
    stats::HjsFit fit;
    fit.value = cell.value;
    fit.availability = stats::Availability::available;
    fit.clusters = cell.prompts;
    fit.scale = s.scale;
    fit.skewness_lower = s.skewness_lower;
    fit.skewness_upper = s.skewness_upper;
    fit.df_lower = s.df_lower;
    fit.df_upper = s.df_upper;
    return Fit(fit);
  }
  stats::SmoothFit fit;
  fit.value = ratio ? std::log(*cell.value) : *cell.value;
  fit.availability = stats::Availability::available;
  fit.clusters = cell.prompts;
  fit.jackknife_scale = s.scale;
  fit.skewness_lower = s.skewness_lower;
  fit.skewness_upper = s.skewness_upper;
  fit.df = s.df_lower;
  return ratio ? of_log(fit) : Fit(fit);
}

bool Fit::has_error(const Fit* other) {
  return other != nullptr && other->has_limits() && !std::holds_alternative<Exact>(other->fit_);
}

double Fit::inner(double x) const { return log_ ? std::log(x) : x; }
double Fit::outer(double x) const { return log_ ? std::exp(x) : x; }

bool Fit::positive() const { return log_ || std::holds_alternative<stats::HjsFit>(fit_); }

std::optional<double> Fit::value() const {
  if (const auto* hjs = std::get_if<stats::HjsFit>(&fit_)) return hjs->value;
  if (const auto* exact = std::get_if<Exact>(&fit_)) return exact->value;
  if (const auto* smooth = std::get_if<stats::SmoothFit>(&fit_))
    return smooth->value ? std::optional(outer(*smooth->value)) : std::nullopt;
  return std::nullopt;
}

stats::Availability Fit::availability() const {
  if (const auto* hjs = std::get_if<stats::HjsFit>(&fit_)) return hjs->availability;
  if (const auto* smooth = std::get_if<stats::SmoothFit>(&fit_)) return smooth->availability;
  if (std::holds_alternative<Exact>(fit_)) return stats::Availability::available;
  return stats::Availability::too_few_clusters;
}

bool Fit::has_limits() const { return availability() == stats::Availability::available; }

std::optional<stats::Limits> Fit::limits(double confidence) const {
  if (const auto* hjs = std::get_if<stats::HjsFit>(&fit_)) return hjs->limits(confidence);
  if (const auto* exact = std::get_if<Exact>(&fit_))
    return stats::Limits{exact->value, exact->value};
  if (const auto* smooth = std::get_if<stats::SmoothFit>(&fit_))
    if (const auto l = smooth->limits(confidence))
      return stats::Limits{outer(l->lower), outer(l->upper)};
  return std::nullopt;
}

double Fit::p_below(double bound, const Fit* other) const {
  if (!has_limits()) return 1;
  if (positive() && !(bound > 0.0)) return 1;
  if (const auto* exact = std::get_if<Exact>(&fit_)) return exact->value <= bound ? 0 : 1;
  const bool paired = has_error(other);
  if (const auto* hjs = std::get_if<stats::HjsFit>(&fit_)) {
    if (!paired) return hjs->p_pass(bound);
    const auto& two = std::get<stats::HjsFit>(other->fit_);
    return stats::mover_p(*hjs, two, bound / *two.value).below;
  }
  const auto& smooth = std::get<stats::SmoothFit>(fit_);
  if (!paired) return smooth.p_below(inner(bound));
  const auto& two = std::get<stats::SmoothFit>(other->fit_);
  return stats::mover_p(smooth, two, inner(bound) - *two.value).below;
}

double Fit::p_above(double bound, const Fit* other) const {
  if (!has_limits()) return 1;
  if (positive() && !(bound > 0.0)) return 0;
  if (const auto* exact = std::get_if<Exact>(&fit_)) return exact->value > bound ? 0 : 1;
  const bool paired = has_error(other);
  if (const auto* hjs = std::get_if<stats::HjsFit>(&fit_)) {
    if (!paired) return hjs->p_fail(bound);
    const auto& two = std::get<stats::HjsFit>(other->fit_);
    return stats::mover_p(*hjs, two, bound / *two.value).above;
  }
  const auto& smooth = std::get<stats::SmoothFit>(fit_);
  if (!paired) return smooth.p_above(inner(bound));
  const auto& two = std::get<stats::SmoothFit>(other->fit_);
  return stats::mover_p(smooth, two, inner(bound) - *two.value).above;
}

Fit::Detected Fit::detected(double bound, double level, const Fit* other) const {
  if (!has_limits() || std::holds_alternative<Exact>(fit_)) return {};
  if (positive() && !(bound > 0.0)) return {};
  const bool paired = has_error(other);
  if (const auto* hjs = std::get_if<stats::HjsFit>(&fit_)) {
    const stats::DetectableEffect e = paired
                                          ? stats::minimum_detectable_effect_beside(
                                                *hjs, std::get<stats::HjsFit>(other->fit_), level)
                                          : stats::minimum_detectable_effect(*hjs, level);
    return {e.below > 0.0 ? finite(bound * e.below) : std::nullopt, finite(bound * e.above)};
  }
  const auto& smooth = std::get<stats::SmoothFit>(fit_);
  const stats::DetectableShift e = paired
                                       ? stats::minimum_detectable_shift_beside(
                                             smooth, std::get<stats::SmoothFit>(other->fit_), level)
                                       : stats::minimum_detectable_shift(smooth, level);
  return {finite(outer(inner(bound) + e.below)), finite(outer(inner(bound) + e.above))};
}

std::optional<double> Fit::band_of_the_same(double level, double power) const {
  stats::DetectableEffect e;
  if (const auto* hjs = std::get_if<stats::HjsFit>(&fit_)) {
    e = stats::minimum_detectable_effect(*hjs, *hjs, level, power);
  } else if (const auto* smooth = std::get_if<stats::SmoothFit>(&fit_); smooth != nullptr && log_) {
    const auto shift = stats::minimum_detectable_shift(*smooth, *smooth, level, power);
    e = {std::exp(shift.below), std::exp(shift.above)};
  }
  if (!(e.below > 0.0)) return std::nullopt;
  return std::max(1.0 / e.below - 1.0, 1.0 - 1.0 / e.above);
}

std::optional<std::int64_t> Fit::prompts_needed(double bound,
                                                double level,
                                                double prompts_per_cluster,
                                                const Fit* other) const {
  if (!has_limits() || std::holds_alternative<Exact>(fit_)) return std::nullopt;
  if (positive() && !(bound > 0.0)) return std::nullopt;
  const bool paired = has_error(other);
  if (const auto* hjs = std::get_if<stats::HjsFit>(&fit_)) {
    if (!paired) return stats::prompts_needed(*hjs, bound, level, prompts_per_cluster);
    const auto& two = std::get<stats::HjsFit>(other->fit_);
    return stats::prompts_needed(*hjs, two, bound / *two.value, level, prompts_per_cluster);
  }
  const auto& smooth = std::get<stats::SmoothFit>(fit_);
  if (!paired) return stats::prompts_needed(smooth, inner(bound), level, prompts_per_cluster);
  const auto& two = std::get<stats::SmoothFit>(other->fit_);
  return stats::prompts_needed(smooth, two, inner(bound) - *two.value, level, prompts_per_cluster);
}

std::optional<Spread> Fit::spread() const {
  if (!has_limits()) return std::nullopt;
  if (const auto* hjs = std::get_if<stats::HjsFit>(&fit_))
    return Spread{
        hjs->scale, hjs->skewness_lower, hjs->skewness_upper, hjs->df_lower, hjs->df_upper};
  if (const auto* smooth = std::get_if<stats::SmoothFit>(&fit_))
    return Spread{smooth->jackknife_scale,
                  smooth->skewness_lower,
                  smooth->skewness_upper,
                  smooth->df,
                  smooth->df};
  return std::nullopt;
}

}  // namespace gammascope::claims
