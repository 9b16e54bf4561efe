// SPDX-License-Identifier: MIT
#include "analysis/stats/labels.hpp"

#include <cmath>

#include "analysis/stats/number_text.hpp"

namespace gammascope::stats {
namespace {

constexpr double neff_unreliable = 2.5, neff_tentative = 5.0;
constexpr double share_unreliable = 0.35;
constexpr double khat_unreliable = 0.7, khat_tentative = 0.5;
constexpr std::int64_t khat_clusters = 64, khat_measured = 256;

/// By neff alone.
Label label_of(Availability availability, std::int64_t clusters, double effective_clusters) {
  if (availability != Availability::available)
    return {Trust::unreliable, sentence(availability, clusters)};
  const std::string few =
      "few prompts (neff = " + number_text(effective_clusters) + ") carry the standard error";
  if (effective_clusters < neff_unreliable) return {Trust::unreliable, few};
  if (effective_clusters < neff_tentative) return {Trust::tentative, few};
  return {};
}

}  // namespace

Label label(const HjsFit& fit, std::optional<double> khat) {
  if (!fit.has_limits()) return {Trust::unreliable, sentence(fit.availability, fit.clusters)};
  if (fit.share > share_unreliable)
    return {Trust::unreliable,
            "one prompt carries " + number_text(100.0 * fit.share) +
                " % of the variance: it may not be estimable from this log; more prompts, not more "
                "rollouts, are needed"};
  const bool tail_counts = khat && fit.clusters >= khat_clusters;
  if (tail_counts && *khat > khat_unreliable) {
    if (fit.clusters >= khat_measured)
      return {Trust::unreliable,
              "tail index " + number_text(*khat) +
                  " is above .7: no method we know reaches 94 %, measured about 89 % whatever the "
                  "number of prompts"};
    return {Trust::unreliable,
            "tail index " + number_text(*khat) +
                " is above .7: the variance may not be estimable from this log; more prompts, not "
                "more rollouts, are needed"};
  }
  const std::string few =
      "few prompts (neff = " + number_text(fit.effective_clusters) + ") carry the standard error";
  if (fit.effective_clusters < neff_unreliable)
    return {Trust::unreliable,
            few +
                ": the variance may not be estimable from this log; more prompts, not more "
                "rollouts, are needed"};
  const std::string measured =
      "; in simulations with such laws the upper limit was too low in 3-6 % instead of 2.5 %";
  if (fit.effective_clusters < neff_tentative) return {Trust::tentative, few + measured};
  if (tail_counts && *khat > khat_tentative)
    return {Trust::tentative,
            "tail index " + number_text(*khat) + " is above .5: heavy tail" + measured};
  return {};
}

Label label(const MeanFit& fit) {
  return label_of(fit.availability, fit.clusters, fit.effective_clusters);
}

Label label(const SmoothFit& fit) {
  return label_of(fit.availability, fit.clusters, fit.effective_clusters);
}

double blind_spot(double theta, std::int64_t clusters) {
  return std::sqrt(theta * static_cast<double>(clusters) / 3.0);
}

}  // namespace gammascope::stats
