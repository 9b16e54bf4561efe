// SPDX-License-Identifier: MIT
#include "analysis/cli/exact_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "analysis/core/errors.hpp"
#include "analysis/core/interrupt.hpp"
#include "analysis/report/number.hpp"
#include "analysis/report/table.hpp"
#include "simulators/markov/gradient_variance.hpp"

namespace gammascope::cli {

namespace {

using markov::GradientBaseline;
using markov::GradientMoments;
using markov::GradientScores;

constexpr GradientBaseline baselines[] = {
    GradientBaseline::none, GradientBaseline::position, GradientBaseline::value};

/// The prompt is known to the estimator's baseline `value` only through the state, to `position`
/// not at all: one process for all prompts.
struct Curve {
  const GradientRequest& request;
  markov::Process<double> all;
  GradientBaseline baseline;
  std::map<double, GradientMoments<double>> known;

  /// Moments of one prompt's mean gradient.
  const GradientMoments<double>& at(double gamma) {
    if (const auto found = known.find(gamma); found != known.end()) return found->second;
    stop_if_interrupted();
    auto moments = markov::gradient_moments(all, gamma, request.max_length, baseline);
    if (request.samples > 1) {
      // One response: within + between. The mean of m: within / m + between.
      const double between = between_prompts(gamma, moments);
      moments.trace_cov =
          (moments.trace_cov - between) / static_cast<double>(request.samples) + between;
    }
    return known.emplace(gamma, std::move(moments)).first->second;
  }

  /// sum_c w_c |E[g | prompt c] - E g|^2: the same baseline, the starts of one prompt only.
  double between_prompts(double gamma, const GradientMoments<double>& overall) {
    if (request.mixture.components.size() == 1) return 0;
    markov::GradientRecursion<double> walk(all, gamma);
    // E g given the start does not depend on a baseline of position or state: E[B z | h] = 0.
    const std::vector<double> zero(all.states(), 0.0);
    while (walk.n() < request.max_length) walk.advance(zero);
    double between = 0;
    std::size_t offset = 0;
    for (std::size_t c = 0; c < request.mixture.components.size(); ++c) {
      const auto& part = request.mixture.components[c];
      std::vector<double> mean(overall.mean.size(), 0.0);
      for (std::size_t s = 0; s < part.states(); ++s)
        for (std::size_t i = 0; i < mean.size(); ++i)
          mean[i] += part.initial()[s] * walk.mean(offset + s)[i];
      double gap2 = 0;
      for (std::size_t i = 0; i < mean.size(); ++i)
        gap2 += (mean[i] - overall.mean[i]) * (mean[i] - overall.mean[i]);
      between += request.mixture.weights[c] * gap2;
      offset += part.states();
    }
    return between;
  }
};

/// 0, 0.02, …, 0.98 and 1 - 10^(-k/8) beyond, 1; and the gammas shown, ascending.
std::vector<double> search_grid(const std::vector<Gamma>& shown) {
  std::vector<double> grid;
  for (int k = 0; k < 49; ++k) grid.push_back(k / 50.0);
  for (int k = 14; k <= 40; ++k) grid.push_back(1.0 - std::pow(10.0, -k / 8.0));
  grid.push_back(1.0);
  for (const Gamma gamma : shown) grid.push_back(gamma.value());
  std::ranges::sort(grid);
  return grid;
}

void add(std::vector<Cell>& cells,
         Quantity quantity,
         double gamma,
         GradientBaseline baseline,
         std::optional<std::int64_t> batch,
         double value) {
  Cell cell;
  cell.quantity = quantity;
  cell.gamma = gamma;
  cell.method = "exact";
  cell.status = CellStatus::exact;
  cell.baseline = name(baseline);
  cell.batch = batch;
  if (std::isfinite(value))
    cell.value = value;
  else {
    cell.status = CellStatus::not_available;
    cell.reason = "a mean gradient is 0, so it has no direction";
  }
  cells.push_back(std::move(cell));
}

std::string text_of(double gamma) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.5g", gamma);
  return buffer;
}

/// "batch 32, baseline none: least error at gamma 0.9 (…), largest alignment at …"
std::string best(Curve& curve, std::int64_t batch) {
  const GradientMoments<double>& one = curve.at(1.0);
  double least_at = 0, kept_at = 0, least = 0, kept = -1;
  for (const double gamma : search_grid(curve.request.gammas)) {
    const GradientScores s = gradient_scores(curve.at(gamma), one, static_cast<double>(batch));
    if (gamma == 0 || s.mse < least) least = s.mse, least_at = gamma;
    if (s.alignment > kept) kept = s.alignment, kept_at = gamma;
  }
  std::string text = "batch " + std::to_string(batch) + ", baseline " + name(curve.baseline) +
                     ": least error at gamma " + text_of(least_at);
  text += kept >= 0 ? ", largest alignment (" + text_of(kept) + ") at gamma " + text_of(kept_at)
                    : ", no alignment: the gradient at gamma 1 is 0";
  return text;
}

}  // namespace

