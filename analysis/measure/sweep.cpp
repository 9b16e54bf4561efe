// SPDX-License-Identifier: MIT
#include "analysis/measure/sweep.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "analysis/core/errors.hpp"
#include "analysis/core/gamma.hpp"
#include "analysis/measure/parallel.hpp"
#include "analysis/stats/number_text.hpp"

namespace gammascope::measure {
namespace {

std::size_t place_in(std::vector<double>& values, double x) {
  const auto it = std::find(values.begin(), values.end(), x);
  if (it != values.end()) return static_cast<std::size_t>(it - values.begin());
  values.push_back(x);
  return values.size() - 1;
}

void append_squares(std::vector<double>& with_squares, const std::vector<double>& gammas) {
  with_squares = gammas;
  for (const double g : gammas) with_squares.push_back(g * g);
}

/// scan_credit is fastest with one gamma or a multiple of the lanes; the added ones are not read.
void pad(std::vector<double>& gammas) {
  while (gammas.size() > 1 && gammas.size() % GammaGrid::lanes != 0) gammas.push_back(0.0);
}

constexpr auto ignore = [](std::size_t, std::span<const double>) {};

/// sum / count rounded to nearest, halves away from 0.
std::int64_t rounded(stats::Int128 sum, std::int64_t count) {
  const stats::Int128 half = count / 2;
  return static_cast<std::int64_t>((sum >= 0 ? sum + half : sum - half) / count);
}

}  // namespace

/// The response in hand: its length, and names for error messages.
struct Sweep::Row {
  std::int64_t length = 0;
  bool ended = false;  ///< may be used by horizon and infinite
  std::uint64_t prompt = 0;
  const RolloutRecord* record = nullptr;

