// SPDX-License-Identifier: MIT
#include "analysis/cli/exact_cells.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "simulators/markov/horizon_moments.hpp"
#include "simulators/markov/infinite_horizon.hpp"

namespace gammascope::cli {

namespace {

using markov::Moments;

Cell exact_cell(Quantity quantity,
                Alignment alignment,
                std::optional<double> gamma,
                std::optional<std::int64_t> n,
                double value) {
  Cell cell;
  cell.quantity = quantity;
  cell.alignment = alignment;
  cell.gamma = gamma;
  cell.n = n;
  cell.method = "exact";
  cell.status = CellStatus::exact;
  if (std::isfinite(value))
    cell.value = value;
  else
    cell.reason = "infinite: a response can meet a token that the teacher never emits";
  return cell;
}

void add_moments(Alignment alignment,
                 double gamma,
                 std::optional<std::int64_t> n,
                 const std::optional<Moments<double>>& moments,
                 const std::string& why_absent,
                 std::vector<Cell>& cells) {
  for (const Quantity q : {Quantity::mean, Quantity::variance, Quantity::second_moment}) {
    if (moments) {
      cells.push_back(exact_cell(q,
                                 alignment,
                                 gamma,
                                 n,
                                 q == Quantity::mean       ? moments->mean
                                 : q == Quantity::variance ? moments->variance
                                                           : moments->second_moment()));
    } else {
      Cell cell = exact_cell(q, alignment, gamma, n, 0);
      cell.value.reset();
      cell.status = CellStatus::not_available;
      cell.reason = why_absent;
      cells.push_back(cell);
    }
  }
}

void add_split(const ExactRequest& request,
               Alignment alignment,
               double gamma,
               std::optional<std::int64_t> n,
               const std::vector<Moments<double>>& parts,
               std::vector<Cell>& cells) {
  const auto split = markov::split_by_prompt(request.mixture.weights, parts);
  cells.push_back(exact_cell(Quantity::between_prompts, alignment, gamma, n, split.between));
  cells.push_back(exact_cell(Quantity::within_prompts, alignment, gamma, n, split.within));
}

}  // namespace

void add_token_cells(const markov::TokenProfile<double>& profile, std::vector<Cell>& cells) {
  const auto add = [&](Quantity quantity, double value) {
    cells.push_back(exact_cell(quantity, Alignment::position, std::nullopt, std::nullopt, value));
  };
  const auto top = [&](const std::vector<double>& values) {
    return markov::largest_in(values, 0, profile.size());
  };
  add(Quantity::sigma2, markov::sigma2_max(profile));
  add(Quantity::noise_variance, top(profile.noise_variance));
  add(Quantity::drift_variance, top(profile.drift_variance));
  add(Quantity::max_log_ratio, top(profile.max_log_ratio));
  cells.push_back(exact_cell(Quantity::t4,
                             Alignment::position,
                             std::nullopt,
                             std::nullopt,
                             -markov::mean_token_log_ratio(profile)));
}

void add_position_cells(const ExactRequest& request,
                        const markov::TokenProfile<double>& profile,
                        const std::vector<std::int64_t>& positions,
                        std::vector<Cell>& cells) {
  std::vector<std::int64_t> inside;
  for (const std::int64_t t : positions)
    if (t < request.max_length) inside.push_back(t);
  const auto table =
      markov::position_moments<double>(request.process, request.gammas, request.max_length, inside);
  for (const std::int64_t t : inside)
    cells.push_back(exact_cell(Quantity::alive,
                               Alignment::position,
                               std::nullopt,
                               t,
                               profile.alive[static_cast<std::size_t>(t)]));
  for (std::size_t g = 0; g < request.gammas.size(); ++g) {
    const double gamma = request.gammas[g].value();
    std::size_t i = 0;
    for (const std::int64_t t : positions) {
      const bool cut = t >= request.max_length;
      add_moments(
          Alignment::position,
          gamma,
          t,
          cut ? std::nullopt : table[g][i],
          cut ? "no response has more tokens than --max-length" : "no response can be alive there",
          cells);
      if (!cut) ++i;
    }
  }
}

void add_window_cells(const ExactRequest& request,
                      const markov::TokenProfile<double>& profile,
                      const std::vector<std::int64_t>& windows,
                      markov::WindowStart start,
                      std::vector<Cell>& cells) {
  const bool zero = start == markov::WindowStart::zero;
  const auto moments = [&](const markov::Process<double>& process) {
    return markov::window_moments<double>(
        process, request.gammas, request.max_length, windows, start);
  };
  for (const std::int64_t n : windows) {
    if (n > request.max_length) continue;
    const double d2 =
        zero ? markov::stopped_drift_variance_from(profile, 0, static_cast<std::size_t>(n))
             : markov::stopped_drift_variance_max(profile);
    cells.push_back(exact_cell(Quantity::drift_variance, Alignment::window, std::nullopt, n, d2));
  }
  const auto whole = moments(request.process);
  std::vector<markov::MomentTable<double>> parts;
  if (zero && request.mixture.components.size() > 1)
    for (const auto& component : request.mixture.components) parts.push_back(moments(component));
  for (std::size_t g = 0; g < request.gammas.size(); ++g)
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const double gamma = request.gammas[g].value();
      add_moments(Alignment::window,
                  gamma,
                  windows[i],
                  whole[g][i],
                  "the window is longer than --max-length",
                  cells);
      if (parts.empty() || !whole[g][i]) continue;
      std::vector<Moments<double>> line;
      for (const auto& part : parts) line.push_back(*part[g][i]);
      add_split(request, Alignment::window, gamma, windows[i], line, cells);
    }
}

void add_horizon_cells(const ExactRequest& request,
                       const std::vector<std::int64_t>& horizons,
                       std::vector<Cell>& cells) {
  const auto table = markov::horizon_moments<double>(
      request.process, request.gammas, request.max_length, horizons);
  for (std::size_t i = 0; i < horizons.size(); ++i) {
    cells.push_back(exact_cell(Quantity::probability,
                               Alignment::horizon,
                               std::nullopt,
                               horizons[i],
                               table.probability[i]));
    const auto second =
        markov::horizon_second_moments<double>(request.process, request.max_length, horizons[i]);
    if (!second.empty())
      cells.push_back(exact_cell(Quantity::sigma2,
                                 Alignment::horizon,
                                 std::nullopt,
                                 horizons[i],
                                 markov::largest_in(second, 0, second.size())));
  }
  for (std::size_t g = 0; g < request.gammas.size(); ++g)
    for (std::size_t i = 0; i < horizons.size(); ++i)
      add_moments(Alignment::horizon,
                  request.gammas[g].value(),
                  horizons[i],
                  table.moments[g][i],
                  "no response that ends has that many tokens",
                  cells);
}

void add_infinite_cells(const ExactRequest& request, std::vector<Cell>& cells) {
  for (const Gamma gamma : request.gammas) {
    if (gamma.value() == 1) continue;
    add_moments(Alignment::infinite,
                gamma.value(),
                std::nullopt,
                markov::infinite_moments(request.process, gamma),
                "",
                cells);
    if (request.mixture.components.size() == 1) continue;
    std::vector<Moments<double>> parts;
    for (const auto& component : request.mixture.components)
      parts.push_back(markov::infinite_moments(component, gamma));
    add_split(request, Alignment::infinite, gamma.value(), std::nullopt, parts, cells);
  }
}

}  // namespace gammascope::cli
