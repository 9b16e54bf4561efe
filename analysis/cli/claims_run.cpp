// SPDX-License-Identifier: MIT
#include "analysis/cli/claims_run.hpp"

#include <algorithm>
#include <utility>

#include "analysis/bounds/registry.hpp"
#include "analysis/cli/earlier_result.hpp"
#include "analysis/core/read_text.hpp"
#include "analysis/verdict/claims/arguments.hpp"

namespace gammascope::cli {

namespace {

/// Of a claims file.
constexpr std::size_t most_bytes = std::size_t{16} << 20;

/// Numbers that a claim against a named bound gives itself.
std::optional<double> own_number(const claims::Spec& spec,
                                 std::string_view name,
                                 std::optional<double> otherwise) {
  if (claims::find_argument(spec, name) == nullptr) return otherwise;
  return claims::number_of(spec, name, 0.0, 1e300);
}

check::Plan bound_plan(const claims::Spec& spec,
                       const check::Settings& options,
                       const measure::Settings& how,
                       std::int64_t longest) {
  const claims::Limit& limit = spec.limit;
  if (spec.quantity != "variance" || spec.relation != Relation::at_most || limit.band)
    claims::refuse(
        limit.at,
        "the bound " + limit.name + " is on the variance: variance(...) <= " + limit.name);
  claims::check_arguments(
      spec,
      {"gamma", "place", "sigma2", "max_delta", "noise_variance", "drift_variance", "max_loss"});
  check::Settings settings = options;
  settings.bounds = {limit.name};
  settings.cells = claims::grid_of(spec);
  if (claims::find_argument(spec, "sigma2") != nullptr)
    settings.sigma2_from = check::Sigma2From::claimed;
  settings.sigma2 = own_number(spec, "sigma2", settings.sigma2);
  settings.c = own_number(spec, "max_delta", settings.c);
  settings.v = own_number(spec, "noise_variance", settings.v);
  settings.d2 = own_number(spec, "drift_variance", settings.d2);
  settings.big_c = own_number(spec, "max_loss", settings.big_c);
  try {
    return check::plan(settings, how, longest);
  } catch (const UsageError& error) {
    claims::refuse(limit.at, error.what());
  }
}

}  // namespace

std::vector<report::ClaimsFile> read_claims(const std::vector<std::string>& files,
                                            const std::string& typed) {
  std::vector<report::ClaimsFile> all;
  for (const std::string& file : files)
    all.push_back(report::from_claims_toml(read_text(file, most_bytes), file));
  if (typed.empty()) return all;
  all.emplace_back();
  all.back().claims = claims::parse_claims(typed);
  return all;
}

void require_settings(const std::vector<report::ClaimsFile>& files, const SettingList& settings) {
  for (const report::ClaimsFile& file : files)
    for (const report::ClaimsSetting& wanted : file.settings) {
      const report::Setting* now = nullptr;
      for (const auto& [name, value] : settings)
        if (name == wanted.name) now = &value;
      const std::string field = "settings." + wanted.name;
      if (now == nullptr)
        throw BadData({file.file, wanted.line, field, "check has no such option"});
      if (setting_text(*now) != wanted.value)
        throw BadData({file.file,
                       wanted.line,
                       field,
                       "the numbers of this file are for " + wanted.name + " " + wanted.value +
                           ", this run has " + setting_text(*now) + " (--" + wanted.name + " " +
                           wanted.value + ")"});
    }
}

ClaimsRun::ClaimsRun(std::vector<report::ClaimsFile> files,
                     const check::Settings& bound_options,
                     const measure::Settings& how,
                     std::int64_t longest) {
  for (report::ClaimsFile& file : files)
    for (claims::Spec& spec : file.claims) {
      One one;
      one.kind = &claims::find_kind(spec);
      one.baseline_hash = file.baseline_hash;
      if (spec.limit.kind == claims::Limit::Kind::bound) {
        one.bound = std::make_unique<check::Plan>(bound_plan(spec, bound_options, how, longest));
      } else {
        one.measurement = one.kind->make(spec, how);
        if (spec.limit.kind == claims::Limit::Kind::none && !one.measurement->own_limit(0.0))
          claims::refuse(
              spec.at,
              spec.at.file.empty()
                  ? spec.quantity + " needs a limit: <= LIMIT, >= LIMIT or within BAND of LIMIT"
                  : "the claim needs at_most, at_least or within");
      }
      one.spec = std::move(spec);
      runs_.push_back(std::move(one));
    }
}

std::vector<measure::CellSpec> ClaimsRun::cells() const {
  std::vector<measure::CellSpec> all;
  for (const One& one : runs_) {
    const auto some = one.bound ? one.bound->cells : one.measurement->cells();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

bool ClaimsRun::reads_responses() const {
  for (const One& one : runs_)
    if (one.measurement && one.measurement->reads_responses()) return true;
  return false;
}

void ClaimsRun::add(const RolloutRecord& rollout) {
  for (One& one : runs_)
    if (one.measurement && one.measurement->reads_responses()) one.measurement->add(rollout);
}

std::vector<const check::Plan*> ClaimsRun::bound_plans() const {
  std::vector<const check::Plan*> all;
  for (const One& one : runs_)
    if (one.bound) all.push_back(one.bound.get());
  return all;
}

std::vector<check::Case> ClaimsRun::open(const measure::Sweep& sweep,
                                         double noise_floor,
                                         const check::Extras& extras,
                                         std::vector<std::map<std::size_t, check::KlEValue>> kl,
                                         const SettingList& settings,
                                         const std::string& log_hash,
                                         std::vector<Cell>& cells) const {
  std::vector<check::Case> all;
  std::size_t bound = 0, claim = 0;
  for (const One& one : runs_) {
    ++claim;  // 0 is not taken: the bounds of --bound count from bounds::all() on
    const std::size_t index = bounds::all().size() + claim;
    if (one.bound) {
      check::Extras with = extras;
      with.kl = std::move(kl.at(bound++));
      const bool several = bounds::select(one.spec.limit.name).size() > 1;
      for (check::Case& c : check::open_run(*one.bound, sweep, noise_floor, with)) {
        c.verdict.claim = one.spec.name + (several ? " [" + c.verdict.claim + "]" : "");
        if (!one.spec.at.file.empty())
          c.verdict.where = one.spec.at.file + ":" + std::to_string(one.spec.at.line);
        c.claim = index;
        all.push_back(std::move(c));
      }
      continue;
    }
    claims::Setting setting;
    setting.noise_floor = noise_floor;
    setting.prompts_per_group =
        std::max(1.0,
                 static_cast<double>(extras.prompts) /
                     static_cast<double>(std::max<std::size_t>(1, sweep.groups().groups())));
    setting.baseline_hash = one.baseline_hash;
    setting.log_hash = log_hash;
    setting.find = [&](const claims::Limit& limit, const Cell& cell) {
      return earlier_number(limit, *one.kind, cell, settings, log_hash);
    };
    claims::Opened opened = claims::open_claim(one.spec, *one.measurement, sweep, setting, index);
    for (check::Case& c : opened.cases) all.push_back(std::move(c));
    for (Cell& cell : opened.cells) cells.push_back(std::move(cell));
  }
  return all;
}

}  // namespace gammascope::cli
