// SPDX-License-Identifier: MIT
#include "analysis/cli/compare_sides.hpp"

#include <algorithm>
#include <type_traits>

#include "analysis/cli/by_parts.hpp"
#include "analysis/cli/log_state.hpp"
#include "analysis/cli/result_source.hpp"
#include "analysis/measure/estimate.hpp"
#include "analysis/measure/state_file.hpp"
#include "analysis/report/files.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/result_json.hpp"

namespace gammascope::cli {
namespace {

constexpr std::int64_t fewest_pairs = 5;  // no limits below

std::string text_of(const report::Setting& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          return v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::string>) {
          return v;
        } else if constexpr (std::is_same_v<T, double>) {
          return report::exact_number(v);
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          return std::to_string(v);
        } else {
          std::string list;
          for (const auto& x : v)
            list.append(list.empty() ? "" : ",").append(text_of(report::Setting(x)));
          return list;
        }
      },
      value);
}

std::optional<std::string> said(const SettingList& settings, const std::string& option) {
  for (const auto& [name, value] : settings)
    if (name == option) return text_of(value);
  return std::nullopt;
}

/// Options of an earlier measurement for the one to come.
/// @throws UsageError where the command line asks for something else
void adopt(const Side& side, CellOptions& cells) {
  const SettingList settings = side.settings();
  const CellOptions standing;
  const auto take = [&](const char* option, std::string CellOptions::*field) {
    const auto value = said(settings, option);
    if (!value) return;
    if (cells.*field != standing.*field && cells.*field != *value)
      throw UsageError("--" + std::string(option) + ": " + side.name() + " was measured with " +
                       *value + ", which decides");
    cells.*field = *value;
  };
  take("gamma", &CellOptions::gamma);
  take("alignment", &CellOptions::alignment);
  take("at", &CellOptions::at);
  take("start", &CellOptions::start);
  take("clock", &CellOptions::clock);
  take("truncated", &CellOptions::truncated);
  take("weight", &CellOptions::weight);
  take("confidence", &CellOptions::confidence);
  // Only windows from every start depend on it.
  if (cells.start == "all") take("max-length", &CellOptions::max_length);
}

void refuse_other_settings(const Side& one, const Side& two) {
  const SettingList a = one.settings(), b = two.settings();
  if (a.empty() || b.empty()) return;
  for (const char* option : {"clock", "truncated", "start", "weight"}) {
    const auto x = said(a, option), y = said(b, option);
    if (x != y)
      throw BadData({two.name(),
                     0,
                     option,
                     "is " + y.value_or("not said") + " here and " + x.value_or("not said") +
                         " in " + one.name() + ": such numbers are not compared"});
  }
  const auto x = said(a, "max-length"), y = said(b, "max-length");
  if (said(a, "start") == "all" && x != y)
    throw BadData({two.name(),
                   0,
                   "max-length",
                   "is " + y.value_or("not said") + " here and " + x.value_or("not said") + " in " +
                       one.name() + ", which decides the windows from every start"});
}

/// Whether the prompts of the two can be pairs, and which they are.
std::vector<std::uint64_t> shared_prompts(const Side& one, const Side& two, Pairing& pairing) {
  const measure::Survey &a = one.survey(), &b = two.survey();
  pairing.prompts = {a.prompts(), b.prompts()};
  if (!a.has_prompt_ids() || !b.has_prompt_ids()) {
    pairing.reason = "not in pairs: without prompt_id nobody knows which prompts are shared";
    return {};
  }
  if (!a.prompts_exact() || !b.prompts_exact()) {
    pairing.reason = "not in pairs: more prompts than can be kept (" +
                     report::count(std::int64_t(measure::Survey::max_prompts)) + ")";
    return {};
  }
  std::vector<std::uint64_t> shared = measure::shared(a.prompt_hashes(), b.prompt_hashes());
  pairing.shared = static_cast<std::int64_t>(shared.size());
  const std::int64_t more = std::max(a.prompts(), b.prompts());
  const std::string counted =
      report::count(pairing.shared) + " of " + report::count(more) + " prompts (" +
      report::percent(more > 0 ? double(pairing.shared) / double(more) : 0) + ") are shared";
  if (pairing.shared < fewest_pairs || double(pairing.shared) < least_shared * double(more)) {
    pairing.reason = "not in pairs: " + counted + ", 80 % are needed";
    return {};
  }
  pairing.pairs = measure::Pairs::groups;
  pairing.reason = "in pairs: " + counted;
  return shared;
}

