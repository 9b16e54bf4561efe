// SPDX-License-Identifier: MIT
#include "analysis/doctor/identities.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include <boost/math/distributions/students_t.hpp>

namespace gammascope::doctor {

namespace {

struct Rule {
  Quantity which;
  const char* shown;       // as in the table
  double null;             // value under the identity
  double alarm;            // |z|
  bool high, low;          // the sides that break it
  const char* high_means;  // what a person should suspect
  const char* low_means;
};

constexpr std::array<Rule, 4> rules{{
    {Quantity::t1,
     "E exp(s-r)",
     1.0,
     4.0,
     true,
     true,
     "the logged sampler is not the one that sampled",
     "the sampler was cut (top-p, top-k), or is not the one logged"},
    {Quantity::t2,
     "E exp(-D)",
     1.0,
     5.0,
     true,
     false,
     "tokens not from the student, sides swapped, or a shifted or unnormalised column",
     ""},
    {Quantity::t3,
     "E[-s]-E[H]",
     0.0,
     4.0,
     true,
     true,
     "sampled hotter than the student, or the entropy is of another law",
     "sampled sharper than the student (temperature below 1, top-p, top-k)"},
    {Quantity::t4,
     "E D",
     0.0,
     4.0,
     false,
     true,
     "",
     "sides or sign swapped, or tokens not from the student"},
}};

std::string text(const char* format, double a, double b, double c) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, format, a, b, c);
  return buffer;
}

}  // namespace

void Identities::add(const RolloutRecord& r) {
  const std::size_t length = r.student_logprob.size();
  const bool teacher = r.teacher_logprob.size() == length, entropy = r.entropy.size() == length,
             sampler = r.rollout_logprob.size() == length;
  std::optional<std::size_t> last;
  for (std::size_t t = 0; t < length; ++t) {
    if (!r.mask.empty() && r.mask[t] == 0) continue;
    last = t;
    const double s = double(r.student_logprob[t]);
    if (sampler && std::isfinite(r.rollout_logprob[t]))
      t1_.add(r.prompt_hash, std::expm1(s - double(r.rollout_logprob[t])));
    if (teacher) {
      const double delta = s - double(r.teacher_logprob[t]);
      t2_.add(r.prompt_hash, std::expm1(-delta));
      t4_.add(r.prompt_hash, delta);
    }
    if (entropy && std::isfinite(r.entropy[t])) t3_.add(r.prompt_hash, -s - double(r.entropy[t]));
  }
  if (!last) return;
  ++responses_;
  if (!r.prompt_id) ++without_prompt_id_;
  if (r.finish != FinishReason::stop) return;
  if (r.token_id.size() != length)
    ++stopped_without_ids_;
  else if (last_ids_.size() < 4096 || last_ids_.count(r.token_id[*last]) > 0)
    ++last_ids_[r.token_id[*last]];
}

std::optional<bool> Identities::end_token_logged() const {
  if (eos_ids_.empty() || last_ids_.empty()) return std::nullopt;
  for (const auto& [id, count] : last_ids_)
    if (std::find(eos_ids_.begin(), eos_ids_.end(), id) == eos_ids_.end()) return false;
  return stopped_without_ids_ == 0 ? std::optional(true) : std::nullopt;
}

