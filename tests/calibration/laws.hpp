// SPDX-License-Identifier: MIT
// The laws of credit that limits are tried on. Truth is a closed form, or that of a pool of values
// from which a law draws.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/calibration/draw.hpp"
#include "tests/calibration/run.hpp"

namespace gammascope::calibration {

/// What is promised for a law (calibration 9).
enum class Promise : std::uint8_t {
  light,   ///< 94 to 97 %
  frozen,  ///< 93.5 to 96.5 %
  none,    ///< measured and printed
};

struct Law {
  std::string name;
  Promise promise = Promise::none;
  double mean = 0, variance = 1;
  std::function<void(Draw&, std::vector<double>&)> draw;  ///< the rows of one prompt
};

/// Credits of one response at 25 cells, 5 discounts by 5 horizons, computed once for many
/// responses; a law draws responses from here, so the pool's variance is the truth.
struct Pool {
  static constexpr std::size_t gammas = 5, horizons = 5, cells = gammas * horizons;
  static constexpr double gamma[gammas] = {0.5, 0.8, 0.9, 0.99, 1.0};
  static constexpr int horizon[horizons] = {4, 16, 64, 128, 256};

  std::string name;
  std::vector<double> credit;  ///< [response][gamma][horizon], mean 0
  double variance[cells] = {};
  [[nodiscard]] std::size_t size() const { return credit.size() / cells; }
  [[nodiscard]] static std::size_t cell(std::size_t g, std::size_t h) { return g * horizons + h; }
  [[nodiscard]] const double* response(std::size_t i) const { return credit.data() + i * cells; }
};

/// Pools of iid normal, iid t5, iid log-normal tokens, and AR(1) .9 with normal and t5 innovations.
struct Pools {
  explicit Pools(const Run& run);
  std::shared_ptr<const Pool> normal, t5, lognormal, ar, ar_t5;
};

[[nodiscard]] std::vector<Law> laws(const Pools& pools, const Run& run);
/// One of them. @throws std::out_of_range
[[nodiscard]] const Law& law(const std::vector<Law>& all, const std::string& name);

}  // namespace gammascope::calibration
