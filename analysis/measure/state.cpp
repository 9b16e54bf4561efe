// SPDX-License-Identifier: MIT
#include "analysis/measure/state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace gammascope::measure {
namespace {

std::string text(double x) {  // all digits: what differs must look different
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr};
}
std::string text(std::int64_t x) { return std::to_string(x); }
std::string text(Alignment a) { return std::string(name(a)); }
template <class T>
std::string text(const std::optional<T>& x) {
  return x ? text(*x) : "not said";
}

template <class T>
std::string listed(const std::vector<T>& all, std::size_t longest = 60) {
  std::string list;
  for (const T& x : all) {
    if (list.size() > longest) return list + ",...";
    list.append(list.empty() ? "" : ",").append(text(x));
  }
  return list.empty() ? "none" : list;
}

std::optional<Mismatch> differ(const std::string& setting,
                               const std::string& mine,
                               const std::string& theirs) {
  if (mine == theirs) return std::nullopt;
  return Mismatch{setting, mine, theirs};
}

std::optional<Mismatch> plan_mismatch(const Plan& a, const Plan& b) {
  const Settings &s = a.settings(), &o = b.settings();
  const auto word = [](auto e) { return std::string(name(e)); };
  for (const auto& found : {differ("clock", word(s.clock), word(o.clock)),
                            differ("truncated", word(s.truncated), word(o.truncated)),
                            differ("start", word(s.start), word(o.start)),
                            differ("weight", word(s.weight), word(o.weight)),
                            differ("noise-floor", text(s.noise_floor), text(o.noise_floor)),
                            differ("max-length", text(s.max_length), text(o.max_length)),
                            differ("confidence", text(s.confidence), text(o.confidence)),
                            differ("alignment", listed(alignments_of(a)), listed(alignments_of(b))),
                            differ("gamma", listed(gammas_of(a)), listed(gammas_of(b))),
                            differ("at", listed(places_of(a)), listed(places_of(b)))})
    if (found) return found;
  if (a == b) return std::nullopt;
  return Mismatch{"at", "one list of cells", "another list, or the same in another order"};
}

template <class T, class Of>
std::vector<T> ascending(const Plan& plan, Of&& of) {
  std::vector<T> all;
  for (const CellSpec& cell : plan.cells()) of(cell, all);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

std::vector<std::int64_t> places_of(const Plan& plan) {
  return ascending<std::int64_t>(plan, [](const CellSpec& cell, auto& all) {
    if (cell.n) all.push_back(*cell.n);
  });
}

std::vector<double> gammas_of(const Plan& plan) {
  return ascending<double>(plan,
                           [](const CellSpec& cell, auto& all) { all.push_back(cell.gamma); });
}

std::vector<Alignment> alignments_of(const Plan& plan) {
  std::vector<Alignment> all;
  for (const CellSpec& cell : plan.cells())
    if (std::ranges::find(all, cell.alignment) == all.end()) all.push_back(cell.alignment);
  return all;
}

std::map<std::string, std::string> header_facts(const LogHeader& header) {
  std::map<std::string, std::string> facts;
  const auto put = [&](const char* field, const auto& value) {
    if (value) facts[field] = text(*value);
  };
  put("vocab_size", header.vocab_size);
  put("max_response", header.max_response);
  put("student_temperature", header.student_temperature);
  put("teacher_temperature", header.teacher_temperature);
  if (header.dtype) facts["dtype"] = *header.dtype;
  if (!header.eos_ids.empty()) facts["eos_ids"] = listed(header.eos_ids, std::string::npos);
  return facts;
}

std::optional<Mismatch> State::mismatch(const State& other) const {
  for (const auto& [option, value] : reading) {
    const auto theirs = other.reading.find(option);
    const std::string said = theirs == other.reading.end() ? "not said" : theirs->second;
    if (auto found = differ(option, value, said)) return found;
  }
  if (auto found = plan_mismatch(sweep.plan(), other.sweep.plan())) return found;
  for (const auto& [field, value] : header)
    if (const auto theirs = other.header.find(field); theirs != other.header.end())
      if (auto found = differ("header." + field, value, theirs->second)) return found;
  return std::nullopt;
}

void State::merge(const State& other) {
  if (const auto found = mismatch(other))
    throw std::invalid_argument("State: " + found->setting + " is " + found->first + " and " +
                                found->second);
  header.insert(other.header.begin(), other.header.end());
  survey.merge(other.survey);
  responses.merge(other.responses);
  for (const auto& [reason, count] : other.dropped) dropped[reason] += count;
  sweep.merge(other.sweep);
}

}  // namespace gammascope::measure
