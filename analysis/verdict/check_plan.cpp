// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "analysis/core/errors.hpp"
#include "analysis/verdict/check.hpp"
#include "analysis/verdict/split_halves.hpp"

namespace gammascope::check {
namespace {

void require_number(const char* option, const std::optional<double>& number) {
  if (number && !(*number >= 0.0 && std::isfinite(*number)))
    throw UsageError(std::string(option) + ": not a number >= 0");
}

void require_numbers(const Settings& settings) {
  require_number("--sigma2", settings.sigma2);
  require_number("--max-delta", settings.c);
  require_number("--noise-variance", settings.v);
  require_number("--drift-variance", settings.d2);
  require_number("--max-loss", settings.big_c);
  if ((settings.sigma2_from == Sigma2From::claimed) != settings.sigma2.has_value())
    throw UsageError("--sigma2: a number is claimed exactly when it is given");
}

void require_inputs(const bounds::Bound& bound, const Settings& settings) {
  const std::string name(bound.claim);
  if (name == "drift" && !(settings.v && settings.d2))
    throw UsageError("--bound drift: needs --noise-variance and --drift-variance");
  if (name == "kl" && !settings.big_c && !settings.c)
    throw UsageError("--bound kl: needs --max-loss, or --max-delta");
}

/// What uses (OP) or the martingale property counts only tokens that the prefix lets in.
void refuse_later_selection(const bounds::Bound& bound,
                            Alignment alignment,
                            const measure::Settings& measure) {
  if (!bound.prefix_rows_only) return;
  const std::string claim(bound.claim);
  if (alignment == Alignment::horizon || alignment == Alignment::infinite)
    throw UsageError("--bound " + claim + ": may not be claimed by " +
                     std::string(name(alignment)) +
                     ": there the length that came out decides which tokens count, and that breaks "
                     "E[exp(X) | prefix] <= 1, which the bound uses; take --alignment window or "
                     "position");
  if (measure.truncated == measure::Truncated::drop)
    throw UsageError("--bound " + claim +
                     ": may not be claimed with --truncated drop: leaving out what did not end "
                     "selects tokens by what comes after them, and that breaks E[exp(X) | prefix] "
                     "<= 1, which the bound uses; take --truncated keep");
  if (claim == "kl" && alignment == Alignment::window && measure.start == measure::Start::all)
    throw UsageError(
        "--bound kl: is judged with one sum a response; take windows from the first token, --start "
        "0");
}

/// False where the bound does not exist: no horizon-free form at gamma = 1 or where the weights
/// have no geometric limit, no finite form without a cut.
bool exists(const bounds::Bound& bound,
            Alignment alignment,
            double gamma,
            const measure::Settings& measure) {
  if (bound.horizon_free) return gamma < 1.0 && measure.clock != Clock::turn;
  return alignment != Alignment::infinite;
}

/// The positions (by horizon: tokens left) of the sum as cells of gamma 0 in the claim's
/// population. With no response (longest 0) `first` may lie beyond `last`: no cells.
void add_sigma2_cells(Claim& claim, const measure::Settings& measure, std::int64_t longest) {
  const std::int64_t n = claim.cell.n.value_or(0);
  const std::int64_t end = std::max(longest, measure.max_length.value_or(longest));
  std::int64_t first = 0, last = longest - 1, wanted = end - 1;
  switch (claim.cell.alignment) {
    case Alignment::position:
      first = n;
      break;
    case Alignment::horizon:
      first = 1;
      last = wanted = n;
      break;
    case Alignment::window:
      if (measure.start == measure::Start::zero) {
        last = std::min(n, longest) - 1;
        wanted = n - 1;
      }
      break;
    case Alignment::infinite:
      wanted = longest;  // there is always one more
      break;
  }
  // At gamma 0 a sum is its first token alone (theory 3: the tau with gamma^(tau-t) > 0); windows
  // from everywhere start everywhere.
  const bool everywhere =
      claim.cell.alignment == Alignment::window && measure.start == measure::Start::all;
  if (claim.cell.gamma == 0.0 && !everywhere) {
    if (claim.cell.alignment == Alignment::horizon)
      first = n;
    else
      last = std::min(last, first), wanted = first;
  }
  const auto places = candidates(first, last);
  claim.every_position =
      last == wanted && static_cast<std::int64_t>(places.size()) == last - first + 1;
  const bool horizon = claim.cell.alignment == Alignment::horizon;
  for (const std::int64_t k : places)
    claim.sigma2_cells.push_back({horizon ? Alignment::horizon : Alignment::position,
                                  0.0,
                                  k,
                                  horizon ? n : std::int64_t{0}});
}

std::vector<const bounds::Bound*> selected(const Settings& settings) {
  std::vector<const bounds::Bound*> all;
  for (const std::string& word : settings.bounds) {
    const auto some = bounds::select(word);
    if (some.empty()) {
      std::string known;
      for (const auto& bound : bounds::all())
        known.append(known.empty() ? "" : ", ").append(bound.claim);
      throw UsageError("--bound: no such bound: " + word + " (" + known +
                       "; theorem_3_3 and sharp name two each)");
    }
    for (const auto* bound : some)
      if (std::find(all.begin(), all.end(), bound) == all.end()) all.push_back(bound);
  }
  if (all.empty()) throw UsageError("--bound: none given");
  return all;
}

}  // namespace

Plan plan(const Settings& settings, const measure::Settings& measure, std::int64_t longest) {
  require_numbers(settings);
  Plan plan;
  plan.settings = settings;
  std::set<std::string_view> used;
  const auto all = selected(settings);
  for (const auto* bound : all) require_inputs(*bound, settings);
  for (const auto& cell : settings.cells)
    for (const auto* bound : all) {
      refuse_later_selection(*bound, cell.alignment, measure);
      if (!exists(*bound, cell.alignment, cell.gamma, measure)) continue;
      Claim claim{bound, cell, {}, true};
      const bool takes_sigma2 =
          std::find(bound->inputs.begin(), bound->inputs.end(), bounds::Input::sigma2) !=
          bound->inputs.end();
      if (takes_sigma2 && settings.sigma2_from != Sigma2From::claimed &&
          measure.clock == Clock::turn)  // a cell of gamma 0 is the sum of a turn there, not X
        throw UsageError(
            "--clock turn: sigma2 cannot be taken from the log; claim it with --sigma2");
      if (takes_sigma2 && settings.sigma2_from != Sigma2From::claimed)
        add_sigma2_cells(claim, measure, longest);
      used.insert(bound->claim);
      plan.claims.push_back(std::move(claim));
    }
  for (const std::string& word : settings.bounds)
    if (const auto* bound = bounds::find(word); bound != nullptr && !used.contains(bound->claim))
      throw UsageError("--bound " + word +
                       ": does not exist for these options (the infinite form needs gamma below 1 "
                       "and no clock turn, the finite one an alignment with a cut)");
  if (plan.claims.empty())
    throw UsageError("no claim is left: --alignment infinite needs a gamma below 1");
  std::set<std::tuple<Alignment, double, std::int64_t, std::int64_t>> seen;
  const auto add = [&](const measure::CellSpec& cell) {
    if (seen.emplace(cell.alignment, cell.gamma, cell.n.value_or(-1), cell.at_least).second)
      plan.cells.push_back(cell);
  };
  for (const Claim& claim : plan.claims) add(claim.cell);
  for (const Claim& claim : plan.claims)
    for (const auto& cell : claim.sigma2_cells) add(cell);
  (void)measure::Plan(measure, plan.cells);  // cells that cannot be measured are refused here
  return plan;
}

}  // namespace gammascope::check
