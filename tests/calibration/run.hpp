// SPDX-License-Identifier: MIT
// What every table shares: how often, on how many threads, with which planted fault; gates.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace gammascope::calibration {

/// A mistake that somebody could make, put into the method under test to see its gate go red.
enum class Fault : std::uint8_t {
  none,
  no_floor,          ///< HJS without the skewness floor 2s
  normal_quantile,   ///< 1.96 standard errors instead of Hall's transformation, t and the jackknife
  rows_as_prompts,   ///< every rollout its own cluster
  plain_hjs2,        ///< HJS2's cells taken as independent
  half_mover,        ///< MOVER with the limits of one log only
  no_adjustment,     ///< many cells, each judged at alpha
  no_start_weights,  ///< the e-process without the weights of its starts
  half_power,        ///< an effect that is detected in half of the logs called detectable
};

struct Run {
  std::uint32_t replicates = 400;
  unsigned threads = 1;
  Fault fault = Fault::none;
  bool brief = false;  ///< only the first rows of the long tables
};

/// A measured rate and where it has to lie. `low` and `high` are already widened.
struct Gate {
  std::string what;
  double value = 0, low = 0, high = 0;  // %
  [[nodiscard]] bool red() const { return !(value >= low && value <= high); }
};

/// One table of the document, with the gates that its numbers must pass.
struct Table {
  std::string text;
  std::vector<Gate> gates;
};

/// Three Monte Carlo standard errors of a rate of `percent`, in points.
[[nodiscard]] inline double three_errors(double percent, double replicates) {
  return 3.0 * std::sqrt(percent * (100.0 - percent) / replicates);
}

/// body(r) for every replicate; body writes only to what belongs to r.
template <class Body>
void each_replicate(const Run& run, std::uint32_t replicates, Body&& body) {
  std::atomic<std::uint32_t> next{0};
  const auto work = [&] {
    for (std::uint32_t r = next++; r < replicates; r = next++) body(r);
  };
  std::vector<std::jthread> others;
  for (unsigned k = 1; k < run.threads; ++k) others.emplace_back(work);
  work();
}

/// The first `brief` of the rows of a table, or all.
template <class Row>
[[nodiscard]] std::vector<Row> rows_of(const Run& run, std::vector<Row> rows, std::size_t brief) {
  if (run.brief && rows.size() > brief)
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(brief), rows.end());
  return rows;
}

[[nodiscard]] inline double median(std::vector<double> x) {
  if (x.empty()) return std::nan("");
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

/// x with this many decimals, '.' in every locale.
[[nodiscard]] std::string fixed(double x, int decimals);

}  // namespace gammascope::calibration
