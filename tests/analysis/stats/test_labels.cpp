// SPDX-License-Identifier: MIT
#include <cmath>

#include <catch2/catch.hpp>

#include "analysis/stats/labels.hpp"

using namespace gammascope::stats;

namespace {

HjsFit clean() {
  HjsFit fit;
  fit.value = 2.0;
  fit.availability = Availability::available;
  fit.clusters = 128;
  fit.effective_clusters = 40;
  fit.share = 0.05;
  return fit;
}

Trust trust(double neff, double share, std::optional<double> khat, std::int64_t clusters) {
  HjsFit fit = clean();
  fit.effective_clusters = neff;
  fit.share = share;
  fit.clusters = clusters;
  const Label l = label(fit, khat);
  CHECK(l.reason.empty() == (l.trust == Trust::ok));
  return l.trust;
}

}  // namespace

TEST_CASE("labels follow the rule of calibration 4.1") {
  CHECK(trust(40, 0.05, 0.3, 128) == Trust::ok);
  CHECK(trust(5.0, 0.35, 0.5, 128) == Trust::ok);
  CHECK(trust(4.9, 0.05, 0.3, 128) == Trust::tentative);
  CHECK(trust(2.4, 0.05, 0.3, 128) == Trust::unreliable);
  CHECK(trust(40, 0.36, 0.3, 128) == Trust::unreliable);
  CHECK(trust(40, 0.05, 0.6, 128) == Trust::tentative);
  CHECK(trust(40, 0.05, 0.8, 128) == Trust::unreliable);
  CHECK(trust(40, 0.05, 0.8, 63) == Trust::ok);  // k-hat is noise below 64 prompts
  CHECK(trust(40, 0.05, std::nullopt, 128) == Trust::ok);
}

TEST_CASE("sentences carry the number that made them") {
  HjsFit fit = clean();
  fit.effective_clusters = 3.21;
  CHECK(label(fit, {}).reason.find("neff = 3.21") != std::string::npos);
  fit = clean();
  fit.share = 0.5;
  CHECK(label(fit, {}).reason.find("one prompt carries 50 %") != std::string::npos);
  fit = clean();
  fit.clusters = 300;
  CHECK(label(fit, 0.9).reason.find("89 %") != std::string::npos);
}

TEST_CASE("a fit without limits is unreliable and says why") {
  const Label l = label(HjsFit{}, {});
  CHECK(l.trust == Trust::unreliable);
  CHECK(l.reason.find("5 prompts") != std::string::npos);
}

TEST_CASE("the mean has the thresholds of neff") {
  MeanFit fit;
  fit.availability = Availability::available;
  fit.effective_clusters = 40;
  CHECK(label(fit).trust == Trust::ok);
  fit.effective_clusters = 4;
  CHECK(label(fit).trust == Trust::tentative);
  fit.effective_clusters = 2;
  CHECK(label(fit).trust == Trust::unreliable);
}

TEST_CASE("an event at the blind spot with probability 3 over G doubles the variance") {
  const double theta = 2.0, spot = blind_spot(theta, 300);
  CHECK(3.0 / 300 * spot * spot == Approx(theta));
}
