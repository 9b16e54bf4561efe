// SPDX-License-Identifier: MIT
#include "analysis/cli/first_look.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/bounds/registry.hpp"
#include "analysis/report/cell_groups.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/table.hpp"
#include "analysis/report/text_report.hpp"

namespace gammascope::cli {

namespace {

using report::number;

/// "label    text", later lines under the text; runs of spaces in a text that fits are kept.
std::string line(const std::string& label,
                 const std::string& text,
                 const report::TextStyle& style) {
  constexpr std::size_t indent = 9;
  std::string padded = label;
  padded.resize(indent, ' ');
  if (report::display_width(text) + indent <= style.width) return padded + text + "\n";
  const std::string wrapped = report::wrap(text, style.width - indent);
  std::string all = padded;
  for (const char c : wrapped) {
    all += c;
    if (c == '\n') all.append(indent, ' ');
  }
  return all + "\n";
}

std::string columns_text(const FirstPass& first) {
  std::string recorded, constant, missing;
  for (const auto& [shown, column] : {std::pair("student", io::Column::student_logprob),
                                      std::pair("teacher", io::Column::teacher_logprob),
                                      std::pair("sampler", io::Column::rollout_logprob),
                                      std::pair("entropy", io::Column::entropy),
                                      std::pair("prefix_kl", io::Column::prefix_kl),
                                      std::pair("reward", io::Column::reward),
                                      std::pair("advantage", io::Column::advantage),
                                      std::pair("versions", io::Column::weight_version)}) {
    const io::ColumnState state = first.columns[column].state;
    std::string& list = state == io::ColumnState::recorded   ? recorded
                        : state == io::ColumnState::constant ? constant
                                                             : missing;
    list += std::string(list.empty() ? "" : ", ") + shown;
  }
  std::string text = recorded.empty() ? "none recorded" : recorded;
  if (!constant.empty()) text += "; constant: " + constant;
  if (!missing.empty()) text += "; not recorded: " + missing;
  return text;
}

std::string trust_text(const FirstPass& first, const report::TextStyle& style) {
  std::string text = line("trust", first.lag.answer().sentence, style), absent;
  for (const auto& a : first.identities.answers()) {
    if (a.word == doctor::Word::absent)
      absent += (absent.empty() ? "" : ", ") + a.sentence;
    else
      text += line("", a.sentence, style);
  }
  if (!absent.empty()) text += line("", absent, style);
  if (!first.identities.end_token_logged())
    text +=
        line("",
             "all of these if the end token is logged (no token_ids or no eos_ids to see it by)",
             style);
  return text;
}

/// How the end of the responses was cut, and what else was left out.
std::string log_text(const LogSource& source, const FirstPass& first) {
  const auto& s = first.survey;
  std::string text = report::count(s.rollouts()) + " rollouts of ";
  const std::int64_t prompts = s.prompts() - s.without_prompt_id();
  if (prompts == 0)
    text += "unknown prompts (no prompt_id)";
  else
    text += std::string(s.prompts_exact() ? "" : "at least ") + report::count(prompts) +
            (prompts == 1 ? " prompt" : " prompts");
  text += ", " + report::count(s.tokens()) + " tokens";
  if (s.rollouts() > 0 && s.cut() > 0)
    text += ", " + report::count(s.cut()) + " cut" +
            (first.header.max_response ? " at " + report::count(*first.header.max_response)
                                       : std::string()) +
            " (" +
            report::percent(static_cast<double>(s.cut()) / static_cast<double>(s.rollouts())) + ")";
  text += "   " + first.read.dialect + (first.header.present ? "" : ", no header");
  const report::Source counted = source_of(source, first);
  for (const auto& [what, n] : counted.dropped) {
    std::string spelled = what;
    std::replace(spelled.begin(), spelled.end(), '_', ' ');
    text += ", " + report::count(n) + " " + spelled;
  }
  if (!first.read.unknown_fields.empty()) {
    text += ", unknown fields skipped:";
    std::size_t shown = 0;
    for (const auto& [field, n] : first.read.unknown_fields) {
      if (++shown > 3) {
        text += " and " + std::to_string(first.read.unknown_fields.size() - 3) + " more";
        break;
      }
      text += " " + report::printable(report::shorten(field, 24));
    }
  }
  return text;
}

std::string used(const Cell& variance, double bound) {
  if (!variance.value || !(bound > 0.0)) return "-";
  return report::percent(*variance.value / bound);
}

/// A number that a sentence may stand on.
bool said(const Cell& cell) {
  return cell.value && cell.lower && cell.upper && cell.status != CellStatus::unreliable;
}

/// "4.01 [3.7, 4.3]"
std::string with_limits(const Cell& cell) {
  return number(cell.value) + " " + report::limits(cell.lower, cell.upper);
}

/// The length price is the mean credit with its sign turned.
std::string price(const Cell& mean) {
  Cell turned = mean;
  turned.value = -*mean.value;
  turned.lower = -*mean.upper;
  turned.upper = -*mean.lower;
  return with_limits(turned);
}

std::string price_limits(const Cell& mean) {
  return mean.lower && mean.upper ? report::limits(-*mean.upper, -*mean.lower) : "-";
}

std::string quoted(const std::string& path) {
  const bool plain =
      !path.empty() &&
      path.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-+,:=@%") ==
          std::string::npos;
  if (plain) return path;
  std::string text = "'";
  for (const char c : path) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::vector<UsedBound> used_bounds(const FirstPass& first,
                                   std::int64_t window,
                                   const bounds::WeightSums& weights,
                                   double gamma,
                                   Clock clock) {
  bounds::Inputs in;
  in.sigma2 = first.inputs.sigma2(window);
  if (const auto c = first.inputs.max_delta()) in.c = std::max(*c, 0.0);
  in.v = first.inputs.noise_variance(window);
  in.d2 = first.inputs.drift_variance(window);
  std::vector<UsedBound> all;
  for (const bounds::Bound& bound : bounds::all()) {
    if (bound.horizon_free && (gamma == 1.0 || clock == Clock::turn)) continue;
    in.weights = bound.horizon_free ? bounds::weight_sums_infinite(Gamma(gamma)) : weights;
    bool known = true, takes_c = false;
    for (const bounds::Input input : bound.inputs) {
      takes_c = takes_c || input == bounds::Input::c;
      known =
          known &&
          ((input == bounds::Input::sigma2 && in.sigma2) || (input == bounds::Input::c && in.c) ||
           (input == bounds::Input::v && in.v) || (input == bounds::Input::d2 && in.d2));
    }
    if (known) all.push_back({std::string(bound.claim), bounds::evaluate(bound, in), takes_c});
  }
  std::stable_sort(all.begin(), all.end(), [](const UsedBound& a, const UsedBound& b) {
    return a.bound < b.bound;
  });
  return all;
}

std::string first_look_summary(const FirstPass& first, const Look& look) {
  if (!look.no_numbers.empty())
    return "No variance can be had from this log: " + look.no_numbers + ".";
  const bool sound = first.lag.answer().aligned != doctor::Aligned::shifted &&
                     first.lag.answer().aligned != doctor::Aligned::chunks;
  bool broken = false;
  for (const auto& a : first.identities.answers())
    broken = broken || a.word == doctor::Word::broken;
  if (!sound)
    return "The two columns do not seem to belong to the same tokens, so none of these numbers "
           "means what it says.";
  if (broken)
    return "An identity that holds for every on-policy log is broken: find out why before trusting "
           "these numbers.";
  const LookRow* high = nullptr;  // the largest gamma below 1
  for (const LookRow& row : look.rows)
    if (row.gamma > 0.0 && row.gamma < 1.0 && said(row.estimate.variance)) high = &row;
  std::string text;
  if (look.ratio && said(*look.ratio))
    text = "at gamma " + report::exact_number(*look.ratio->gamma) + " the credit is " +
           with_limits(*look.ratio) + " times noisier than at 0";
  if (high != nullptr && *high->estimate.variance.value > 0.0) {
    const Cell& v = high->estimate.variance;
    for (const UsedBound& bound : high->bounds)
      if (bound.claim == "theorem_3_3.finite")
        text +=
            (text.empty() ? "" : "; ") + std::string("the worst-case bound is ") +
            number(bound.bound / *v.value) + " " +
            report::limits(bound.bound / *v.upper,
                           *v.lower > 0.0 ? std::optional(bound.bound / *v.lower) : std::nullopt) +
            " times above what is measured";
    if (said(high->estimate.mean))
      text += "; a response of " + report::count(look.window) + " tokens pays " +
              price(high->estimate.mean) + " nats for its length at " +
              report::exact_number(high->gamma);
  }
  std::int64_t doubtful = 0;
  for (const LookRow& row : look.rows)
    if (row.estimate.variance.status != CellStatus::ok) ++doubtful;
  if (doubtful > 0)
    text += (text.empty() ? "" : "; ") + std::to_string(doubtful) + " of " +
            std::to_string(look.rows.size()) + " variances carry a label";
  return text.empty() ? "There is too little here to say how gamma changes the credit."
                      : text + ".";
}

std::string first_look_text(const LogSource& source,
                            const FirstPass& first,
                            const Look& look,
                            const std::vector<Finding>& findings,
                            const report::TextStyle& style) {
  std::string text = line("log", log_text(source, first), style);
  text += line("columns", columns_text(first), style);
  const bool numbers = first.both_sides();
  if (numbers) {
    text += trust_text(first, style);
    if (const auto mean = first.survey.mean_delta())
      text += line("sum",
                   "KL(student||teacher) " + number(*mean) +
                       " nats a token: the mean log-ratio E D, with the limits above",
                   style);
    if (first.survey.interior_masks() > 0)
      text += line("clock",
                   report::count(first.survey.interior_masks()) +
                       " responses have masked tokens inside; the table uses clock skip (others: "
                       "--clock count | reset | turn)",
                   style);
  }
  for (const Finding& finding : findings) {
    const bool said =
        finding.rule == "shift" || (finding.rule.size() == 2 && finding.rule[0] == 't');
    if (!said) text += line(std::string(name(finding.severity)), finding.message, style);
  }
  text += "\n";
  if (!look.rows.empty()) {
    // A label has a column only where one is not ok: the limits of the price need the room.
    const bool labels = std::any_of(look.rows.begin(), look.rows.end(), [](const LookRow& row) {
      return row.estimate.variance.status != CellStatus::ok;
    });
    const std::string limits = report::limits_title(look.rows.front().estimate.variance.confidence);
    std::vector<report::Column> columns{{"gamma", report::Align::left, 0},
                                        {"Var A", report::Align::decimal, 0},
                                        {limits, report::Align::left, 0},
                                        {"Theorem 3.3", report::Align::decimal, 1},
                                        {"used", report::Align::right, 1},
                                        {"least bound", report::Align::left, 4},
                                        {"used", report::Align::right, 5},
                                        {"length price", report::Align::decimal, 3},
                                        {limits, report::Align::left, 3}};
    if (labels) columns.insert(columns.begin() + 3, {"label", report::Align::left, 0});
    report::Table table(columns);
    bool conditional = false;
    for (const LookRow& row : look.rows) {
      const Cell& v = row.estimate.variance;
      const Cell& mean = row.estimate.mean;
      const UsedBound* paper = nullptr;
      for (const UsedBound& b : row.bounds)
        if (b.claim == "theorem_3_3.finite") paper = &b;
      const UsedBound* best = row.bounds.empty() ? nullptr : &row.bounds.front();
      conditional = conditional || (best != nullptr && best->if_max_delta);
      std::vector<std::string> cells{
          report::exact_number(row.gamma),
          number(v.value),
          report::limits(v.lower, v.upper),
          paper ? number(paper->bound) : "-",
          paper ? used(v, paper->bound) : "-",
          best ? report::short_claim(best->claim) + (best->if_max_delta ? "*" : "") : "-",
          best ? used(v, best->bound) : "-",
          mean.value ? number(-*mean.value) : "-",
          price_limits(mean)};
      if (labels) cells.insert(cells.begin() + 3, std::string(name(v.status)));
      table.add_row(cells);
    }
    const std::string shown = table.text(style);
    text += "A of the first token summed over " + report::count(look.window) +
            " tokens (nats^2), against bounds made of the log's own numbers;\n\"used\" is Var A "
            "over the "
            "bound and as sure as Var A is" +
            (labels ? "\n" : "; every label is ok\n") + shown;
    if (conditional && shown.find("least bound") < shown.find('\n'))
      text += "* if Delta <= " + number(first.inputs.max_delta()) +
              " nats, the largest seen: nothing says that it cannot be larger\n";
    std::vector<Cell> variances;
    for (const LookRow& row : look.rows) variances.push_back(row.estimate.variance);
    for (const report::CellGroup& group : report::group_cells(variances))
      if (const std::string sentence = report::limits_sentence(group); !sentence.empty())
        text += report::wrap(sentence, style.width, 2) + "\n";
    for (const LookRow& row : look.rows)
      if (!row.estimate.variance.reason.empty()) {
        text += report::wrap("label at gamma " + report::exact_number(row.gamma) + ": " +
                                 row.estimate.variance.reason,
                             style.width,
                             2) +
                "\n";
        break;
      }
  }
  text += report::wrap("what this says: " + first_look_summary(first, look), style.width, 2) + "\n";
  std::string logs;
  for (const std::string& path : look.logs) logs += " " + quoted(path);
  if (look.rows.empty())
    text +=
        "next: record student_logprobs and teacher_logprobs of the sampled tokens "
        "(docs/formats.md)\n";
  else if (first.lag.finding())
    text += report::wrap(
                "next: line up student_logprobs and teacher_logprobs, entry t of both for token t, "
                "and look again; check and measure refuse the log as it is",
                style.width,
                2) +
            "\n";
  else if (first.survey.prompts() < 5)
    text += report::wrap(
                "next: log responses to more prompts: limits need 5, and check by split "
                "halves 8 in each half",
                style.width,
                2) +
            "\n";
  else
    text += "next: gammascope check" + logs + "\n";
  return text;
}

}  // namespace gammascope::cli