std::array<Identities::Answer, 4> Identities::answers() const {
  const std::array<const ClusterMean*, 4> means{&t1_, &t2_, &t3_, &t4_};
  std::array<Answer, 4> all;
  const std::optional<bool> end_logged = end_token_logged();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Rule& rule = rules[i];
    const ClusterMean& m = *means[i];
    Answer& a = all[i];
    a.which = rule.which;
    a.tokens = m.count();
    a.prompts = m.clusters();
    a.value = m.mean();
    if (m.count() == 0) {
      a.sentence = std::string(rule.shown) + " not available (column not recorded)";
      continue;
    }
    if (!std::isfinite(m.mean()) || !std::isfinite(m.cluster_error().value_or(0)) ||
        !std::isfinite(m.token_error().value_or(0))) {
      a.word = Word::cannot_tell;
      a.value = std::numeric_limits<double>::quiet_NaN();
      a.sentence = std::string(rule.shown) + " not available (a log-ratio overflows it)";
      continue;
    }
    if (const auto error = m.cluster_error()) {
      const boost::math::students_t law(static_cast<double>(m.clusters() - 1));
      const double half = boost::math::quantile(law, 0.975) * *error;
      a.lower = m.mean() - half;
      a.upper = m.mean() + half;
    }
    const auto error = rule.which == Quantity::t4 ? m.cluster_error() : m.token_error();
    if (error && *error > 0.0) a.z = (m.mean() - rule.null) / *error;
    std::string judged;
    if (rule.which == Quantity::t1 && m.constant() && m.mean() == 1.0) {
      a.word = Word::degenerate;
      judged = "by construction (sampler column is a copy)";
    } else if (end_logged == false) {
      a.word = Word::cannot_tell;
      judged = "not available: end token not logged";
    } else if (!a.z && m.constant() && m.mean() == rule.null) {
      a.word = Word::ok;
      judged = "ok (exactly)";
    } else if (!a.z || (rule.which == Quantity::t4 && m.clusters() < 8)) {
      a.word = Word::cannot_tell;
      judged = rule.which == Quantity::t4 ? "cannot tell (fewer than 8 prompts)" : "cannot tell";
    } else if (*a.z > rule.alarm && rule.high) {
      a.word = Word::broken;
      judged = text("BROKEN (z %+.1f)", *a.z, 0, 0);
    } else if (*a.z < -rule.alarm && rule.low) {
      a.word = Word::broken;
      judged = text("BROKEN (z %+.1f)", *a.z, 0, 0);
    } else if (*a.z < -rule.alarm && rule.which == Quantity::t2) {
      a.word = Word::low;
      judged = text(
          "below 1 (z %+.1f): teacher mass where the student has none, or off policy", *a.z, 0, 0);
    } else if (!a.lower) {
      a.word = Word::cannot_tell;
      judged = "cannot tell (limits need two prompts)";
    } else if ((*a.lower > rule.null && rule.high) || (*a.upper < rule.null && rule.low)) {
      a.word = Word::cannot_tell;
      judged = (*a.lower > rule.null ? "above " : "below ") +
               text("%g (z %+.1f), not decided at |z| < %g", rule.null, *a.z, rule.alarm);
    } else {
      a.word = Word::ok;
      judged = "ok";
    }
    a.sentence = std::string(rule.shown) + text(" %.4g", a.value, 0, 0) +
                 (a.lower ? text(" [%.4g, %.4g] ", *a.lower, *a.upper, 0) : std::string(" ")) +
                 judged;
  }
  return all;
}

std::vector<Finding> Identities::findings() const {
  std::vector<Finding> found;
  const auto all = answers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Answer& a = all[i];
    if (a.word != Word::broken && a.word != Word::low) continue;
    Finding f;
    f.rule = std::string(name(a.which));
    f.severity = a.word == Word::broken ? Severity::error : Severity::note;
    f.message = a.sentence;
    if (a.word == Word::broken)
      f.message +=
          std::string(": ") + (a.value > rules[i].null ? rules[i].high_means : rules[i].low_means);
    f.evidence = {{"value", a.value},
                  {"z", a.z.value_or(0)},
                  {"tokens", double(a.tokens)},
                  {"prompts", double(a.prompts)}};
    found.push_back(f);
  }
  return found;
}

std::vector<Cell> Identities::cells() const {
  std::vector<Cell> cells;
  for (const Answer& a : answers()) {
    if (a.tokens == 0) continue;
    Cell c;
    c.quantity = a.which;
    c.method = "t, prompts as clusters";
    c.prompts = a.prompts;
    c.rollouts = responses_;
    if (!std::isfinite(a.value)) {
      c.status = CellStatus::not_available;
      c.reason = "a log-ratio overflows it";
      cells.push_back(c);
      continue;
    }
    c.value = a.value;
    if (a.word == Word::degenerate) {
      c.status = CellStatus::degenerate;
      c.reason = "the sampler column is a copy of the student's: it holds by construction";
    } else if (!a.lower) {
      c.status = CellStatus::not_available;
      c.reason = "limits need at least two prompts";
    } else {
      c.lower = a.lower;
      c.upper = a.upper;
      c.confidence = 0.95;
      if (without_prompt_id_ > 0) {
        c.status = CellStatus::unreliable;
        c.reason = "without prompt_id every response counts as its own prompt";
      }
    }
    cells.push_back(c);
  }
  return cells;
}

}  // namespace gammascope::doctor
