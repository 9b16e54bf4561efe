// SPDX-License-Identifier: MIT
#include "analysis/cli/check_extras.hpp"

#include <algorithm>
#include <array>

#include "analysis/credit/credit_path.hpp"
#include "analysis/io/json.hpp"
#include "analysis/report/number.hpp"

namespace gammascope::cli {

namespace {

bool said_not_realisable(const LogHeader& header) {
  const io::Json json = io::parse_json(header.raw, "");
  const auto at = json.find("realisable");
  return at != json.end() && at->is_boolean() && !at->get<bool>();
}

}  // namespace

void add_credit(std::map<std::size_t, check::KlEValue>& evalues,
                const check::Plan& plan,
                const LogSource& source,
                Clock clock) {
  if (evalues.empty()) return;
  CreditPath path;
  std::vector<double> state;
  source.each([&](const RolloutRecord& r) {
    path.assign(r.view(), clock);
    for (auto& [index, evalue] : evalues) {
      const measure::CellSpec& cell = plan.claims[index].cell;
      const auto n = static_cast<std::size_t>(cell.n.value_or(0));
      const bool window = cell.alignment == Alignment::window;
      const std::size_t first = window ? 0 : n;
      if (first >= path.length()) continue;
      const std::size_t last = window ? std::min(n, path.length()) : path.length();
      const std::array<double, 1> gamma{cell.gamma};
      scan_credit(path, first, last, gamma, state, [](std::size_t, std::span<const double>) {});
      evalue.add(r.prompt_hash, state[0]);
    }
  });
}

std::string no_prefix_law(const LogSource& source, const FirstPass& first) {
  if (said_not_realisable(first.header))
    return "the header says that no teacher has these log-ratios, so E[exp(X) | prefix] <= 1, "
           "which "
           "the bound uses, does not hold";
  if (first.identities.end_token_logged() == false)
    return "not available: end token not logged (a response that stopped does not end in one of "
           "eos_ids), and its last token is then chosen by the future, which breaks E[exp(X) | "
           "prefix] <= 1, which the bound uses";
  for (const auto& answer : first.identities.answers())
    if (answer.word == doctor::Word::broken)
      return "identity " + std::string(name(answer.which)) +
             " of an on-policy log is broken here, so the bound has no ground: " + answer.sentence;
  const io::ReadReport& read = first.read;
  if (const auto bad = std::max(read.masked_tokens + read.clipped_tokens + read.dropped_rollouts,
                                first.survey.damaged());
      bad > 0)
    return "--nonfinite changed " + report::count(bad) +
           " tokens or responses for what they hold, and that breaks E[exp(X) | prefix] <= 1, "
           "which "
           "the bound uses";
  const std::int64_t one_sided = source.options().on_error == "skip" ? first.one_sided : 0;
  if (const auto lost = read.bad_lines + one_sided; lost > 0)
    return "--on-error skip left out " + report::count(lost) +
           " lines for what they hold, and that breaks E[exp(X) | prefix] <= 1, which the bound "
           "uses";
  return "";
}

}  // namespace gammascope::cli
