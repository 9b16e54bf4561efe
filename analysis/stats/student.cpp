// SPDX-License-Identifier: MIT
#include "analysis/stats/student.hpp"

#include <stdexcept>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace gammascope::stats {
namespace {
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Student = boost::math::students_t_distribution<double, Policy>;
using Normal = boost::math::normal_distribution<double, Policy>;

void require_level(double p) {
  if (!(p > 0.0 && p < 1.0)) throw std::domain_error("an error level must lie between 0 and 1");
}
}  // namespace

double student_quantile(double df, double p) {
  require_level(p);
  return boost::math::quantile(Student(df), p);
}
double student_cdf(double df, double x) { return boost::math::cdf(Student(df), x); }
double student_tail(double df, double x) {
  return boost::math::cdf(boost::math::complement(Student(df), x));
}
double normal_quantile(double p) {
  require_level(p);
  return boost::math::quantile(Normal(), p);
}

}  // namespace gammascope::stats
