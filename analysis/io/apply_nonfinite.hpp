// SPDX-License-Identifier: MIT
// --nonfinite applied to one response. Private to io. Tests: tests/analysis/io/test_nonfinite.cpp
#pragma once

#include <optional>
#include <string>

#include "analysis/core/rollout.hpp"
#include "analysis/io/nonfinite.hpp"

namespace gammascope::io {

/// The NaN by which a parser hands on that JSON said null; any other NaN was spelled as one.
[[nodiscard]] float null_value() noexcept;
[[nodiscard]] bool is_null(float value) noexcept;

/// Whether `value` cannot be a log-probability: not finite, a known sentinel, or above 1e-6 (tiny
/// positive values are rounding and stay).
[[nodiscard]] bool is_bad_log_probability(float value) noexcept;

/// How --nonfinite changed a response.
enum class Treated { kept, dropped };

/// Looks at student_logprob and teacher_logprob of sampled tokens (mask 1); masked tokens are
/// ignored, and their non-finite values become NaN. Every bad number is added to `counts` by its
/// spelling, whatever the policy.
/// - error: a LineError that counts the damage of this response and names the options that go on;
/// - drop_rollout: `dropped`;
/// - mask_token: mask becomes 0, both values NaN, masked_bad counts;
/// - clip C: teacher_logprob is moved until |Delta| <= C holds in double; clipped counts. A teacher
///   of -inf or a negative sentinel becomes student - C. What has no sign to clip (NaN, null, a
///   positive value, a bad student) is masked as by mask_token.
/// `student` and `teacher` are the names of the columns for the message. Cost: one pass.
Treated apply_nonfinite(const NonFinitePolicy& policy,
                        RolloutRecord& rollout,
                        NonFiniteCounts& counts,
                        const std::string& student,
                        const std::string& teacher);

/// Sum of the counts. "2 NaN, 1 -9999", in the order of NonFiniteCounts; empty if there are none.
[[nodiscard]] std::string describe(const NonFiniteCounts& counts);
void add(NonFiniteCounts& to, const NonFiniteCounts& from) noexcept;

}  // namespace gammascope::io