  [[noreturn]] void fail(const std::string& field, const std::string& rule) const {
    std::string who = "response";
    if (record != nullptr && record->prompt_id)
      who += " prompt_id \"" + *record->prompt_id + "\"";
    else
      who += " prompt hash " + std::to_string(prompt);
    if (record != nullptr && record->sample_id)
      who += " sample " + std::to_string(*record->sample_id);
    if (record == nullptr || record->file.empty()) throw BadData({who, 0, field, rule});
    throw BadData({record->file, record->line, who + (field.empty() ? "" : ", " + field), rule});
  }
};

Sweep::Sweep(Plan plan)
    : plan_(std::move(plan)),
      groups_(0),
      prompts_(0),
      largest_weights_(plan_.cells().size(), {0.0, 0.0}) {
  const Settings& settings = plan_.settings();
  const bool response_means = settings.start == Start::all && settings.weight == Weight::response;
  std::size_t cells = plan_.cells().size();
  for (std::size_t c = 0; c < plan_.cells().size(); ++c) {
    const CellSpec& spec = plan_.cells()[c];
    Target target;
    target.n = spec.n.value_or(0);
    target.at_least = spec.at_least;
    target.cell = c;
    mean_cells_.push_back(c);
    if (spec.alignment == Alignment::window) {
      const auto n = static_cast<std::size_t>(*spec.n);
      auto window =
          std::find_if(windows_.begin(), windows_.end(), [&](const Window& w) { return w.n == n; });
      if (window == windows_.end()) window = windows_.insert(window, Window{n, {}, {}, {}});
      target.gamma = place_in(window->gammas, spec.gamma);
      window->targets.push_back(target);
      if (response_means) mean_cells_.back() = cells++;
      continue;
    }
    target.gamma = place_in(whole_gammas_, spec.gamma);
    (spec.alignment == Alignment::position  ? positions_
     : spec.alignment == Alignment::horizon ? horizons_
                                            : infinites_)
        .push_back(target);
  }
  const auto by_n = [](const Target& a, const Target& b) { return a.n < b.n; };
  std::stable_sort(positions_.begin(), positions_.end(), by_n);
  std::stable_sort(horizons_.begin(), horizons_.end(), by_n);
  append_squares(whole_with_squares_, whole_gammas_);
  pad(whole_gammas_);
  for (Window& w : windows_) {
    append_squares(w.with_squares, w.gammas);
    pad(w.gammas);
  }
  const Layout layout = lay_out(cells);
  powers_.resize(cells);
  groups_ = GroupedState(cells, max_groups, layout);
  prompts_ = PromptSample(cells, layout);
}

Layout Sweep::lay_out(std::size_t cells) {
  // In the order in which a scan meets them, so that the cells of one token share cache lines.
  Layout layout(cells);
  std::uint32_t next = 0;
  std::vector<std::vector<Target>*> lists{&horizons_, &positions_, &infinites_};
  for (Window& window : windows_) lists.push_back(&window.targets);
  rows_of_.resize(plan_.cells().size());
  place_of_.resize(plan_.cells().size());
  for (std::vector<Target>* list : lists)
    for (Target& target : *list) {
      target.first_of_rows = &target == list->data() || (&target)[-1].n != target.n;
      if (target.first_of_rows) fewest_borders_.emplace_back();
      target.rows = rows_of_[target.cell] = fewest_borders_.size() - 1;
      layout[target.cell] = next;
      target.place = target.mean_place = place_of_[target.cell] = next++;
    }
  for (Window& window : windows_)
    for (Target& target : window.targets)
      if (const std::size_t mean = mean_cells_[target.cell]; mean != target.cell) {
        layout[mean] = next;
        target.mean_place = next++;
      }
  return layout;
}

void Sweep::add(const RolloutRecord& rollout) {
  add(rollout.view(), rollout.prompt_id.has_value(), &rollout);
}
void Sweep::add(const Rollout& rollout, bool has_prompt_id) {
  add(rollout, has_prompt_id, nullptr);
}

void Sweep::add(const Rollout& rollout, bool has_prompt_id, const RolloutRecord* record) {
  const Settings& settings = plan_.settings();
  Row row{0, false, rollout.prompt, record};
  try {
    path_.assign(rollout, settings.clock);
  } catch (const std::invalid_argument& error) {
    row.fail("turn", error.what());
  }
  row.length = static_cast<std::int64_t>(path_.length());
  ++counts_.rollouts;
  counts_.tokens += row.length;
  counts_.cut += rollout.cut() ? 1 : 0;
  counts_.end_unknown += !rollout.cut() && !rollout.ended() ? 1 : 0;
  counts_.damaged += rollout.damaged ? 1 : 0;
  counts_.without_prompt_id += has_prompt_id ? 0 : 1;
  if (rollout.cut() && settings.truncated == Truncated::drop) {
    ++counts_.dropped;
    return;
  }
  if (row.length == 0) {
    ++counts_.empty;
    return;
  }
  counts_.longest = std::max(counts_.longest, row.length);
  row.ended = rollout.ended() && !rollout.damaged;
  counts_.left_out += row.ended ? 0 : 1;

  group_ = groups_.block(rollout.prompt);
  prompt_ = {};
  if (has_prompt_id && (settings.by_prompt || settings.weight == Weight::prompt))
    prompt_ = prompts_.block(rollout.prompt);
  if (weights_by_row()) {
    ones_.delta.assign(path_.length(), -1.0);  // the A of these is the sum of weights
    ones_.spend = path_.spend;
    ones_.uniform = path_.uniform;
  }
  try {
    scan_whole(row);
    for (const Window& window : windows_) scan_window(row, window);
  } catch (const std::range_error& error) {
    row.fail("", error.what());
  }
}

inline std::int64_t Sweep::checked(const Row& row,
                                   const Target& target,
                                   std::span<const double> advantage) const {
  const double a = advantage[target.gamma];
  if (!stats::ExactMoments::in_range(a))
    row.fail("gamma " + stats::number_text(plan_.cells()[target.cell].gamma),
             "|A| must be a number of at most 2^20 nats (1048576); --nonfinite \"clip C\" holds "
             "every log-ratio within C nats");
  return stats::ExactMoments::to_grid(a);
}

inline void Sweep::put(std::size_t place, std::int64_t k) {
  group_[place].add_grid(k);
  powers_[place].add_grid(k);
  if (!prompt_.empty()) prompt_[place].add_grid(k);
}

void Sweep::keep_largest(const Target& target, std::span<const double> weights) {
  auto& [sum, squares] = largest_weights_[target.cell];
  sum = std::max(sum, weights[target.gamma]);
  squares = std::max(squares, weights[target.gamma + weights.size() / 2]);
}

/// The row that is the sum over [first, last) of the response in hand.
void Sweep::count_borders(const Target& target, std::size_t first, std::size_t last) {
  auto& fewest = fewest_borders_[target.rows];
  std::uint32_t borders = 0;
  for (std::size_t t = first; t < last; ++t) {
    const std::size_t k = t - first;
    if (k == fewest.size())
      fewest.push_back(borders);
    else
      fewest[k] = std::min(fewest[k], borders);
    borders += path_.spend[t];
  }
}

template <class Use>
void Sweep::walk_whole(const Row& row,
                       const CreditPath& path,
                       std::span<const double> gammas,
                       Use&& use) {
  // Horizons are met in ascending order, positions in descending order.
  auto horizon = row.ended ? horizons_.begin() : horizons_.end();
  auto position = std::partition_point(
      positions_.begin(), positions_.end(), [&](const Target& p) { return p.n < row.length; });
  const bool to_the_start = row.ended && !infinites_.empty();
  std::int64_t first = row.length;
  if (horizon != horizons_.end()) first = std::max<std::int64_t>(0, first - horizons_.back().n);
  if (position != positions_.begin()) first = std::min(first, positions_.front().n);
  if (to_the_start) first = 0;
  if (first == row.length) return;

  const auto next_stop = [&] {  // the largest t not yet passed that some cell wants; -1: none
    std::int64_t t = -1;
    if (horizon != horizons_.end()) t = row.length - horizon->n;
    if (position != positions_.begin()) t = std::max(t, std::prev(position)->n);
    return static_cast<std::size_t>(t);
  };
  std::size_t stop = next_stop();
  const auto serve = [&](std::size_t at, std::span<const double> a) {
    const auto t = static_cast<std::int64_t>(at);
    for (; horizon != horizons_.end() && horizon->n == row.length - t; ++horizon) use(*horizon, a);
    for (; position != positions_.begin() && std::prev(position)->n == t; --position)
      use(*std::prev(position), a);
    stop = next_stop();
  };
  scan_credit(path,
              static_cast<std::size_t>(first),
              path.length(),
              gammas,
              state_,
              [&](std::size_t t, std::span<const double> a) {
                if (t == stop) [[unlikely]]
                  serve(t, a);
              });
  if (to_the_start)
    for (const Target& target : infinites_) use(target, std::span<const double>(state_));
}

void Sweep::scan_whole(const Row& row) {
  if (whole_gammas_.empty()) return;
  walk_whole(row, path_, whole_gammas_, [&](const Target& target, std::span<const double> a) {
    if (row.length >= target.at_least) put(target.place, checked(row, target, a));
    if (by_turn() && target.first_of_rows) {
      const bool horizon = plan_.cells()[target.cell].alignment == Alignment::horizon;
      count_borders(target,
                    static_cast<std::size_t>(horizon ? row.length - target.n : target.n),
                    path_.length());
    }
  });
  if (!weights_by_row()) return;
  walk_whole(row, ones_, whole_with_squares_, [&](const Target& target, std::span<const double> w) {
    if (row.length >= target.at_least) keep_largest(target, w);
  });
}

void Sweep::scan_window(const Row& row, const Window& window) {
  const bool everywhere = plan_.settings().start == Start::all;
  const std::size_t step = std::max<std::size_t>(1, window.n / 8);
  // t + n <= max_length, for starts everywhere; the first token always otherwise.
  const auto longest = static_cast<std::size_t>(plan_.settings().max_length.value_or(0));
  response_sums_.assign(window.targets.size(), 0);
  std::int64_t rows = 0;
  for (std::size_t t = 0; t < path_.length() && (!everywhere || t + window.n <= longest);
       t += step) {
    const std::size_t last = std::min(path_.length(), t + window.n);
    scan_credit(path_, t, last, window.gammas, state_, ignore);
    for (std::size_t i = 0; i < window.targets.size(); ++i) {
      const Target& target = window.targets[i];
      if (row.length < target.at_least) continue;
      const std::int64_t k = checked(row, target, state_);
      put(target.place, k);
      response_sums_[i] += k;
    }
    if (by_turn()) count_borders(window.targets.front(), t, last);
    if (weights_by_row()) {
      scan_credit(ones_, t, last, window.with_squares, state_, ignore);
      for (const Target& target : window.targets)
        if (row.length >= target.at_least) keep_largest(target, state_);
    }
    ++rows;
    if (!everywhere) break;
  }
  if (rows == 0) return;
  for (std::size_t i = 0; i < window.targets.size(); ++i) {
    const Target& target = window.targets[i];
    if (target.mean_place != target.place && row.length >= target.at_least)
      put(target.mean_place, rounded(response_sums_[i], rows));
  }
}

Sweep sweep(const Plan& plan, const std::function<bool(RolloutRecord&)>& source, unsigned threads) {
  return consume(source, threads, Sweep(plan));
}

}  // namespace gammascope::measure
