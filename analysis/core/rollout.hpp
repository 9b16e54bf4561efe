// SPDX-License-Identifier: MIT
// What every part of GammaScope reads: one sampled response with the log-probabilities of student
// and teacher, as a view (Rollout) and as storage that a reader fills again and again
// (RolloutRecord), and the header of a log. Tests: tests/analysis/core/test_rollout.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/core/enum_name.hpp"

namespace gammascope {

/// Why a response ended. `length` and `abort` mean censored: the true length is unknown
/// (theory 5.5).
enum class FinishReason : std::uint8_t { stop, length, abort, unknown };
template <>
struct EnumName<FinishReason> {
  static constexpr std::array<std::string_view, 4> names{"stop", "length", "abort", "unknown"};
};

/// One response, T_all tokens in the order they were sampled; index 0-based over *all* tokens,
/// masked ones included.
///
/// Units: nats, natural logarithm. Both log-probabilities belong to the sampled token y_t given the
/// prefix h_t ("token frame"; readers convert). They are kept apart: Delta_t = student - teacher is
/// formed in double, where the difference of two floats of like size is exact, so a constant added
/// to both sides cancels exactly or not at all.
struct Rollout {
  std::span<const float> student_logprob;  ///< (T_all) log pi_theta(y_t | h_t)
  std::span<const float> teacher_logprob;  ///< (T_all) log pi*(y_t | h_t)
  std::span<const std::uint8_t> mask;  ///< (T_all) 1: sampled by the student; or empty: all ones
  std::span<const std::int32_t>
      turn;                  ///< (T_all) turn index, non-decreasing; or empty: not recorded
  std::uint64_t prompt = 0;  ///< hash of prompt_id: the cluster
  FinishReason finish = FinishReason::unknown;
  bool damaged = false;  ///< bad numbers were masked: stays in position and window, out of horizon
                         ///< and infinite

  [[nodiscard]] std::size_t length() const noexcept { return student_logprob.size(); }
  [[nodiscard]] bool counts(std::size_t t) const noexcept { return mask.empty() || mask[t] != 0; }
  /// Ended by its own end token: the only responses that `horizon` and `infinite` may use.
  [[nodiscard]] bool ended() const noexcept { return finish == FinishReason::stop; }
  /// Cut before its end: `length` or `abort`.
  [[nodiscard]] bool cut() const noexcept {
    return finish == FinishReason::length || finish == FinishReason::abort;
  }

  /// Delta_t = log pi_theta(y_t | h_t) - log pi*(y_t | h_t), Eq. (1a), nats. Precondition: t <
  /// length() and counts(t).
  [[nodiscard]] double delta(std::size_t t) const noexcept {
    return double(student_logprob[t]) - double(teacher_logprob[t]);
  }
};

/// Storage for one response; reused from call to call, so that a long import allocates only while
/// rows grow. An empty column is "not recorded"; every non-empty column has the length of
/// `student_logprob` (score_sketch: times the header's sketch size). Field names are those of the
/// canonical JSONL in the singular (docs/formats.md).
struct RolloutRecord {
  std::vector<float> student_logprob, teacher_logprob;  ///< (T_all) nats; required
  std::vector<std::uint8_t> mask;                       ///< (T_all) or empty: all ones
  std::vector<std::int32_t> turn;                       ///< (T_all) or empty
  std::vector<std::int64_t> token_id;                   ///< (T_all) or empty
  std::vector<float> rollout_logprob, ref_logprob, entropy, prefix_kl;  ///< (T_all) or empty; nats
  std::vector<double> advantage;    ///< (T_all) or empty, as logged or written by `credit`
  std::vector<float> score_sketch;  ///< (T_all * K) row-major, or empty
  std::string topk;                 ///< raw JSON of the field `topk`, or empty

  std::string run, teacher, domain, teacher_version, text, logprobs_kind, estimator;
  std::string weight_version_sampled,
      weight_version_scored;  ///< raw JSON: a number or [[start, version], …]; or empty
  std::optional<std::string> prompt_id;  ///< absent is said, never invented
  std::optional<std::int64_t> step, sample_id, top_k;
  std::optional<double> reward, temperature, top_p;
  FinishReason finish = FinishReason::unknown;

  std::string file;       ///< where it was read, for messages: path, or empty
  std::int64_t line = 0;  ///< 1-based line, or row of a shard; 0: not known
  std::uint64_t prompt_hash =
      0;  ///< XXH3-64, seed 0, of prompt_id's bytes; without prompt_id of the two log-prob columns
  std::int64_t masked_bad = 0;  ///< tokens that --nonfinite mask-token took out of this response
  std::int64_t clipped = 0;     ///< log-ratios that --nonfinite clip moved

  [[nodiscard]] Rollout view() const noexcept {
    return {student_logprob, teacher_logprob, mask, turn, prompt_hash, finish, masked_bad > 0};
  }
  void clear();
};

/// The header line of a log; every field optional. Fields that no rule reads yet are kept in `raw`,
/// so that nothing is lost.
struct LogHeader {
  bool present = false;
  std::optional<std::string> model, student, teacher, dtype, engine, task;
  std::optional<std::int64_t> vocab_size, max_response, top_k, seed;
  std::optional<double> student_temperature, teacher_temperature, top_p, log_base;
  std::vector<std::int64_t> eos_ids;
  std::string raw = "{}";  ///< the header object as JSON text
};

}  // namespace gammascope
