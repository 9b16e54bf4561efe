// SPDX-License-Identifier: MIT
// Every P_bc is Phi(+-z) of one normal z_bc, so minima are taken and compared on the scale of z.
#include "analysis/stats/min_p.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "analysis/core/random.hpp"
#include "analysis/stats/student.hpp"

namespace gammascope::stats {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t block = 8;  // draws at a time: one pass over the columns serves all

double z_of(double p) {
  if (p <= 0.0) return -infinity;
  return p >= 1.0 ? infinity : normal_quantile(p);
}

/// Four standard normals from one block (Box & Muller 1958); 32 bits are enough for a multiplier.
std::array<double, 4> normals(std::uint64_t seed, std::uint32_t draw, std::uint32_t place) {
  const PhiloxBlock bits =
      philox_block({place, draw, 0, 0},
                   {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  std::array<double, 4> z{};
  for (std::size_t k = 0; k < 4; k += 2) {
    const double radius = std::sqrt(-2.0 * std::log((bits[k] + 0.5) * 0x1p-32));
    const double angle = 2.0 * std::numbers::pi * 0x1p-32 * bits[k + 1];
    z[k] = radius * std::cos(angle);
    z[k + 1] = radius * std::sin(angle);
  }
  return z;
}

/// Columns centred over clusters and scaled to length 1; zeros stay zeros.
std::vector<double> standardised(std::span<const double> influence, std::size_t clusters) {
  std::vector<double> z(influence.begin(), influence.end());
  for (std::size_t at = 0; at < z.size(); at += clusters) {
    const std::span<double> column(z.data() + at, clusters);
    const double mean =
        std::accumulate(column.begin(), column.end(), 0.0) / static_cast<double>(clusters);
    double square = 0;
    for (double& x : column) {
      x -= mean;
      square += x * x;
    }
    const double scale = square > 0 ? 1.0 / std::sqrt(square) : 0.0;
    for (double& x : column) x *= scale;
  }
  return z;
}

/// Columns of length `cells` with the same inner products: the rows of the Cholesky factor of z'z,
/// where a column that depends on those before it ends in zeros. The multiplier sums keep their law
/// and need fewer draws.
std::vector<double> shortened(const std::vector<double>& z, std::size_t clusters) {
  constexpr double dependent = 1e-12;  // of a squared length of 1
  const std::size_t cells = z.size() / clusters;
  std::vector<double> l(cells * cells, 0.0);
  for (std::size_t c = 0; c < cells; ++c)
    for (std::size_t d = 0; d <= c; ++d) {
      const auto column = [&](std::size_t k) {
        return z.begin() + static_cast<std::ptrdiff_t>(k * clusters);
      };
      double rest = std::inner_product(
          column(c), column(c) + static_cast<std::ptrdiff_t>(clusters), column(d), 0.0);
      for (std::size_t k = 0; k < d; ++k) rest -= l[c * cells + k] * l[d * cells + k];
      const double pivot = l[d * cells + d];
      if (d == c)
        l[c * cells + c] = rest > dependent ? std::sqrt(rest) : 0.0;
      else
        l[c * cells + d] = pivot > 0 ? rest / pivot : 0.0;
    }
  return l;
}

void require(std::span<const double> influence,
             std::size_t clusters,
             std::span<const MinPHypothesis> hypotheses,
             const MinPSettings& settings) {
  if (clusters == 0 || influence.size() % clusters != 0)
    throw std::invalid_argument("min_p: the influence columns do not have `clusters` entries");
  for (const MinPHypothesis& h : hypotheses) {
    if (h.cell >= influence.size() / clusters)
      throw std::invalid_argument("min_p: a hypothesis about a cell that is not there");
    if (!(h.p >= 0.0 && h.p <= 1.0)) throw std::domain_error("a p-value must lie in [0, 1]");
  }
  if (!(settings.alpha > 0.0 && settings.alpha < 1.0) || settings.draws < 1 ||
      settings.alpha * (settings.draws + 1.0) < 1.0)
    throw std::domain_error("min_p: alpha must lie in (0, 1), and the draws must reach it");
}

}  // namespace

MinPResult min_p(std::span<const double> influence,
                 std::size_t clusters,
                 std::span<const MinPHypothesis> hypotheses,
                 const MinPSettings& settings) {
  require(influence, clusters, hypotheses, settings);
  MinPResult result;
  const std::size_t tests = hypotheses.size();
  if (tests == 0) return result;
  std::vector<double> z = standardised(influence, clusters);
  const std::size_t cells = influence.size() / clusters;
  if (2 * cells < clusters) {
    z = shortened(z, clusters);
    clusters = cells;
  }

  std::vector<std::size_t> order(tests);  // ascending p: the active sets are its suffixes
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return hypotheses[a].p < hypotheses[b].p;
  });
  std::vector<double> reach(tests);
  for (std::size_t k = 0; k < tests; ++k) reach[k] = z_of(hypotheses[order[k]].p);

  const auto draws = static_cast<std::size_t>(settings.draws);
  std::vector<std::int64_t> reached(tests, 0);
  std::vector<double> smallest(draws);
  std::vector<double> w(clusters * block), sums(cells * block);
  for (std::size_t first = 0; first < draws; first += block) {
    for (std::size_t b = 0; b < block; ++b)
      for (std::size_t i = 0; i < clusters; i += 4) {
        const auto four = normals(settings.seed,
                                  static_cast<std::uint32_t>(first + b),
                                  static_cast<std::uint32_t>(i / 4));
        for (std::size_t k = 0; k < 4 && i + k < clusters; ++k) w[(i + k) * block + b] = four[k];
      }
    for (std::size_t c = 0; c < cells; ++c) {
      std::array<double, block> sum{};
      const double* column = z.data() + c * clusters;
      for (std::size_t i = 0; i < clusters; ++i)
        for (std::size_t b = 0; b < block; ++b) sum[b] += column[i] * w[i * block + b];
      std::copy(sum.begin(), sum.end(), sums.begin() + static_cast<std::ptrdiff_t>(c * block));
    }
    for (std::size_t b = 0; b < block && first + b < draws; ++b) {
      double lowest = infinity;  // over the suffix
      for (std::size_t k = tests; k-- > 0;) {
        const MinPHypothesis& h = hypotheses[order[k]];
        const double sum = sums[h.cell * block + b];
        lowest = std::min(lowest, h.pass ? sum : -sum);
        if (lowest <= reach[k]) ++reached[k];
      }
      smallest[first + b] = lowest;
    }
  }

  const double all = static_cast<double>(draws) + 1.0;
  result.adjusted.resize(tests);
  double so_far = 0;
  for (std::size_t k = 0; k < tests; ++k) {
    const double p = hypotheses[order[k]].p;
    const auto active = static_cast<double>(tests - k);
    double adjusted = (1.0 + static_cast<double>(reached[k])) / all;
    if (reached[k] == 0) adjusted = std::min(adjusted, active * p);
    if (k + 1 == tests) adjusted = p;
    so_far = std::max(so_far, std::min(adjusted, 1.0));
    result.adjusted[order[k]] = so_far;
  }
  const auto rank = static_cast<std::ptrdiff_t>(settings.alpha * all) - 1;
  std::nth_element(smallest.begin(), smallest.begin() + rank, smallest.end());
  result.critical =
      0.5 * std::erfc(-smallest[static_cast<std::size_t>(rank)] / std::numbers::sqrt2);
  result.effective_tests = settings.alpha / result.critical;
  return result;
}

}  // namespace gammascope::stats
