// SPDX-License-Identifier: MIT
#include "analysis/report/cell_groups.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "analysis/report/number.hpp"

namespace gammascope::report {
namespace {

bool is_scalar(const Cell& cell) { return !cell.gamma && !cell.n; }

auto group_key(const Cell& cell) {
  const bool scalar = is_scalar(cell);
  return std::tuple(scalar,
                    scalar ? Quantity{} : cell.quantity,
                    scalar ? std::nullopt : cell.alignment,
                    cell.confidence,
                    scalar ? std::string() : cell.method,
                    cell.group,
                    cell.baseline,
                    cell.batch);
}

/// The words of an enumeration with blanks: "not available".
std::string spaced(std::string_view word) {
  std::string text(word);
  std::ranges::replace(text, '_', ' ');
  return text;
}

int badness(Outcome outcome) {
  switch (outcome) {
    case Outcome::fail:
      return 0;
    case Outcome::inconclusive:
      return 1;
    case Outcome::degenerate:
      return 2;
    case Outcome::identity:
      return 3;
    case Outcome::pass:
      return 4;
  }
  return 5;
}

}  // namespace

std::string CellGroup::title() const {
  const Cell& first = cells.front();
  std::string text;
  if (scalars) {
    text = "numbers of the whole";
  } else {
    text = words(first.quantity);
    if (!unit(first.quantity).empty()) text.append(" (").append(unit(first.quantity)).append(")");
    if (first.alignment) text.append(", by ").append(name(*first.alignment));
  }
  if (first.confidence) text += ", " + limits_title(first.confidence);
  if (first.group) text += ", " + *first.group;
  if (first.baseline) text += ", baseline " + *first.baseline;
  if (first.batch) text += ", batch " + std::to_string(*first.batch);
  if (!scalars && !first.method.empty()) text += ", " + first.method;
  return text;
}

std::vector<CellGroup> group_cells(std::span<const Cell> cells) {
  std::vector<CellGroup> groups;
  std::map<decltype(group_key(Cell{})), std::size_t> index;
  for (const Cell& cell : cells) {
    const auto [at, is_new] = index.try_emplace(group_key(cell), groups.size());
    if (is_new) groups.push_back({is_scalar(cell), {}});
    groups[at->second].cells.push_back(cell);
  }
  for (CellGroup& group : groups)
    if (!group.scalars)
      std::ranges::stable_sort(
          group.cells, {}, [](const Cell& cell) { return std::pair(cell.gamma, cell.n); });
  return groups;
}

std::vector<std::string> reasons(const CellGroup& group) {
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const Cell& cell : group.cells) {
    if (cell.status == CellStatus::ok || cell.status == CellStatus::exact) continue;
    std::string text = spaced(name(cell.status)) + "\n" + cell.reason;
    const auto same = std::ranges::find(found, text, &std::pair<std::string, std::size_t>::first);
    if (same == found.end())
      found.emplace_back(std::move(text), 1);
    else
      ++same->second;
  }
  std::vector<std::string> lines;
  for (const auto& [text, times] : found) {
    const std::size_t cut = text.find('\n');
    std::string line = text.substr(0, cut);
    if (group.cells.size() > 1)
      line += " (" + std::to_string(times) + " of " + std::to_string(group.cells.size()) + ")";
    lines.push_back(line + ": " + text.substr(cut + 1));
  }
  return lines;
}

std::string limits_sentence(const CellGroup& group) {
  std::optional<double> least, most;
  std::int64_t fewest = 0, largest = 0;
  bool has_limits = false;
  for (const Cell& cell : group.cells) {
    if (!cell.lower && !cell.upper) continue;
    fewest = has_limits ? std::min(fewest, cell.prompts) : cell.prompts;
    largest = std::max(largest, cell.prompts);
    has_limits = true;
    if (!cell.blind_spot || !std::isfinite(*cell.blind_spot)) continue;
    least = std::min(least.value_or(*cell.blind_spot), *cell.blind_spot);
    most = std::max(most.value_or(*cell.blind_spot), *cell.blind_spot);
  }
  // The numbers of the whole have samples of their own (tokens for t1 to t3), which `method` names.
  if (!has_limits || group.scalars) return {};
  const std::string prompts =
      fewest == largest ? count(fewest) : count(fewest) + " to " + count(largest);
  std::string text = limits_title(group.cells.front().confidence);
  text[0] = static_cast<char>(text[0] == 'l' ? 'L' : text[0]);
  text += ", prompts as the unit (G = " + prompts + "); valid when the " +
          (group.cells.front().quantity == Quantity::mean ? "second" : "fourth") +
          " moment of A is finite and no component rarer than about 3/G prompts matters.";
  if (!least) return text;
  const std::string range = number(least) == number(most)
                                ? number(least)
                                : number(least) + " to " + number(most) + ", from cell to cell";
  return text +
         " Blind spot: an event seen in none of G prompts has probability below 3/G (95 %); it "
         "would "
         "double the variance only if its credit exceeded sqrt(variance G/3) nats (" +
         range + ").";
}

std::string limits_title(const std::optional<double>& confidence) {
  return confidence ? number(100.0 * *confidence) + " % limits" : "limits";
}

std::vector<std::size_t> worst_first(std::span<const Verdict> verdicts) {
  std::vector<std::size_t> order(verdicts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return std::pair(badness(verdicts[i].outcome), -used_share(verdicts[i]).value_or(-1.0));
  });
  return order;
}

std::optional<double> used_share(const Verdict& verdict) {
  if (!verdict.value || !verdict.bound || *verdict.bound == 0.0) return std::nullopt;
  if (verdict.relation != Relation::at_most) return std::nullopt;
  const double share = *verdict.value / *verdict.bound;
  if (!std::isfinite(share) || std::isinf(*verdict.bound)) return std::nullopt;
  return share;
}

