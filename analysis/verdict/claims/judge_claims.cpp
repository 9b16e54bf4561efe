// SPDX-License-Identifier: MIT
#include "analysis/verdict/claims/judge_claims.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/stats/number_text.hpp"

namespace gammascope::claims {
namespace {

using check::Case;
using check::Detectable;

std::string text(double x) { return stats::number_text(x, 4); }

/// Where the claim holds its number, in the unit of the quantity.
struct Edges {
  std::optional<double> low, high;
  std::optional<Fit> other;  ///< of the reference
  std::string words;         ///< "the 25 that is claimed"
  std::string width;         ///< of `within`: "10 %"
};

Edges edges_of(const Spec& spec, double reference, const std::string& of) {
  Edges e;
  const Band band = spec.limit.band.value_or(Band{0, true});
  const double reach = band.reach(reference);
  const std::string base = text(reference) + " " + of;
  const std::string width = text(band.size) + (band.percent ? " %" : "");
  switch (spec.relation) {
    case Relation::at_most:
      e.high = reference + reach;
      e.words =
          spec.limit.band ? "the " + base + " plus " + width + ", " + text(*e.high) : "the " + base;
      break;
    case Relation::at_least:
      e.low = reference - reach;
      e.words =
          spec.limit.band ? "the " + base + " less " + width + ", " + text(*e.low) : "the " + base;
      break;
    case Relation::within:
      e.low = reference - reach;
      e.high = reference + reach;
      e.words = "the " + base + " (" + text(*e.low) + " to " + text(*e.high) + ")";
      e.width = width;
      break;
  }
  return e;
}

Edges resolve(const Spec& spec,
              const Measured& m,
              const Measurement& measurement,
              const Setting& setting,
              Case& c) {
  const Limit& limit = spec.limit;
  std::vector<BoundInput>& inputs = c.verdict.inputs;
  if (limit.kind == Limit::Kind::none) {
    const auto own = measurement.own_limit(setting.noise_floor);
    if (!own)
      refuse(spec.at,
             spec.quantity + " needs a limit: '<= NUMBER', '>= NUMBER' or 'within BAND of ...'");
    inputs.push_back({"noise_floor", own, Origin::claimed});
    return edges_of(spec, *own, "of the noise floor");
  }
  if (limit.kind == Limit::Kind::number) return edges_of(spec, limit.number, "that is claimed");
  Reference reference;
  if (limit.kind == Limit::Kind::baseline) {
    Cell base = m.cell;
    base.value = limit.number;
    base.spread = limit.spread;
    base.status = limit.spread ? CellStatus::ok : CellStatus::exact;
    reference.value = limit.number;
    reference.fit = Fit::of_cell(base);
    reference.words = "of the baseline";
    reference.same_log =
        !setting.baseline_hash.empty() && setting.baseline_hash == setting.log_hash;
  } else {
    reference = setting.find(limit, m.cell);
  }
  inputs.push_back(
      {"baseline", reference.value, reference.same_log ? Origin::same_rollouts : Origin::claimed});
  if (reference.same_log) {
    c.origin = Origin::same_rollouts;
    c.identity = "the number " + text(reference.value) + " " + reference.words +
                 " was measured on this very log (the same content hash): the claim holds by "
                 "construction and could not have failed";
  }
  Edges e = edges_of(spec, reference.value, reference.words);
  e.other = reference.fit;
  return e;
}

void write_sentences(Case& c, const Measured& m, const Edges& e, Relation relation) {
  std::string is = m.subject;
  if (m.cell.value) is += " is " + text(*m.cell.value);
  if (m.cell.lower && m.cell.upper && *m.cell.lower < *m.cell.upper)
    is += " (" + text(100.0 * m.cell.confidence.value_or(0.95)) + " % limits " +
          text(*m.cell.lower) + " to " + text(*m.cell.upper) + ")";
  switch (relation) {
    case Relation::at_most:
      c.confirmed = is + ", shown to be at most " + e.words;
      c.refuted = is + ", shown to be above " + e.words;
      c.undecided = is + ", not shown to be on either side of " + e.words;
      break;
    case Relation::at_least:
      c.confirmed = is + ", shown to be at least " + e.words;
      c.refuted = is + ", shown to be below " + e.words;
      c.undecided = is + ", not shown to be on either side of " + e.words;
      break;
    case Relation::within:
      c.confirmed = is + ", shown to be within " + e.width + " of " + e.words;
      c.refuted = is + ", shown to differ by more than " + e.width + " from " + e.words;
      c.undecided = is + ", shown neither to be within " + e.width + " of " + e.words +
                    " nor to differ by more";
      break;
  }
  c.degenerate = !m.degenerate.empty() ? m.degenerate : m.subject + ": " + m.cell.reason;
}

/// Two one-sided nulls each way; `within` passes when both ends are shown, and fails at one of two.
void judge_edges(Case& c, const Measured& m, const Edges& e, Relation relation) {
  const Fit* const other = e.other ? &*e.other : nullptr;
  Verdict& v = c.verdict;
  v.p_pass = v.p_fail = 1;
  if (!m.fit.has_limits()) return;
  const double below_high = e.high ? m.fit.p_below(*e.high, other) : 1;
  const double above_high = e.high ? m.fit.p_above(*e.high, other) : 1;
  const double below_low = e.low ? m.fit.p_below(*e.low, other) : 1;
  const double above_low = e.low ? m.fit.p_above(*e.low, other) : 1;
  if (relation == Relation::at_most) {
    v.p_pass = below_high;
    v.p_fail = above_high;
  } else if (relation == Relation::at_least) {
    v.p_pass = above_low;
    v.p_fail = below_low;
  } else {
    v.p_pass = std::max(below_high, above_low);
    v.p_fail = std::min(1.0, 2.0 * std::min(above_high, below_low));
  }
}

/// What this log finds with probability 80 %. `within`: the excess beyond the upper end.
Detectable detect(
    const Fit& fit, const Edges& e, Relation relation, double level, bool not_negative) {
  const Fit* const other = e.other ? &*e.other : nullptr;
  Detectable found;
  if (relation == Relation::at_most) {
    const auto d = fit.detected(*e.high, level, other);
    found = {d.below, d.above};
  } else if (relation == Relation::at_least) {
    const auto d = fit.detected(*e.low, level, other);
    found = {d.above, d.below};
  } else {
    found.fail = fit.detected(*e.high, level / 2.0, other).above;
  }
  if (not_negative)
    for (auto* truth : {&found.pass, &found.fail})
      if (*truth && **truth < 0.0) truth->reset();
  return found;
}

}  // namespace

Opened open_claim(const Spec& spec,
                  const Measurement& measurement,
                  const measure::Sweep& sweep,
                  const Setting& setting,
                  std::size_t claim) {
  Opened opened;
  std::vector<Measured> all = measurement.measured(sweep, setting.noise_floor);
  if (spec.limit.kind == Limit::Kind::baseline && all.size() > 1)
    refuse(spec.at, "a baseline is one number, and this claim has " + std::to_string(all.size()));
  for (Measured& m : all) {
    Case c;
    c.claim = claim;
    Verdict& v = c.verdict;
    v.claim = spec.name;
    v.relation = spec.relation;
    if (!spec.at.file.empty()) v.where = spec.at.file + ":" + std::to_string(spec.at.line);
    v.quantity = m.cell.quantity;
    v.alignment = m.cell.alignment;
    v.gamma = m.cell.gamma;
    v.n = m.cell.n;
    v.value = m.cell.value;
    v.lower = m.cell.lower;
    v.upper = m.cell.upper;
    v.cell_status = c.evidence.cell_status = m.cell.status;
    c.evidence.cell_reason = m.cell.reason;
    const Edges e = resolve(spec, m, measurement, setting, c);
    v.bound = spec.relation == Relation::at_least ? e.low : e.high;
    if (spec.relation == Relation::within) v.bound_low = e.low;
    write_sentences(c, m, e, spec.relation);
    if (m.never_above && c.origin != Origin::same_rollouts && spec.relation == Relation::at_most &&
        *e.high >= *m.never_above) {
      c.origin = Origin::same_rollouts;
      c.identity = m.subject + " cannot exceed " + text(*m.never_above) + " (" + m.theorem +
                   "): the claim holds by construction and could not have failed";
    }
    if (e.other && !e.other->has_limits() && c.origin != Origin::same_rollouts)
      c.evidence.only_if = "the reference has no limits of its own, so nothing can be told from it";
    const bool judged = c.origin != Origin::same_rollouts && !c.evidence.only_if &&
                        m.cell.status != CellStatus::degenerate;
    if (judged) {
      judge_edges(c, m, e, spec.relation);
      if (sweep.counts().without_prompt_id > 0 && v.p_fail < 0.5) {
        v.p_fail = 1;
        c.evidence.cannot_fail =
            "it looks broken, but without prompt_id every response counts as its own prompt, so "
            "the limits are too narrow for a fail";
      }
      const bool not_negative =
          m.cell.quantity != Quantity::mean && m.cell.quantity != Quantity::growth_exponent;
      c.detectable = [=, fit = m.fit, relation = spec.relation](double level) {
        return detect(fit, e, relation, level, not_negative);
      };
      const double nearest =
          !e.high || (e.low && m.cell.value && *m.cell.value < *e.low) ? *e.low : *e.high;
      c.prompts_needed = [fit = m.fit, e, nearest, per = setting.prompts_per_group](double level) {
        return fit.prompts_needed(nearest, level, per, e.other ? &*e.other : nullptr);
      };
      if (!e.other) c.influence = std::move(m.influence);
    }
    opened.cases.push_back(std::move(c));
    opened.cells.push_back(m.cell);
  }
  return opened;
}

}  // namespace gammascope::claims
