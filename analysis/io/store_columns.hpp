// SPDX-License-Identifier: MIT
// Every field of a response under its name in the store, in one place: what is not here is not
// stored. Private to io.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "analysis/core/rollout.hpp"

namespace gammascope::io {

/// Calls f(name, field) for each field of a RolloutRecord, const or not, always in the same order.
template <class Record, class F>
void for_each_column(Record& r, F&& f) {
  f("student_logprob", r.student_logprob);
  f("teacher_logprob", r.teacher_logprob);
  f("mask", r.mask);
  f("turn", r.turn);
  f("token_id", r.token_id);
  f("rollout_logprob", r.rollout_logprob);
  f("ref_logprob", r.ref_logprob);
  f("entropy", r.entropy);
  f("prefix_kl", r.prefix_kl);
  f("advantage", r.advantage);
  f("score_sketch", r.score_sketch);
  f("topk", r.topk);
  f("run", r.run);
  f("teacher", r.teacher);
  f("domain", r.domain);
  f("teacher_version", r.teacher_version);
  f("text", r.text);
  f("logprobs_kind", r.logprobs_kind);
  f("estimator", r.estimator);
  f("weight_version_sampled", r.weight_version_sampled);
  f("weight_version_scored", r.weight_version_scored);
  f("prompt_id", r.prompt_id);
  f("step", r.step);
  f("sample_id", r.sample_id);
  f("top_k", r.top_k);
  f("reward", r.reward);
  f("temperature", r.temperature);
  f("top_p", r.top_p);
  f("finish_reason", r.finish);
  f("prompt_hash", r.prompt_hash);
  f("masked_bad", r.masked_bad);
  f("clipped", r.clipped);
}

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// The safetensors name of a number type.
template <class T>
constexpr const char* dtype() {
  if constexpr (std::is_same_v<T, float>) return "F32";
  if constexpr (std::is_same_v<T, double>) return "F64";
  if constexpr (std::is_same_v<T, std::int64_t>) return "I64";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "U64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "I32";
  return "U8";  // masks, characters and enums
}

}  // namespace gammascope::io
