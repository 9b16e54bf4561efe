// SPDX-License-Identifier: MIT
#include "analysis/bounds/sharp.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <boost/math/tools/roots.hpp>

namespace gammascope::bounds {
namespace {

// The extremal law {-c, e}: P(-c) = u/(u + q), P(e) = q/(u + q), u = e^e - 1, q = 1 - e^-c. In e
// rather than in p nothing cancels.
struct TwoPoint {
  double c, q;
  explicit TwoPoint(double bound) : c(bound), q(-std::expm1(-bound)) {}

  [[nodiscard]] double second_moment(double e) const {
    const double u = std::expm1(e);
    return (u * c * c + q * e * e) / (u + q);
  }
  [[nodiscard]] double variance(double e) const {
    const double u = std::expm1(e);
    const double root = (c + e) / (u + q);
    return u * q * root * root;
  }
  // The sign of d log variance / d e, multiplied out: positive below the maximiser.
  [[nodiscard]] double slope(double e) const {
    const double u = std::expm1(e);
    return 2.0 * u * (u + q) - (u + 1.0) * (u - q) * (c + e);
  }
};

template <class F>
double bracketed_root(const F& f, double low, double high) {
  const double at_low = f(low);
  const double at_high = f(high);
  if (at_low == 0.0) return low;
  if (at_high == 0.0) return high;
  std::uintmax_t steps = 200;
  const auto [a, b] = boost::math::tools::toms748_solve(
      f, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(52), steps);
  return 0.5 * (a + b);
}

// The variance's maximiser lies between log 2 (c -> infinity) and 1.5937 (c -> 0), where e = 2 (1 -
// exp(-e)); the variance rises up to it.
double maximiser(const TwoPoint& law) {
  return bracketed_root([&](double e) { return law.slope(e); }, 0.69, 1.6);
}

// Below this the extremal law is within double's rounding of {-c, 0}: V1* = sigma2, s_max = inf.
bool c_is_remote(double sigma2, double c) { return c > 1.0 && c > 1e9 * std::sqrt(sigma2); }

}  // namespace

double v1_star(Sigma2 sigma2, double c) {
  (void)non_negative(c, "c");
  const double s = sigma2.value();
  if (s == 0.0 || c == 0.0) return 0.0;
  if (std::isinf(c) || c_is_remote(s, c)) return s;
  const TwoPoint law(c);
  const double top = maximiser(law);
  if (s >= law.second_moment(top)) return law.variance(top);
  // expm1(e) <= 1.72 e for e <= 1, so the second moment at `low` is at most sigma2.
  const double low = std::min(0.5, s / (1.72 * (c / law.q) * c + 1.0));
  return law.variance(
      bracketed_root([&](double e) { return law.second_moment(e) / s - 1.0; }, low, top));
}

double saturation(double c) {
  (void)non_negative(c, "c");
  if (c == 0.0) return 0.0;
  if (c > 1e150) return std::numeric_limits<double>::infinity();
  const TwoPoint law(c);
  return law.second_moment(maximiser(law));
}

double d_star(Sigma2 sigma2, double c) {
  (void)non_negative(c, "c");
  const double s = sigma2.value();
  if (c == 0.0 || s == 0.0) return 0.0;
  if (std::isinf(c)) return s;
  const double r = s / c / c;
  return r <= 0.5 ? s * (1.0 - r) : c * c / 4.0;
}

double sharp_v1(Sigma2 sigma2, double c, const WeightSums& w) {
  return times_square(v1_star(sigma2, c), w.g);
}

double sharp_d(Sigma2 sigma2, double c, const WeightSums& w) {
  return noise_plus_drift(sigma2.value(), d_star(sigma2, c), w);
}

double sharp(Sigma2 sigma2, double c, const WeightSums& w) {
  return std::min(sharp_v1(sigma2, c, w), sharp_d(sigma2, c, w));
}

}  // namespace gammascope::bounds
