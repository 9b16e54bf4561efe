// SPDX-License-Identifier: MIT
#include "analysis/cli/init_claims.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/cli/earlier_result.hpp"
#include "analysis/core/errors.hpp"
#include "analysis/report/claims_toml.hpp"
#include "analysis/report/number.hpp"
#include "analysis/verdict/claims/measurement.hpp"

namespace gammascope::cli {

namespace {

using claims::Fit;
using claims::Spec;

/// Settings that the numbers rest on.
constexpr std::array<std::string_view, 4> kept{"clock", "truncated", "start", "nonfinite"};

Spec variance_spec(const measure::CellSpec& cell) {
  Spec spec;
  spec.quantity = "variance";
  spec.arguments = {
      {"gamma", {cell.gamma}, {}},
      {std::string(name(cell.alignment)), {cell.n ? static_cast<double>(*cell.n) : 1.0}, {}}};
  return spec;
}

Spec ratio_spec(const measure::CellSpec& cell, double over) {
  Spec spec = variance_spec(cell);
  spec.quantity = "ratio";
  spec.arguments.insert(spec.arguments.begin() + 1, {"over", {over}, {}});
  return spec;
}

struct Draft {
  Spec spec;
  claims::Measured measured;
};

/// One end is shown with 90 % where both are wanted with 80 %.
double band_percent(const Fit& fit, double level) {
  return std::clamp(std::ceil(100.0 * fit.band_of_the_same(level, 0.9).value_or(10.0)), 10.0, 1e6);
}

}  // namespace

InitText init_claims(const report::Result& result,
                     const measure::Sweep& sweep,
                     double noise_floor) {
  const measure::Settings& how = sweep.plan().settings();
  std::vector<Spec> wanted;
  const auto cells = sweep.plan().cells();
  for (const auto& cell : cells) wanted.push_back(variance_spec(cell));
  for (const auto& top : cells) {
    std::optional<double> least, most;
    for (const auto& other : cells)
      if (other.alignment == top.alignment && other.n == top.n) {
        least = std::min(least.value_or(other.gamma), other.gamma);
        most = std::max(most.value_or(other.gamma), other.gamma);
      }
    if (most == top.gamma && *least < *most) wanted.push_back(ratio_spec(top, *least));
  }
  std::vector<Draft> drafts;
  std::vector<std::string> left_out;
  for (Spec& spec : wanted) {
    const auto measurement = claims::find_kind(spec).make(spec, how);
    for (claims::Measured& m : measurement->measured(sweep, noise_floor)) {
      if (m.cell.spread && m.cell.value && m.cell.status != CellStatus::degenerate)
        drafts.push_back({spec, std::move(m)});
      else
        left_out.push_back("left out: " + typed_text(spec) + ": " + m.cell.reason);
    }
  }
  if (drafts.empty())
    throw BadData({result.source.files.empty() ? "the log" : result.source.files.front(),
                   0,
                   "",
                   "no number of this log has limits, so there is no baseline; " +
                       (left_out.empty() ? std::string() : left_out.front())});
  const double level = (1.0 - how.confidence) / (2.0 * static_cast<double>(drafts.size()));
  std::vector<report::DraftClaim> claims;
  for (Draft& draft : drafts) {
    Spec& spec = draft.spec;
    const Fit& fit = draft.measured.fit;
    spec.name = typed_text(spec);
    spec.relation = Relation::within;
    spec.limit.kind = claims::Limit::Kind::baseline;
    spec.limit.number = *fit.value();
    spec.limit.spread = fit.spread();
    spec.limit.band = claims::Band{band_percent(fit, level), true};
    const double high = *fit.value() + spec.limit.band->reach(*fit.value());
    const auto found = fit.detected(high, level / 2.0, &fit).above;
    std::string comment = "now " + report::number(*fit.value()) + " " +
                          report::limits(draft.measured.cell.lower, draft.measured.cell.upper);
    if (found) comment += "; a truth of " + report::number(*found) + " is found in 80 % of runs";
    if (draft.measured.cell.status != CellStatus::ok)
      comment += "; " + std::string(name(draft.measured.cell.status));
    claims.push_back({std::move(spec), std::move(comment)});
  }
  report::ClaimsFile head;
  for (const std::string_view setting : kept)
    for (const auto& [name, value] : result.settings)
      if (name == setting) head.settings.push_back({name, setting_text(value), 0});
  head.baseline_hash = result.source.hash;
  head.baseline_files = result.source.files;
  head.baseline_rollouts = result.source.rollouts;
  head.baseline_prompts = result.source.prompts;
  std::vector<std::string> notes{
      "Written by gammascope check --init. A claim passes when a log is shown to be inside the "
      "band "
      "around the",
      "baseline, and fails when it is shown to be outside; an unchanged log of the same size "
      "passes in "
      "about 80 %",
      "of runs. On the baseline itself every claim is an identity. docs/claims.md"};
  notes.insert(notes.end(), left_out.begin(), left_out.end());
  return {to_claims_toml(head, claims, notes), claims.size()};
}

}  // namespace gammascope::cli