std::string explanation(const Verdict& verdict, std::string_view gap) {
  std::string text = verdict.reason;
  if (!text.empty() && text.find_last_of(".!?") != text.size() - 1) text += ".";
  if (verdict.prompts_needed)
    text.append(text.empty() ? "" : " ")
        .append("About ")
        .append(count(*verdict.prompts_needed, gap))
        .append(" prompts would probably settle it.");
  return text;
}

std::string short_claim(std::string_view claim) {
  constexpr std::string_view theorem = "theorem_3_3.";
  if (!claim.starts_with(theorem)) return std::string(claim);
  return std::string("3.3 ").append(claim.substr(theorem.size()));
}

double deciding_p(const Verdict& verdict) {
  return verdict.outcome == Outcome::fail ? verdict.p_fail_adjusted : verdict.p_pass_adjusted;
}

std::string bound_text(const Verdict& v) {
  if (!v.bound) return "-";
  if (v.relation == Relation::within) return number(v.bound_low) + " to " + number(v.bound);
  return (v.relation == Relation::at_least ? ">= " : "") + number(v.bound);
}

std::string at_text(const Verdict& v) {
  std::string text = v.claim;
  if (v.alignment) text += ", " + place(v.alignment, v.n);
  if (v.gamma) text += ", gamma " + exact_number(*v.gamma);
  return text;
}

std::string units_text(std::span<const Verdict> verdicts) {
  if (std::ranges::all_of(verdicts,
                          [](const Verdict& v) { return v.quantity == Quantity::variance; }))
    return "variances and bounds in nats^2";
  return "values and bounds in nats, nats^2 or no unit, by claim";
}

std::vector<std::string> inputs_text(std::span<const Verdict> verdicts) {
  std::vector<std::string> texts;
  for (const Verdict& verdict : verdicts)
    for (const BoundInput& input : verdict.inputs) {
      std::string text = input.name + " = " + number(input.value);
      text.append(" (").append(name(input.origin)).append(")");
      if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
    }
  return texts;
}

std::string place(const std::optional<Alignment>& alignment, const std::optional<std::int64_t>& n) {
  if (!alignment && !n) return "-";
  std::string text(alignment ? name(*alignment) : "n");
  if (n) text += " " + std::to_string(*n);
  return text;
}

std::string_view unit(Quantity quantity) {
  switch (quantity) {
    case Quantity::mean:
    case Quantity::difference:
    case Quantity::max_log_ratio:
    case Quantity::t3:
    case Quantity::t4:
    case Quantity::abs_log_ratio:
      return "nats";
    case Quantity::variance:
    case Quantity::second_moment:
    case Quantity::sigma2:
    case Quantity::noise_variance:
    case Quantity::drift_variance:
    case Quantity::between_prompts:
    case Quantity::within_prompts:
    case Quantity::trace_cov:
    case Quantity::norm2:
    case Quantity::bias2:
    case Quantity::mse:
      return "nats^2";
    case Quantity::ratio:
    case Quantity::growth_exponent:
    case Quantity::alive:
    case Quantity::probability:
    case Quantity::t1:
    case Quantity::t2:
    case Quantity::cosine:
    case Quantity::step_share:
    case Quantity::rbm_share:
    case Quantity::rbm_above:
    case Quantity::token_share:
    case Quantity::variance_share:
      return "";
    case Quantity::tokens:
      return "tokens";
  }
  return "";
}

std::string words(Quantity quantity) {
  switch (quantity) {
    case Quantity::mean:
      return "mean of A";
    case Quantity::variance:
      return "variance of A";
    case Quantity::second_moment:
      return "second moment of A";
    case Quantity::between_prompts:
      return "variance of A between prompts";
    case Quantity::within_prompts:
      return "variance of A within prompts";
    case Quantity::alive:
      return "share of responses still going";
    case Quantity::sigma2:
      return "largest second moment of Delta";
    case Quantity::noise_variance:
      return "largest variance of Delta given the past";
    case Quantity::drift_variance:
      return "largest variance of the drift of Delta";
    case Quantity::max_log_ratio:
      return "largest log-ratio Delta";
    case Quantity::t1:
      return "mean of exp(s - r) (t1: 1 if the sampler is the student)";
    case Quantity::t2:
      return "mean of exp(-Delta) (t2: 1 on policy)";
    case Quantity::t3:
      return "mean of -s - H (t3: 0 on policy)";
    case Quantity::t4:
      return "mean of Delta (t4: KL a token, not below 0)";
    case Quantity::trace_cov:
      return "trace of the covariance of the gradient";
    case Quantity::norm2:
      return "squared norm of the mean gradient";
    case Quantity::cosine:
      return "cosine with the gradient at gamma 1";
    case Quantity::bias2:
      return "squared bias against gamma 1";
    case Quantity::step_share:
      return "share of the decrease that a step keeps (alignment)";
    case Quantity::mse:
      return "mean squared error against gamma 1";
    case Quantity::rbm_share:
      return "teacher's share of the reward's size (mean |b|)";
    case Quantity::rbm_above:
      return "share of tokens with |b| above a size";
    case Quantity::abs_log_ratio:
      return "mean of |Delta|";
    case Quantity::tokens:
      return "sampled tokens";
    case Quantity::token_share:
      return "share of the sampled tokens";
    case Quantity::variance_share:
      return "share of the variance of A";
    case Quantity::difference:
      return "difference of the means of A";
    case Quantity::ratio:
    case Quantity::growth_exponent:
    case Quantity::probability:
      break;
  }
  return spaced(name(quantity));
}

}  // namespace gammascope::report
