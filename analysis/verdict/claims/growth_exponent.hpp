// SPDX-License-Identifier: MIT
// growth_exponent(gamma=1, window=[16,64,256]): the slope of log Var(A) against log n (1:
// log-ratios that forget, 2: frozen ones), least squares over these n (HJS2, calibration 7).
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "analysis/measure/estimate.hpp"
#include "analysis/stats/growth_exponent.hpp"
#include "analysis/verdict/claims/arguments.hpp"
#include "analysis/verdict/claims/measurement.hpp"

namespace gammascope::claims {

class GrowthExponentClaim final : public Measurement {
 public:
  explicit GrowthExponentClaim(const Spec& spec) {
    place_ = place_of(spec);
    const bool by_tokens =
        place_.alignment == Alignment::window || place_.alignment == Alignment::horizon;
    std::ranges::sort(place_.n);
    place_.n.erase(std::unique(place_.n.begin(), place_.n.end()), place_.n.end());
    if (!by_tokens || place_.n.size() < 2) {
      const Argument* const at = find_argument(spec, name(place_.alignment));
      refuse(at != nullptr ? at->at : spec.at,
             "a growth exponent needs two lengths at least: window=[16,64,256], or horizon");
    }
    gammas_ = numbers_of(spec, "gamma", 0.0, 1.0);
  }
  [[nodiscard]] std::vector<measure::CellSpec> cells() const override {
    std::vector<measure::CellSpec> all;
    for (const double gamma : gammas_)
      for (const std::int64_t n : place_.n) all.push_back({place_.alignment, gamma, n});
    return all;
  }
  [[nodiscard]] std::vector<Measured> measured(const measure::Sweep& sweep,
                                               double noise_floor) const override {
    std::vector<Measured> all;
    for (const double gamma : gammas_) all.push_back(exponent(sweep, gamma, noise_floor));
    return all;
  }

 private:
  [[nodiscard]] Measured exponent(const measure::Sweep& sweep,
                                  double gamma,
                                  double noise_floor) const {
    Measured m;
    m.subject = "the growth exponent of Var(A) from " + std::to_string(place_.n.front()) + " to " +
                std::to_string(place_.n.back()) + " tokens";
    m.degenerate =
        "no prompt changes the exponent: it is exact as far as this log can say, and nothing was "
        "shown";
    Cell& c = m.cell;
    c.quantity = Quantity::growth_exponent;
    c.alignment = place_.alignment;
    c.gamma = gamma;
    c.method = "HJS2";
    c.status = CellStatus::not_available;
    std::vector<double> lengths;
    std::vector<stats::JackknifeLog> logs;
    for (const std::int64_t n : place_.n) {
      const std::size_t at = sweep.plan().index_of({place_.alignment, gamma, n}).value();
      const measure::Estimate e = measure::estimate(sweep, at, noise_floor);
      c.prompts = std::max(c.prompts, e.variance.prompts);
      c.rollouts = std::max(c.rollouts, e.variance.rollouts);
      auto log = stats::jackknife_log_variance(
          sweep.groups().aligned_clusters(at, measure::About::mean).first);
      if (e.variance.status == CellStatus::not_available ||
          e.variance.status == CellStatus::degenerate || !log) {
        c.status = log ? e.variance.status : CellStatus::not_available;
        if (e.variance.status == CellStatus::degenerate) c.status = CellStatus::degenerate;
        c.reason = "at " + std::to_string(n) + " tokens: " +
                   (e.variance.reason.empty() ? "too few prompts" : e.variance.reason);
        m.degenerate = "at " + std::to_string(n) +
                       " tokens the variance is zero or below the noise floor: nothing was shown";
        return m;
      }
      lengths.push_back(static_cast<double>(n));
      logs.push_back(std::move(*log));
    }
    const stats::GrowthExponent growth = stats::growth_exponent(lengths, logs);
    m.fit = Fit(growth.slope);
    put_smooth(c, growth.slope, m.fit, sweep);
    if (c.status == CellStatus::ok && growth.first_trusted.value_or(1) > 0) {
      c.status = CellStatus::tentative;
      c.reason = "the slope uses lengths whose own label is tentative";
      if (growth.first_trusted)
        c.reason +=
            "; from " + std::to_string(place_.n[*growth.first_trusted]) + " tokens on it would not";
    }
    return m;
  }

  PlaceArgument place_;
  std::vector<double> gammas_;
};

inline std::unique_ptr<Measurement> make_growth_exponent(const Spec& spec,
                                                         const measure::Settings&) {
  check_arguments(spec, {"gamma", "place"});
  return std::make_unique<GrowthExponentClaim>(spec);
}

}  // namespace gammascope::claims
