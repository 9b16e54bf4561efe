// SPDX-License-Identifier: MIT
// The adapter of Boost.Multiprecision for wide integers.
#include "analysis/stats/exact_powers.hpp"

#include <cmath>

#include <boost/multiprecision/cpp_int.hpp>

namespace gammascope::stats {
namespace {

using Wide = boost::multiprecision::int512_t;

Wide wide(const Int256& x) {
  const bool negative = (x.limbs()[3] >> 63) != 0;
  Wide value = 0;
  for (std::size_t i = 4; i-- > 0;)
    value = (value << 64) + (negative ? ~x.limbs()[i] : x.limbs()[i]);
  return negative ? Wide(-value - 1) : value;
}

Wide wide(Int128 x) {
  Int256 y;
  y.add(x);
  return wide(y);
}

}  // namespace

ExactPowers ExactPowers::from_sums(
    std::int64_t n, Int128 s1, Int128 s2, const Int256& s3, const Int256& s4) noexcept {
  ExactPowers p;
  p.n_ = n;
  p.s1_ = s1;
  p.s2_ = s2;
  p.s3_ = s3;
  p.s4_ = s4;
  return p;
}

RowPowers ExactPowers::about(std::int64_t k0) const {
  // Values as multiples of 2^-32: x * 2^16 - k0.
  const Wide c = k0, s1 = wide(s1_) << 16, s2 = wide(s2_) << 32, s3 = wide(s3_) << 48,
             s4 = wide(s4_) << 64, n = n_;
  const Wide third = s3 - c * (3 * s2 - c * (3 * s1 - c * n));
  const Wide fourth = s4 - c * (4 * s3 - c * (6 * s2 - c * (4 * s1 - c * n)));
  return {std::ldexp(third.convert_to<double>(), -96),
          std::ldexp(fourth.convert_to<double>(), -128)};
}

}  // namespace gammascope::stats