const Cell* same_place(const std::vector<Cell>& cells, const Cell& like) {
  const auto at = std::ranges::find_if(cells, [&](const Cell& c) {
    return c.quantity == like.quantity && c.alignment == like.alignment && c.gamma == like.gamma &&
           c.n == like.n && !c.group && c.status != CellStatus::exact;
  });
  return at == cells.end() ? nullptr : &*at;
}

}  // namespace

Side::Side(const std::string& input, const LogOptions& how, bool force, bool quiet)
    : input_(input) {
  if (const auto file = result_file(input)) {
    result_ = report::from_json(report::read_file(*file), file->string());
    return;
  }
  if (measure::is_state_file(input)) {
    state_ = measure::read_state(input);
    return;
  }
  LogOptions options = how;
  options.logs = {input};
  log_ = std::make_unique<LogSource>(options, quiet);
  first_ = log_->first_pass();
  refuse_untrusted(*log_, *first_, force);
}

const measure::Sweep& Side::sweep() const { return sweep_ ? *sweep_ : state_->sweep; }
const measure::Survey& Side::survey() const { return first_ ? first_->survey : state_->survey; }
const measure::ResponseSet& Side::responses() const {
  return first_ ? first_->responses : state_->responses;
}

report::Source Side::source() const {
  if (result_) return result_->source;
  return first_ ? source_of(*log_, *first_) : source_of(*state_);
}

SettingList Side::settings() const {
  if (result_) return result_->settings;
  return state_ ? settings_of(*state_) : SettingList{};
}

std::vector<Cell> Side::cells() const { return result_ ? result_->cells : cells_of(sweep()); }

void Side::measure(const measure::Plan& plan,
                   unsigned threads,
                   const std::optional<std::vector<std::uint64_t>>& shared,
                   std::optional<measure::By> by) {
  std::function<bool(const RolloutRecord&)> keep;
  if (shared)
    keep = [&](const RolloutRecord& r) {
      return std::ranges::binary_search(*shared, r.prompt_hash);
    };
  sweep_ = log_->measure(plan, threads, *first_, keep);
  if (by) split_ = split_of(*log_, *first_, plan, threads, *by, keep);
}

