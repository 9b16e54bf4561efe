// SPDX-License-Identifier: MIT
// Student's t for degrees of freedom that need not be whole, in double (no promotion: the accuracy
// of long double costs three times as much and is not needed). The one place that includes Boost.
#pragma once

namespace gammascope::stats {

/// x with P(t_df <= x) = p. @throws std::domain_error unless 0 < p < 1 and df > 0
[[nodiscard]] double student_quantile(double df, double p);

/// P(t_df <= x), and P(t_df > x) without cancellation.
[[nodiscard]] double student_cdf(double df, double x);
[[nodiscard]] double student_tail(double df, double x);

/// x with P(Z <= x) = p for a standard normal Z.
[[nodiscard]] double normal_quantile(double p);

}  // namespace gammascope::stats
