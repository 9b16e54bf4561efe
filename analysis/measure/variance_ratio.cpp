// SPDX-License-Identifier: MIT
#include "analysis/measure/variance_ratio.hpp"

#include <cmath>

#include "analysis/measure/estimate.hpp"
#include "analysis/stats/hjs2.hpp"
#include "analysis/stats/labels.hpp"

namespace gammascope::measure {

Cell variance_ratio(const Sweep& sweep, std::size_t over, std::size_t under) {
  const auto top = sweep.groups().clusters(over, About::mean).first;
  const auto below = sweep.groups().clusters(under, About::mean).first;
  const CellSpec& spec = sweep.plan().cells()[over];
  Cell c;
  c.quantity = Quantity::ratio;
  c.alignment = spec.alignment;
  c.gamma = spec.gamma;
  c.n = spec.n;
  c.method = "HJS2";
  c.status = CellStatus::not_available;
  bool same = top.size() == below.size();
  for (std::size_t i = 0; same && i < top.size(); ++i) same = top[i].rows == below[i].rows;
  if (!same) {
    c.reason = "the two variances are not of the same rows";
    return c;
  }
  for (const stats::ClusterSums& prompt : top) c.rollouts += static_cast<std::int64_t>(prompt.rows);
  c.prompts = static_cast<std::int64_t>(top.size());
  const auto one = stats::jackknife_log_variance(below), two = stats::jackknife_log_variance(top);
  if (!one || !two) {
    c.reason = "a variance is 0 or there are too few prompts";
    return c;
  }
  const stats::SmoothFit fit = stats::hjs2_log_ratio(*one, *two);
  if (fit.value) c.value = std::exp(*fit.value);
  const stats::Label label = stats::label(fit);
  c.reason = label.reason;
  if (!fit.has_limits()) return c;
  const double confidence = sweep.plan().settings().confidence;
  const auto limits = fit.limits(confidence);
  c.lower = std::exp(limits->lower);
  c.upper = std::exp(limits->upper);
  c.confidence = confidence;
  c.spread = Spread{fit.jackknife_scale, fit.skewness_lower, fit.skewness_upper, fit.df, fit.df};
  c.status = status_of(label.trust);
  if (sweep.counts().without_prompt_id > 0) {
    c.status = CellStatus::unreliable;
    c.reason = "without prompt_id every response counts as its own prompt";
  }
  return c;
}

}  // namespace gammascope::measure
