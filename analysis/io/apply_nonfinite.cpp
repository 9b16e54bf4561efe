// SPDX-License-Identifier: MIT
#include "analysis/io/apply_nonfinite.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "analysis/io/line_error.hpp"

namespace gammascope::io {
namespace {

constexpr std::uint32_t null_bits = 0x7fc00a11u;  // a quiet NaN with a payload of its own
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr double rounding = 1e-6;  // a log-softmax in float32 may end this far above 0

using Member = std::int64_t NonFiniteCounts::*;
constexpr std::array<std::pair<Member, std::string_view>, 10> spellings{
    {{&NonFiniteCounts::nan, "NaN"},
     {&NonFiniteCounts::minus_inf, "-inf"},
     {&NonFiniteCounts::plus_inf, "+inf"},
     {&NonFiniteCounts::null, "null"},
     {&NonFiniteCounts::sentinel_9999, "-9999"},
     {&NonFiniteCounts::sentinel_10000, "-10000"},
     {&NonFiniteCounts::sentinel_1000, "-1000"},
     {&NonFiniteCounts::sentinel_100, "-100"},
     {&NonFiniteCounts::sentinel_plus_1, "+1.0"},
     {&NonFiniteCounts::positive, "positive"}}};

/// The count that a value belongs to; null if it is a log-probability.
Member spelling(float value) noexcept {
  if (std::isnan(value)) return is_null(value) ? &NonFiniteCounts::null : &NonFiniteCounts::nan;
  if (std::isinf(value))
    return value < 0 ? &NonFiniteCounts::minus_inf : &NonFiniteCounts::plus_inf;
  if (value == -9999.0f) return &NonFiniteCounts::sentinel_9999;
  if (value == -10000.0f) return &NonFiniteCounts::sentinel_10000;
  if (value == -1000.0f) return &NonFiniteCounts::sentinel_1000;
  if (value == -100.0f) return &NonFiniteCounts::sentinel_100;
  if (value == 1.0f) return &NonFiniteCounts::sentinel_plus_1;
  if (double(value) > rounding) return &NonFiniteCounts::positive;
  return nullptr;
}

/// A bad value that says "very improbable", so that clipping knows the direction.
bool is_very_negative(float value) noexcept { return is_bad_log_probability(value) && value < 0; }

/// A cheap test that no value of a column can be bad; false says nothing.
bool surely_good(const std::vector<float>& column) noexcept {
  bool good = true;
  for (const float value : column) good &= value > -100.0f && value <= 1e-6f;
  return good;
}

void mask_out(RolloutRecord& rollout, std::size_t t) {
  if (rollout.mask.empty())
    rollout.mask.assign(std::max(rollout.student_logprob.size(), rollout.teacher_logprob.size()),
                        1);
  rollout.mask[t] = 0;
  if (!rollout.student_logprob.empty()) rollout.student_logprob[t] = nan;
  if (!rollout.teacher_logprob.empty()) rollout.teacher_logprob[t] = nan;
  ++rollout.masked_bad;
}

/// Moves the teacher so that |student - teacher| <= limit, formed in double from the floats, holds.
float clipped_teacher(float student, float teacher, double limit) noexcept {
  const bool far_below = double(student) - double(teacher) > 0;
  const double wanted = far_below ? double(student) - limit : double(student) + limit;
  float moved = static_cast<float>(wanted);
  while (std::abs(double(student) - double(moved)) > limit) moved = std::nextafterf(moved, student);
  return moved;
}

[[noreturn]] void refuse(const RolloutRecord& rollout,
                         const NonFiniteCounts& damage,
                         const std::string& field) {
  std::size_t sampled = 0;
  const std::size_t length =
      std::max(rollout.student_logprob.size(), rollout.teacher_logprob.size());
  for (std::size_t t = 0; t < length; ++t) sampled += rollout.view().counts(t) ? 1u : 0u;
  throw LineError(field,
                  std::to_string(damage.total()) + " bad log-probabilities among " +
                      std::to_string(sampled) + " sampled tokens (" + describe(damage) +
                      "); go on with --nonfinite drop-rollout, mask-token or clip C");
}

}  // namespace

float null_value() noexcept { return std::bit_cast<float>(null_bits); }
bool is_null(float value) noexcept { return std::bit_cast<std::uint32_t>(value) == null_bits; }
bool is_bad_log_probability(float value) noexcept { return spelling(value) != nullptr; }

std::string describe(const NonFiniteCounts& counts) {
  std::string text;
  for (const auto& [member, word] : spellings)
    if (counts.*member > 0)
      text.append(text.empty() ? "" : ", ")
          .append(std::to_string(counts.*member) + " ")
          .append(word);
  return text;
}

void add(NonFiniteCounts& to, const NonFiniteCounts& from) noexcept {
  for (const auto& [member, word] : spellings) to.*member += from.*member;
}

Treated apply_nonfinite(const NonFinitePolicy& policy,
                        RolloutRecord& rollout,
                        NonFiniteCounts& counts,
                        const std::string& student,
                        const std::string& teacher) {
  using Kind = NonFinitePolicy::Kind;
  const bool clip = policy.kind == Kind::clip;
  if (!clip && surely_good(rollout.student_logprob) && surely_good(rollout.teacher_logprob))
    return Treated::kept;

  NonFiniteCounts damage;
  std::string first;
  const std::size_t length =
      std::max(rollout.student_logprob.size(), rollout.teacher_logprob.size());
  for (std::size_t t = 0; t < length; ++t) {
    const bool counts_here = rollout.mask.empty() || rollout.mask[t] != 0;
    bool bad = false;
    for (auto* column : {&rollout.student_logprob, &rollout.teacher_logprob}) {
      if (column->empty()) continue;
      float& value = (*column)[t];
      if (!counts_here) {
        if (!std::isfinite(value)) value = nan;
      } else if (const Member member = spelling(value); member != nullptr) {
        ++(damage.*member);
        bad = true;
        if (first.empty())
          first = (column == &rollout.student_logprob ? student : teacher) + "[" +
                  std::to_string(t) + "]";
      }
    }
    if (!counts_here || (!bad && !clip)) continue;
    if (policy.kind == Kind::mask_token) {
      mask_out(rollout, t);
    } else if (clip && !rollout.student_logprob.empty() && !rollout.teacher_logprob.empty()) {
      const float s = rollout.student_logprob[t];
      float& u = rollout.teacher_logprob[t];
      if (bad && (is_bad_log_probability(s) || !is_very_negative(u))) {
        mask_out(rollout, t);
      } else if (std::abs(double(s) - double(u)) > policy.clip) {
        u = clipped_teacher(s, u, policy.clip);
        ++rollout.clipped;
      }
    } else if (clip && bad) {
      mask_out(rollout, t);
    }
  }
  add(counts, damage);
  if (damage.total() == 0) return Treated::kept;
  if (policy.kind == Kind::error) refuse(rollout, damage, first);
  return policy.kind == Kind::drop_rollout ? Treated::dropped : Treated::kept;
}

}  // namespace gammascope::io