Pairing bring_together(Side& one, Side& two, CellOptions& cells, std::optional<measure::By> by) {
  if (by && !(one.is_log() && two.is_log()))
    throw UsageError("compare --by needs two logs: a state or a result holds no parts");
  refuse_other_settings(one, two);
  if (!one.is_log())
    adopt(one, cells);
  else if (!two.is_log())
    adopt(two, cells);
  const measure::Weight weight = word<measure::Weight>("--weight", cells.weight);
  if (weight == measure::Weight::prompt)
    throw UsageError("compare: --weight prompt is not compared (row or response)");
  Pairing pairing;
  std::optional<std::vector<std::uint64_t>> shared;
  if (one.is_result() || two.is_result()) {
    pairing.reason =
        "not in pairs: of a result only the limits are left (measure --state keeps what pairs "
        "need)";
    for (const std::size_t i : {0u, 1u}) pairing.prompts[i] = (i == 0 ? one : two).source().prompts;
  } else {
    shared = shared_prompts(one, two, pairing);
    const bool paired = pairing.pairs != measure::Pairs::none;
    if (!paired) shared.reset();
    const bool same = pairing.prompts[0] == pairing.shared && pairing.prompts[1] == pairing.shared;
    if (paired && !same && !(one.is_log() && two.is_log())) {
      // A state cannot leave prompts out, but for those that it keeps one by one.
      const auto complete = [](const Side& side) {
        return side.survey().prompts() <= std::int64_t{measure::PromptSample::capacity};
      };
      if (complete(one) && complete(two)) {
        pairing.pairs = measure::Pairs::prompts;
      } else {
        pairing.reason += "; the others stay in, because a state cannot leave them out";
        shared.reset();
      }
    }
    if (pairing.pairs != measure::Pairs::none && shared)
      for (const std::size_t i : {0u, 1u})
        pairing.left_out[i] = pairing.prompts[i] - pairing.shared;
  }
  if (one.is_log() && two.is_log()) {
    if (cells.start == "all" && cells.max_length.empty())
      cells.max_length =
          std::to_string(std::max(max_length(cells, one.first()), max_length(cells, two.first())));
    const std::vector<measure::CellSpec> specs = cells_of(cells, one.first());
    if (cells.at.empty() && cells.alignments().size() == 1 && specs[0].n)
      cells.at = std::to_string(*specs[0].n);
    for (Side* side : {&one, &two})
      side->measure(measure::Plan(mergeable_settings(cells, side->first()), specs),
                    cells.thread_count(),
                    shared,
                    by);
    return pairing;
  }
  for (Side* side : {&one, &two}) {
    if (!side->is_log()) continue;
    const Side& other = side == &one ? two : one;
    const auto settings = mergeable_settings(cells, side->first());
    std::vector<measure::CellSpec> specs;
    if (other.is_result()) {
      for (const Cell& c : other.cells())
        if (c.quantity == Quantity::variance && c.alignment && c.gamma && !c.group)
          specs.push_back({*c.alignment, *c.gamma, c.n, 0});
    } else {
      const auto planned = other.sweep().plan().cells();
      specs.assign(planned.begin(), planned.end());
    }
    if (specs.empty()) throw BadData({other.name(), 0, "cells", "there is no variance to compare"});
    side->measure(measure::Plan(settings, specs), cells.thread_count(), shared, std::nullopt);
  }
  return pairing;
}

namespace {

void add_changes(const measure::Sweep& one,
                 const measure::Sweep& two,
                 measure::Pairs pairs,
                 const std::string& group,
                 Changes& changes) {
  for (const measure::CellSpec& spec : one.plan().cells()) {
    if (!two.plan().index_of(spec)) continue;
    for (measure::Change& change : measure::changes_of(one, two, spec, pairs)) {
      changes.all.push_back(std::move(change));
      changes.groups.push_back(group);
    }
  }
}

void add_parts(const measure::SplitSweep& one,
               const measure::SplitSweep& two,
               measure::Pairs pairs,
               Changes& changes) {
  for (const auto& [key, part] : one.parts()) {
    const auto other = two.parts().find(key);
    if (other == two.parts().end())
      changes.alone.push_back(one.name_of(key) + " (first)");
    else
      add_changes(part.sweep, other->second.sweep, pairs, one.name_of(key), changes);
  }
  for (const auto& [key, part] : two.parts())
    if (one.parts().count(key) == 0) changes.alone.push_back(two.name_of(key) + " (second)");
}

}  // namespace

Changes changes_between(const Side& one, const Side& two, measure::Pairs pairs) {
  Changes changes;
  if (one.is_result() || two.is_result()) {
    const std::vector<Cell> a = one.cells(), b = two.cells();
    for (const Cell& cell : a) {
      if (cell.quantity != Quantity::variance && cell.quantity != Quantity::mean) continue;
      if (same_place({cell}, cell) == nullptr) continue;
      if (const Cell* const other = same_place(b, cell)) {
        changes.all.push_back(measure::change_of(cell, *other));
        changes.groups.emplace_back();
      }
    }
  } else if (one.split() && two.split()) {
    add_parts(*one.split(), *two.split(), pairs, changes);
  } else {
    add_changes(one.sweep(), two.sweep(), pairs, "", changes);
  }
  if (changes.all.empty())
    throw BadData({two.name(),
                   0,
                   "cells",
                   "no cell has the alignment, gamma and n (and part) of one in " + one.name()});
  return changes;
}

}  // namespace gammascope::cli
