// SPDX-License-Identifier: MIT
#include "analysis/verdict/case.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "analysis/stats/min_p.hpp"

namespace gammascope::check {
namespace {

constexpr std::size_t many_cells = 8;  // beyond it min-p is the default (calibration 5)

/// One p-value of a case, with what it is multiplied by at the first step.
struct Hypothesis {
  std::size_t at = 0;  ///< case
  bool pass = true;
  double p = 1;  ///< divided by its weight
  bool joint = false;
};

bool can_be_joint(const std::vector<std::size_t>& members,
                  std::span<const Case> cases,
                  Multiplicity multiplicity) {
  if (multiplicity == Multiplicity::holm || members.size() < 2) return false;
  if (multiplicity == Multiplicity::automatic && members.size() <= many_cells) return false;
  const std::size_t clusters = cases[members[0]].influence.size();
  return clusters > 0 && std::ranges::all_of(members, [&](std::size_t i) {
           return cases[i].influence.size() == clusters;
         });
}

/// Step-down min-p over the cells of one claim.
stats::MinPResult joint_p(const std::vector<std::size_t>& members,
                          std::span<const Case> cases,
                          double alpha) {
  std::vector<double> influence;
  std::vector<stats::MinPHypothesis> hypotheses;
  for (std::size_t cell = 0; cell < members.size(); ++cell) {
    const Case& one = cases[members[cell]];
    influence.insert(influence.end(), one.influence.begin(), one.influence.end());
    hypotheses.push_back({cell, true, one.verdict.p_pass});
    hypotheses.push_back({cell, false, one.verdict.p_fail});
  }
  stats::MinPSettings settings;
  settings.alpha = alpha;
  return stats::min_p(influence, cases[members[0]].influence.size(), hypotheses, settings);
}

void say_detectable(Case& one, double level) {
  // Where no word can come of the numbers, nothing is promised either.
  if (one.evidence.only_if || one.origin == Origin::same_rollouts) return;
  if (one.detectable && level > 0.0 && level < 0.5) {
    const Detectable found = one.detectable(level);
    one.verdict.detect_pass = found.pass;
    one.verdict.detect_fail = found.fail;
  }
  if (one.prompts_needed) one.verdict.prompts_needed = one.prompts_needed(level);
}

}  // namespace

std::vector<Joint> adjust(std::span<Case> cases, double alpha, Multiplicity multiplicity) {
  std::map<std::size_t, std::vector<std::size_t>> claims;
  for (std::size_t i = 0; i < cases.size(); ++i) claims[cases[i].claim].push_back(i);
  double weight = 0;
  std::vector<std::size_t> joint_claims;
  for (const auto& [claim, members] : claims) {
    const bool joint = can_be_joint(members, cases, multiplicity);
    weight += joint ? 2.0 : 2.0 * static_cast<double>(members.size());
    if (joint) joint_claims.push_back(claim);
  }
  std::vector<Joint> joints;
  std::vector<Hypothesis> all;
  for (const auto& [claim, members] : claims) {
    if (std::ranges::find(joint_claims, claim) == joint_claims.end()) {
      for (const std::size_t i : members) {
        all.push_back({i, true, cases[i].verdict.p_pass, false});
        all.push_back({i, false, cases[i].verdict.p_fail, false});
        say_detectable(cases[i], alpha / weight);
      }
      continue;
    }
    const stats::MinPResult result = joint_p(members, cases, 2.0 * alpha / weight);
    joints.push_back({claim, members.size(), result.effective_tests / 2.0});
    for (std::size_t cell = 0; cell < members.size(); ++cell) {
      all.push_back({members[cell], true, result.adjusted[2 * cell] / 2.0, true});
      all.push_back({members[cell], false, result.adjusted[2 * cell + 1] / 2.0, true});
      say_detectable(cases[members[cell]], result.critical);
    }
  }
  std::ranges::stable_sort(all, {}, &Hypothesis::p);
  double largest = 0;
  for (const Hypothesis& h : all) {
    largest = std::max(largest, std::min(1.0, h.p * weight));
    Verdict& v = cases[h.at].verdict;
    (h.pass ? v.p_pass_adjusted : v.p_fail_adjusted) = largest;
    if (!h.joint) weight -= 1.0;
  }
  return joints;
}

void close(Case& c, double alpha) {
  Verdict& v = c.verdict;
  c.evidence.p_pass = v.p_pass_adjusted;
  c.evidence.p_fail = v.p_fail_adjusted;
  const Judgement judgement = judge(c.evidence, c.origin, alpha);
  v.outcome = judgement.outcome;
  v.reason = judgement.reason;
  const bool neither = v.outcome == Outcome::inconclusive && !c.evidence.only_if &&
                       c.evidence.cannot_fail.empty() && v.p_pass_adjusted > alpha &&
                       v.p_fail_adjusted > alpha && v.cell_status != CellStatus::not_available;
  const std::string* own = nullptr;
  if (v.outcome == Outcome::pass) own = &c.confirmed;
  if (v.outcome == Outcome::fail) own = &c.refuted;
  if (v.outcome == Outcome::identity) own = &c.identity;
  if (v.outcome == Outcome::degenerate) own = &c.degenerate;
  if (neither) own = &c.undecided;
  if (own != nullptr && !own->empty()) v.reason = *own;
  const bool about_numbers = v.outcome == Outcome::pass || v.outcome == Outcome::fail ||
                             (v.outcome == Outcome::inconclusive && !c.evidence.only_if);
  if (about_numbers && !c.context.empty()) v.reason += "; " + c.context;
  const bool straddles =
      v.outcome == Outcome::inconclusive && !c.evidence.only_if &&
      (v.cell_status == CellStatus::ok || v.cell_status == CellStatus::tentative);
  if (!straddles) v.prompts_needed.reset();
}

}  // namespace gammascope::check
