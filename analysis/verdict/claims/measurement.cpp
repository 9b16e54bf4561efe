// SPDX-License-Identifier: MIT
#include "analysis/verdict/claims/measurement.hpp"

#include "analysis/measure/estimate.hpp"
#include "analysis/stats/labels.hpp"

namespace gammascope::claims {
namespace {

void put_label(Cell& cell, const stats::Label& label, const measure::Sweep& sweep) {
  cell.status = measure::status_of(label.trust);
  cell.reason = label.reason;
  if (sweep.counts().without_prompt_id > 0) {
    cell.status = CellStatus::unreliable;
    cell.reason =
        "without prompt_id every response counts as its own prompt: the limits are too narrow if "
        "responses share prompts";
  }
}

void put(Cell& cell, const Fit& fit, std::int64_t clusters, const measure::Sweep& sweep) {
  cell.value = fit.value();
  cell.prompts = clusters;
  if (const auto limits = fit.limits(sweep.plan().settings().confidence)) {
    cell.lower = limits->lower;
    cell.upper = limits->upper;
    cell.confidence = sweep.plan().settings().confidence;
    cell.spread = fit.spread();
    return;
  }
  const auto why = fit.availability();
  cell.status = why == stats::Availability::proportional || why == stats::Availability::degenerate
                    ? CellStatus::degenerate
                    : CellStatus::not_available;
  cell.reason = stats::sentence(why, clusters);
}

}  // namespace

void put_smooth(Cell& cell,
                const stats::SmoothFit& fit,
                const Fit& as,
                const measure::Sweep& sweep) {
  put(cell, as, fit.clusters, sweep);
  if (fit.has_limits()) put_label(cell, stats::label(fit), sweep);
}

void put_mean(Measured& m, const stats::MeanFit& mean, const measure::Sweep& sweep) {
  m.cell.method = "t";
  m.fit = Fit(stats::smooth(mean));
  put(m.cell, m.fit, mean.clusters, sweep);
  if (m.fit.has_limits()) put_label(m.cell, stats::label(mean), sweep);
}

}  // namespace gammascope::claims
