// SPDX-License-Identifier: MIT
#include "analysis/verdict/claims/measurement.hpp"

#include "analysis/stats/number_text.hpp"

namespace gammascope::claims {
namespace {

void label(Cell& cell, double effective_clusters, const measure::Sweep& sweep) {
  cell.status = CellStatus::ok;
  if (effective_clusters < 5.0) {
    cell.status = effective_clusters < 2.5 ? CellStatus::unreliable : CellStatus::tentative;
    cell.reason = "few prompts (neff = " + stats::number_text(effective_clusters) +
                  ") carry the standard error";
  }
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
  if (fit.has_limits()) label(cell, fit.effective_clusters, sweep);
}

void put_mean(Measured& m, const stats::MeanFit& mean, const measure::Sweep& sweep) {
  m.cell.method = "t";
  m.fit = Fit(stats::smooth(mean));
  put(m.cell, m.fit, mean.clusters, sweep);
  if (m.fit.has_limits()) label(m.cell, mean.effective_clusters, sweep);
}

}  // namespace gammascope::claims