GradientReport exact_gradient(const GradientRequest& request) {
  markov::Process<double> all = unite(request.mixture);
  if (markov::meets_minus_infinity(all))
    throw UsageError(
        "--gradient: a response can meet a token that the teacher never emits, so the gradient has "
        "no variance");
  if (all.states() * all.vocabulary() > 4096)
    throw UsageError("--gradient: " + std::to_string(all.states()) + " states times " +
                     std::to_string(all.vocabulary()) +
                     " tokens; exact moments of the gradient are for at most 4096 logits");
  GradientReport report;
  for (const GradientBaseline baseline : baselines) {
    Curve curve{request, all, baseline, {}};
    const GradientMoments<double> one = curve.at(1.0);
    for (const Gamma gamma : request.gammas) {
      const GradientMoments<double>& here = curve.at(gamma.value());
      const GradientScores free = gradient_scores(here, one, 1);
      const auto put = [&](Quantity quantity, std::optional<std::int64_t> batch, double value) {
        add(report.cells, quantity, gamma.value(), baseline, batch, value);
      };
      put(Quantity::trace_cov, std::nullopt, here.trace_cov);
      put(Quantity::norm2, std::nullopt, here.norm2());
      put(Quantity::cosine, std::nullopt, free.cosine);
      put(Quantity::bias2, std::nullopt, free.bias2);
      for (const std::int64_t batch : request.batches) {
        const GradientScores s = gradient_scores(here, one, static_cast<double>(batch));
        put(Quantity::step_share, batch, s.alignment);
        put(Quantity::mse, batch, s.mse);
      }
    }
    for (const std::int64_t batch : request.batches) report.sentences.push_back(best(curve, batch));
  }
  return report;
}

std::string gradient_text(const GradientReport& report,
                          const GradientRequest& request,
                          const report::TextStyle& style) {
  using report::Align;
  std::vector<report::Column> columns{{"baseline", Align::left, 0},
                                      {"gamma", Align::decimal, 0},
                                      {"tr Cov(g)", Align::decimal, 0},
                                      {"|E g|^2", Align::decimal, 0},
                                      {"cosine", Align::decimal, 0},
                                      {"bias^2", Align::decimal, 2}};
  for (const std::int64_t batch : request.batches) {
    columns.push_back({"kept @" + std::to_string(batch), Align::decimal, 0});
    columns.push_back({"MSE @" + std::to_string(batch), Align::decimal, 1});
  }
  report::Table table(std::move(columns));
  const std::size_t per_row = 4 + 2 * request.batches.size();
  for (std::size_t i = 0; i + per_row <= report.cells.size(); i += per_row) {
    std::vector<std::string> row{*report.cells[i].baseline,
                                 report::exact_number(*report.cells[i].gamma)};
    for (std::size_t k = 0; k < per_row; ++k)
      row.push_back(report::number(report.cells[i + k].value));
    table.add_row(std::move(row));
  }
  std::string text = report::paint(
                         "gradient g = sum_t (A_t - B_t) grad log pi of one prompt; nats^2; "
                         "cosine, bias and kept (alignment) against gamma 1",
                         report::Colour::strong,
                         style) +
                     "\n" + table.text(style) + "\n";
  for (const std::string& sentence : report.sentences) text += report::hanging("", sentence, style);
  return text;
}

}  // namespace gammascope::cli
